#include "logprinter.h"

#include "launch/attempt.h"
#include "log/lastlines.h"
#include "output.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>

namespace rankdeck
{

namespace
{

constexpr qint64 bytesATurn = 1024 * 1024;
constexpr qsizetype flushBytes = 256 * 1024;

} // namespace

LogPrinter::LogPrinter(const RunState &state, std::vector<int> processes, Prefix prefix, int tail,
                       std::optional<Streams> streams, int attempt)
    : m_processes(std::move(processes))
    , m_prefix(prefix)
    , m_streams(streams)
    , m_attempt(attempt)
{
    open(state, tail);
}

void LogPrinter::open(const RunState &state, int tail)
{
    m_logs.clear();
    const LaunchPlan plan = forAttempt(*state.recordedPlan, m_attempt);
    for (const int index : m_processes) {
        const ProcessPlan &process = plan.processes[static_cast<std::size_t>(index)];
        const Streams wanted = m_streams.value_or(process.console);
        const bool isOneFile = process.stderrFile.isEmpty();
        if (contains(wanted, Streams::Out) || (isOneFile && wanted != Streams::None))
            add(index, process, false, tail);
        if (!isOneFile && contains(wanted, Streams::Error))
            add(index, process, true, tail);
    }
    lookForGaps(state);
    for (Log &log : m_logs)
        std::erase_if(log.gaps, [&](const LogGap &gap) { return gap.offset < log.offset; });
}

void LogPrinter::add(int index, const ProcessPlan &process, bool isError, int tail)
{
    const QString &path = isError ? process.stderrFile : process.logFile;
    const ByteOffset start = tail < 0 ? ByteOffset() : offsetOfLastLines(path, tail);
    m_logs.push_back({index,
                      process.consolePrefix.toUtf8(),
                      process.label().toUtf8(),
                      std::make_unique<LogTail>(path, start),
                      isError,
                      {},
                      0,
                      start.value});
}

void LogPrinter::lookForGaps(const RunState &state)
{
    m_notes = state.notes.size();
    const QString growth = growthFolder(state.directory, *state.recordedPlan, m_attempt);
    for (Log &log : m_logs) {
        const std::vector<LogGap> gaps = logGaps(growth, log.process, log.isError);
        for (; log.knownGaps < gaps.size(); ++log.knownGaps)
            log.gaps.push_back(gaps[log.knownGaps]);
    }
}

LogTail::Sink LogPrinter::sinkFor(const Log &log, const RunState &state)
{
    QByteArray prefix;
    if (m_prefix == Prefix::Label && !log.prefix.isEmpty()) {
        prefix = log.prefix;
    } else if (m_prefix == Prefix::Label) {
        const qint64 pid = state.ranks[static_cast<std::size_t>(log.process)].pid;
        prefix = log.label + " (pid: " + QByteArray::number(pid) + "): ";
    }
    return [this, prefix](QByteArrayView line) {
        m_buffer.append(prefix).append(line.data(), line.size()).append('\n');
        if (m_buffer.size() >= flushBytes)
            flush();
    };
}

bool LogPrinter::readSome(Log &log, const LogTail::Sink &sink)
{
    qint64 most = bytesATurn;
    if (!log.gaps.empty())
        most = std::min(most, log.gaps.front().offset - log.offset);
    if (most <= 0) { // Less where the gap is heard of a little late.
        flush();     // So that it stands between the right lines.
        say(QCoreApplication::translate("LogPrinter",
                                        "%1: lines may be missing here, the disk was full at %2.")
                .arg(QString::fromUtf8(log.label),
                     log.gaps.front().since.toLocalTime().toString(QStringLiteral("HH:mm:ss"))));
        log.gaps.erase(log.gaps.begin());
        return true;
    }
    const qint64 read = log.tail->readLines(sink, most);
    log.offset += std::max<qint64>(0, read);
    return read >= most;
}

void LogPrinter::follow(const RunState &state)
{
    while (m_attempt < state.attempt) {
        printRest(state);
        ++m_attempt;
        open(state, -1);
    }
    if (m_notes != state.notes.size())
        lookForGaps(state);
}

bool LogPrinter::printNew(const RunState &state)
{
    bool more = false;
    for (Log &log : m_logs) {
        // Looking after many logs costs the ranks that are being started their time.
        if (state.ranks[static_cast<std::size_t>(log.process)].phase == RankPhase::Waiting)
            continue;
        more = readSome(log, sinkFor(log, state)) || more;
    }
    flush();
    return more;
}

void LogPrinter::printRest(const RunState &state)
{
    for (Log &log : m_logs) {
        const LogTail::Sink sink = sinkFor(log, state);
        while (readSome(log, sink)) {
        }
        log.tail->flushRest(sink);
    }
    flush();
}

void LogPrinter::flush()
{
    std::fwrite(m_buffer.constData(), 1, static_cast<size_t>(m_buffer.size()), stdout);
    std::fflush(stdout);
    m_buffer.clear();
}

} // namespace rankdeck
