#pragma once

#include "diagnosis/evidence/logevidence.h"
#include "log/line/filelines.h"

#include <cstring>

namespace rankdeck
{

/// Copies of the beginnings of the last lines: their last stamp dates the next error.
class LastBeginnings
{
public:
    void add(QByteArrayView line)
    {
        Beginning &next = m_lines[m_next++ % m_lines.size()];
        next.size = std::min<qsizetype>(line.size(), bytes);
        std::memcpy(next.text.data(), line.data(), std::size_t(next.size));
    }
    /// @param reference see LogLineHead::timeBefore().
    std::optional<LogTime> time(LogTime reference) const
    {
        for (std::size_t back = 1; back <= std::min(m_next, m_lines.size()); ++back) {
            const Beginning &line = m_lines[(m_next - back) % m_lines.size()];
            const LogLineHead head = readLogLineHead(QByteArrayView(line.text.data(), line.size));
            if (const auto time = head.timeBefore(reference))
                return time;
        }
        return std::nullopt;
    }

private:
    static constexpr qsizetype bytes = 160; ///< More than any stamp is away from where a line begins.
    struct Beginning {
        std::array<char, bytes> text;
        qsizetype size = 0;
    };
    std::array<Beginning, 16> m_lines;
    std::size_t m_next = 0;
};

/// Reads the evidence of one log, or of one rank in a log of several, line by line.
class LogReading
{
public:
    /// Returns when a log without stamps had grown to a size; may be null.
    using TimeOf = std::function<std::optional<LogTime>(ByteOffset)>;
    enum class Owner {
        One,  ///< All lines come from one process: a line after an error shows that it went on.
        Many, ///< The lines come from several processes.
    };

    LogReading(QString path, const ErrorCatalogue &catalogue, const TimeOf &timeOf, Owner owner = Owner::One)
        : m_path(std::move(path))
        , m_catalogue(catalogue)
        , m_timeOf(timeOf)
        , m_owner(owner)
    {
    }

    void take(const ScannedLine &line);
    LogEvidence finish(qint64 lines);
    /// The process has got over its errors so far.
    void goOn();

private:
    LogTime reference() const { return m_evidence.lastTime.value_or(m_present); }
    void takePlain(QByteArrayView text, const LineSigns &signs);
    bool takeTraceLine(QByteArrayView text, const LogLineHead &head, const LineSigns &signs);
    bool takeLoggedTrace(QByteArrayView message, const LineSigns &signs);
    void beginTrace(QByteArrayView text);
    void endTrace();
    bool tellsError(QByteArrayView text, const LogLineHead &head, const LineSigns &signs) const;
    void addError(QByteArrayView text, const ErrorEntry *entry, bool isWarning = false);
    void takeCalmLine(QByteArrayView text, const LogLineHead &head);

    QString m_path;
    const ErrorCatalogue &m_catalogue;
    const TimeOf &m_timeOf;
    Owner m_owner;
    LogTime m_present = logTimeOf(QDateTime::currentDateTime());
    LogEvidence m_evidence;
    ScannedLine m_line;
    LastBeginnings m_passed; ///< Beginnings of lines without other information.
    std::optional<PythonTrace> m_trace;
    bool m_isLogged = false; ///< Each line of the trace has the head of a logger.
    bool m_isBox = false;    ///< The line before was one of a box; see isBoxed().
    int m_traceLines = 0;
    int m_troubleLines = 0;
    int m_progress = 0;
    int m_calm = 0;
};

} // namespace rankdeck
