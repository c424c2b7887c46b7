#pragma once

#include "log/loglinehead.h"
#include "log/logtypes.h"

#include <deque>

namespace rankdeck
{

/// Which lines of several logs a view shows, in its order: 8 bytes a line.
class LineIndex
{
public:
    static constexpr int mostLogs = 1 << 12;

    struct Line {
        int log = 0;                              ///< 0 .. mostLogs - 1
        LogSeverity severity = LogSeverity::None; ///< LogLineReader::Line::ownSeverity().
        bool beginsError = false;
        ByteOffset begin; ///< In its file, less than 2^48.
    };

    void append(const Line &line)
    {
        m_lines.push_back(static_cast<quint64>(line.log) << logShift |
                          static_cast<quint64>(line.beginsError) << errorShift |
                          static_cast<quint64>(line.severity) << severityShift |
                          static_cast<quint64>(line.begin.value));
    }
    Line at(qint64 index) const
    {
        const quint64 packed = m_lines[static_cast<std::size_t>(index)];
        return {static_cast<int>(packed >> logShift),
                static_cast<LogSeverity>(packed >> severityShift & severityMask),
                (packed >> errorShift & 1) != 0, ByteOffset(static_cast<qint64>(packed & offsetMask))};
    }
    qint64 size() const { return static_cast<qint64>(m_lines.size()); }
    void clear() { m_lines.clear(); }

private:
    static constexpr int severityShift = 48;
    static constexpr int errorShift = 51;
    static constexpr int logShift = 52;
    static constexpr quint64 severityMask = 7;
    static constexpr quint64 offsetMask = (quint64(1) << severityShift) - 1;

    std::deque<quint64> m_lines;
};

} // namespace rankdeck
