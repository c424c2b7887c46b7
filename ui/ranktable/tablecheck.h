#pragma once

#include "ranktable/ranktablecheck.h"

#include <QMetaType>
#include <QStringList>

namespace rankdeck
{

/// What a check of a rank table comes to, for who is about to launch with it.
struct TableCheck {
    /// As many of the first errors are told.
    static constexpr qsizetype mostTold = 3;

    int errors = 0;
    int warnings = 0;
    int notes = 0;
    QStringList firstErrors; ///< Such as "line 12: …".
    bool isUsable = true;

    static TableCheck of(const CheckReport &report);
    /// "2 errors, 1 warning"; "no findings".
    QString counts() const;
    bool operator==(const TableCheck &) const = default;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::TableCheck)
