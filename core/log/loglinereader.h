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

    struct Line {
        LogSeverity severity = LogSeverity::None;
        std::optional<LogTime> time; ///< Nothing before the log's first stamp.
    };
    Line read(QByteArrayView line);

private:
    LogTime m_reference; ///< Stamps without a year are not after it.
    Line m_last;
    bool m_isInTraceback = false;
};

} // namespace rankdeck
