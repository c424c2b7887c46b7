#pragma once

#include "base/strongnumber.h"

#include <QDateTime>

#include <array>
#include <optional>

namespace rankdeck
{

/// Severity that a line states, from harmless to worst. None: it states none.
enum class LogSeverity : quint8 { None, Debug, Info, Warning, Error, Critical };

/// A time stamp as it stands in a log: µs since 1970-01-01 00:00 of the node's local time. Logs do not name
/// their zone, so stamps of nodes in different zones cannot be compared.
using LogTime = StrongNumber<struct LogTimeTag, qint64>;

/// Returns the stamp that a program on this machine would write at this moment.
LogTime logTimeOf(const QDateTime &moment);

/// The head of a line: what stands before its text.
struct LogLineHead {
    /// A part, in bytes, that differs between ranks that print the same: stamp, pid, thread, device, rank.
    struct Part {
        quint16 begin;
        quint16 size;
    };

    /// A stamp that has no year, as torch's C++ log and vLLM write it.
    struct YearlessTime {
        int month;           ///< 1 .. 12
        int day;             ///< 1 .. 31
        qint64 microseconds; ///< Microseconds since midnight.
    };

    LogSeverity severity = LogSeverity::None;
    std::optional<LogTime> time;
    std::optional<YearlessTime> yearless;
    qint64 pid = 0;   ///< 0: not given.
    quint16 size = 0; ///< Bytes before the text of the line, with the place in the source and one blank.
    std::array<Part, 6> ownParts{};
    int ownCount = 0;

    /// Returns false for a line that seems to continue the one before it.
    bool saysAnything() const { return severity != LogSeverity::None || time; }
    /// Returns its stamp; one without a year is in the last year in which it is not a day after `reference`.
    std::optional<LogTime> timeBefore(LogTime reference) const;
};

/// Reads the head of a line, in its first 512 bytes. Understands MindSpore GLOG, CANN slog and plog,
/// torch_npu, glog, Python logging in the formats in use, Ray, vLLM, torch's C++ log and Python's warnings,
/// also behind the rank in brackets that torch writes. Allocates no memory. Source: GLOG_v and
/// MS_SUBMODULE_LOG_v of MindSpore, the CANN log reference, torch_npu's error codes, the loggers of these
/// programs.
LogLineHead readLogLineHead(QByteArrayView line);

/// Returns the line without the parts that differ between ranks that print the same, and without its pid.
QByteArray textOfAllRanks(QByteArrayView line, const LogLineHead &head);

/// Returns the size of the rank that torch writes before a line, "[rank3]: ", in bytes.
qsizetype rankPrefixSize(QByteArrayView line);

/// Reads the lines of one log in their order. A line without a head has the severity and time of the line
/// before it; a Python traceback is an error up to the line that names the exception. A stamp without a year
/// gets the last year in which it is not after the last full stamp, else not after the present.
class LogLineReader
{
public:
    explicit LogLineReader(LogTime present = logTimeOf(QDateTime::currentDateTime()))
        : m_reference(present)
    {
    }

    /// Where the severity of a line comes from.
    enum class Source : quint8 {
        LineBefore,     ///< Inherited from the last line with a head.
        Head,           ///< Its own head.
        TracebackBegin, ///< It begins a traceback that is not part of the error in the line before.
        Traceback,      ///< It is inside a traceback.
    };
    struct Line {
        LogSeverity severity = LogSeverity::None;
        std::optional<LogTime> time; ///< Nothing before the log's first stamp.
        Source source = Source::LineBefore;

        /// Returns true if an error begins here; a traceback and the line that logged it count as one error.
        bool beginsError() const
        {
            return severity >= LogSeverity::Error &&
                   (source == Source::Head || source == Source::TracebackBegin);
        }
        /// Returns the severity that the line states itself or has from a traceback.
        LogSeverity ownSeverity() const
        {
            return source == Source::LineBefore ? LogSeverity::None : severity;
        }
    };
    Line read(QByteArrayView line);

    /// Passes all that it consists of to `visit`, to be written or read.
    template <typename Visitor>
    void visitParts(Visitor &&visit)
    {
        visit(m_reference, m_last.severity, m_last.time, m_isBehindErrorHead, m_isInTraceback);
    }

private:
    LogTime m_reference; ///< Stamps without a year are not after it.
    Line m_last;         ///< Severity and time for lines without a head.
    bool m_isBehindErrorHead = false;
    bool m_isInTraceback = false;
};

} // namespace rankdeck
