#pragma once

#include "run/terminal.h"

#include <QByteArray>
#include <QList>
#include <QMetaType>

#include <optional>

namespace rankdeck
{

/// What a client types into the terminals of a run's processes, or how large it shows them.
struct TerminalInput {
    /// Of one line to a supervisor; more is sent in several.
    static constexpr qsizetype mostBytes = 1024;

    QList<int> processes; ///< By index in LaunchPlan::processes, ascending; those without a terminal are
                          ///< passed over.
    QByteArray bytes;     ///< As the keys send them: "where\r".
    std::optional<TerminalSize> size;

    /// "type 0-3,7 BASE64", at most mostBytes of `bytes`, or "size 3 24x80".
    QByteArray toLine() const;
    /// Nothing for another line.
    static std::optional<TerminalInput> fromLine(const QByteArray &line);

    bool operator==(const TerminalInput &) const = default;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::TerminalInput)
