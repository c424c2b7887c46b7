#pragma once

#include "diagnosis/catalogue/errorentry.h"
#include "diagnosis/verdict/namedpeers.h"
#include "log/loglinehead.h"
#include "log/logtypes.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// A line of a log that tells of an error.
struct ErrorLine {
    static constexpr int mostText = 500;

    QString file;
    LineNumber line;
    QString text;                ///< Plain, at most mostText characters.
    std::optional<LogTime> time; ///< Its own, or that of the last line before it that has one.
    QString entryId;             ///< Of the catalogue; empty when no entry matches.
    int weight = 0;              ///< Of that entry.
    ErrorEntry::Blame blame = ErrorEntry::Blame::Nobody;
    bool isWarning = false; ///< The line calls itself one: it tells of trouble, perhaps not of its end.
    NamedPeers peers;
    /// How many collective operations the rank had begun, where a watchdog says so.
    std::optional<qint64> operation;
    QString operationName; ///< Of the collective operation it is about, "AllReduce"; empty when not told.
};

} // namespace rankdeck
