#pragma once

#include "log/loglinehead.h"

namespace rankdeck
{

/// Reads the lines of one log in their order: a line without a head has severity and time of the one before
/// it, and a traceback of Python is an error up to the line that names the exception. A stamp without a year
/// is in the last one in which it is not after the log's last whole stamp, or, where there is none, the
/// present.
class LogLineReader
{
public:
    explicit LogLineReader(LogTime present = logTimeOf(QDateTime::currentDateTime()))
        : m_reference(present)
    {
    }

    /// What tells a line's severity.
    enum class Source : quint8 {
        LineBefore,     ///< Nothing in it: it has that of the last line with a head.
        Head,           ///< Itself.
        TracebackBegin, ///< It begins a traceback, not that of the error in the line before.
        Traceback,      ///< It is in a traceback.
    };
    struct Line {
        LogSeverity severity = LogSeverity::None;
        std::optional<LogTime> time; ///< Nothing before the log's first stamp.
        Source source = Source::LineBefore;

        /// Whether an error begins here, a traceback and what logged it being one.
        bool beginsError() const
        {
            return severity >= LogSeverity::Error &&
                   (source == Source::Head || source == Source::TracebackBegin);
        }
        /// Severity as far as the line has it of its own or is in a traceback.
        LogSeverity ownSeverity() const
        {
            return source == Source::LineBefore ? LogSeverity::None : severity;
        }
    };
    Line read(QByteArrayView line);

private:
    LogTime m_reference; ///< Stamps without a year are not after it.
    Line m_last;         ///< What lines that say nothing inherit.
    bool m_isBehindErrorHead = false;
    bool m_isInTraceback = false;
};

} // namespace rankdeck
