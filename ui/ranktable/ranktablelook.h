#pragma once

#include "ranktable/ranktablecheck.h"

#include <QMetaType>

#include <memory>

namespace rankdeck
{

/// What one look at a rank table file found: a report, or why there is none.
struct RankTableLook {
    QString path;
    Chip chip = Chip::Unknown;
    qint64 size = 0;                           ///< Bytes; 0 when the file is not there.
    std::shared_ptr<const CheckReport> report; ///< Shared with the other thread: a large table is not copied.
    std::optional<Error> error;                ///< The file cannot be read.
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::RankTableLook)
