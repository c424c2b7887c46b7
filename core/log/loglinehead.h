#pragma once

#include "strongnumber.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QDateTime>
#include <QString>

#include <array>
#include <optional>

namespace rankdeck
{

/// How bad a program says a line is, from harmless to worst. None: it does not say.
enum class LogSeverity : quint8 { None, Debug, Info, Warning, Error, Critical };

/// A time stamp as it stands in a log: µs since 1970-01-01 00:00 of the node's local time. Logs do not name
/// their zone, so stamps of nodes in different zones cannot be compared.
using LogTime = StrongNumber<struct LogTimeTag, qint64>;

/// The same moment as a program on this machine would stamp it.
LogTime logTimeOf(const QDateTime &moment);

/// What a line says of itself before its text.
struct LogLineHead {
    /// Bytes of the line that differ between ranks which say the same: stamp, pid, thread, device, rank.
    struct Part {
        quint16 begin;
        quint16 size;
    };

    /// A stamp that has no year, as torch's C++ log and vLLM write it.
    struct YearlessTime {
        int month;           ///< 1 .. 12
        int day;             ///< 1 .. 31
        qint64 microseconds; ///< Of the day.
    };

    LogSeverity severity = LogSeverity::None;
    std::optional<LogTime> time;
    std::optional<YearlessTime> yearless;
    qint64 pid = 0; ///< 0: not given.
    std::array<Part, 6> ownParts{};
    int ownCount = 0;

    /// False for a line that continues the one before it, as far as can be told.
    bool saysAnything() const { return severity != LogSeverity::None || time; }
};

/// Read the head of a line, in its first 512 bytes. Understood: MindSpore GLOG, CANN slog and plog,
/// torch_npu, Python logging in the formats in use, torch's C++ log, Python's warnings; after a rank in
/// brackets as torch writes it. A stamp without a year is none. No memory is allocated. Source: GLOG_v and
/// MS_SUBMODULE_LOG_v of MindSpore, the CANN log reference, torch_npu's error codes.
LogLineHead readLogLineHead(QByteArrayView line);

/// The line without what differs between ranks that say the same, its pid anywhere in the line included.
QByteArray textOfAllRanks(QByteArrayView line, const LogLineHead &head);

/// How much of a line is the rank that torch writes before it: "[rank3]: ", bytes.
qsizetype rankPrefixSize(QByteArrayView line);

} // namespace rankdeck
