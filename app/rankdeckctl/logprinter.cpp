#include "logprinter.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 bytesATurn = 1024 * 1024;

} // namespace

LogPrinter::LogPrinter(const RunState &state, LogChoice choice)
    : m_choice(std::move(choice))
{
    open(state);
}

void LogPrinter::open(const RunState &state)
{
    m_notes = state.notes.size();
    m_logs = logsToPrint(state, m_choice);
    m_readings.clear();
    for (const PrintedLog &log : m_logs)
        m_readings.push_back({std::make_unique<LogTail>(log.path, log.start), log.start.value});
}

LogTail::Sink LogPrinter::sinkFor(const PrintedLog &log, const RunState &state)
{
    return [this, prefix = log.linePrefix(state, m_choice.prefix)](QByteArrayView line) {
        m_writer.write(prefix, line);
    };
}

bool LogPrinter::readSome(std::size_t index, const LogTail::Sink &sink)
{
    PrintedLog &log = m_logs[index];
    Reading &reading = m_readings[index];
    qint64 most = bytesATurn;
    if (!log.gaps.empty())
        most = std::min(most, log.gaps.front().offset - reading.offset);
    if (most <= 0) {      // Less where the gap is heard of a little late.
        m_writer.flush(); // So that it stands between the right lines.
        log.sayFirstGap();
        return true;
    }
    const qint64 read = reading.tail->readLines(sink, most);
    reading.offset += std::max<qint64>(0, read);
    return read >= most;
}

void LogPrinter::follow(const RunState &state)
{
    while (m_choice.attempt < state.attempt) {
        printRest(state);
        ++m_choice.attempt;
        m_choice.tail = -1;
        open(state);
    }
    if (m_notes != state.notes.size()) {
        m_notes = state.notes.size();
        lookForGaps(m_logs, state, m_choice.attempt);
    }
}

bool LogPrinter::printNew(const RunState &state)
{
    bool more = false;
    for (std::size_t index = 0; index < m_logs.size(); ++index) {
        // Looking after many logs costs the ranks that are being started their time.
        if (state.ranks[static_cast<std::size_t>(m_logs[index].process)].phase == RankPhase::Waiting)
            continue;
        more = readSome(index, sinkFor(m_logs[index], state)) || more;
    }
    m_writer.flush();
    return more;
}

void LogPrinter::printRest(const RunState &state)
{
    for (std::size_t index = 0; index < m_logs.size(); ++index) {
        const LogTail::Sink sink = sinkFor(m_logs[index], state);
        while (readSome(index, sink)) {
        }
        m_readings[index].tail->flushRest(sink);
    }
    m_writer.flush();
}

} // namespace rankdeck
