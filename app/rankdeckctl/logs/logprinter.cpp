#include "rankdeckctl/logs/logprinter.h"

#include "base/times.h"
#include "diagnosis/failure/growthclock.h"
#include "launch/plan/attempt.h"
#include "log/line/filelines.h"
#include "rankdeckctl/console/output.h"
#include "run/record/runstate.h"

#include <set>

namespace rankdeck
{

constexpr qsizetype blockBytes = 256 * 1024;
constexpr QByteArrayView reset("\x1b[0m");

/// SGR by severity; empty for the default look.
constexpr std::array<QByteArrayView, 6> looks{"", "2", "", "33", "31", "1;31"};
constexpr qint64 bytesATurn = 1024 * 1024;

/// Returns the moment at which a program on this machine writes this stamp.
static QDateTime momentOf(LogTime stamp)
{
    const QDateTime local = utcTime(stamp.value / 1000);
    return {local.date(), local.time()};
}

LineWriter::LineWriter(int descriptor, bool isRaw)
    : m_block(new char[blockBytes])
    , m_capacity(blockBytes)
    , m_descriptor(descriptor)
    , m_isGuarded(!isRaw && isatty(descriptor) != 0)
{
}

char *LineWriter::append(char *end, QByteArrayView bytes)
{
    return std::copy(bytes.begin(), bytes.end(), end);
}

void LineWriter::makeRoom(qsizetype size)
{
    flush();
    if (size <= m_capacity)
        return;
    m_block.reset(new char[std::size_t(size)]);
    m_capacity = size;
}

void LineWriter::writeColored(QByteArrayView prefix, QByteArrayView sgr, QByteArrayView line,
                              LogSeverity severity)
{
    const QByteArray guarded = m_isGuarded ? terminalText(line) : QByteArray();
    if (m_isGuarded)
        line = guarded;
    const bool hasOwnColors = line.contains('\x1b');
    const QByteArrayView look = hasOwnColors ? QByteArrayView() : looks[std::size_t(severity)];
    constexpr qsizetype longestEscapes = 64;
    char *const begin = roomFor(prefix.size() + line.size() + longestEscapes);
    char *end = begin;
    const auto colored = [&](QByteArrayView text, QByteArrayView how) {
        if (!how.isEmpty() && !text.isEmpty())
            end = append(append(append(end, "\x1b["), how), "m");
        end = append(end, text);
        if (!how.isEmpty() && !text.isEmpty())
            end = append(end, reset);
    };
    colored(prefix, sgr);
    colored(line, look);
    if (hasOwnColors)
        end = append(end, reset);
    *end++ = '\n';
    m_size += end - begin;
}

void LineWriter::writeGuarded(QByteArrayView prefix, QByteArrayView line)
{
    QByteArray shown = terminalText(prefix) + terminalText(line);
    if (shown.contains('\x1b') && !shown.endsWith(reset))
        shown += reset; // A colour ends with its line.
    shown += '\n';
    append(roomFor(shown.size()), shown);
    m_size += shown.size();
}

void LineWriter::flush()
{
    printBytes({m_block.get(), std::exchange(m_size, 0)}, m_descriptor);
}

bool usesColor(const QString &choice)
{
    if (choice != "auto"_L1)
        return choice == "always"_L1;
    return isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR") &&
           !qEnvironmentVariableIsEmpty("TERM") && qgetenv("TERM") != "dumb";
}

QByteArray PrintedLog::linePrefix(const RunState &state, LogPrefix kind) const
{
    if (kind == LogPrefix::None || !prefix.isEmpty())
        return kind == LogPrefix::None ? QByteArray() : prefix;
    const qint64 pid = state.ranks[std::size_t(process)].pid;
    if (pid <= 0) // Not known of a directory of logs.
        return label + ": ";
    return label + " (pid: " + QByteArray::number(pid) + "): ";
}

void PrintedLog::sayFirstGap()
{
    say(tr("%1: lines may be missing here, the disk was full at %2.")
            .arg(QString::fromUtf8(label), gaps.front().since.toLocalTime().toString(u"HH:mm:ss"_s)));
    gaps.erase(gaps.begin());
}

void PrintedLogs::findLogs(const RunState &state)
{
    m_logs.clear();
    m_notes = state.notes.size();
    const LaunchPlan plan = forAttempt(*state.recordedPlan, m_choice.attempt);
    for (const int index : m_choice.processes) {
        const ProcessPlan &process = plan.processes[std::size_t(index)];
        const auto add = [&](bool isError) {
            const QString &path = isError ? process.stderrFile : process.logFile;
            const ByteOffset start =
                m_choice.tail < 0 ? ByteOffset() : offsetOfLastLines(path, m_choice.tail);
            m_logs.push_back(
                {index, isError, path, process.consolePrefix.toUtf8(), process.label().toUtf8(), start});
        };
        const Streams wanted = m_choice.streams.value_or(process.console);
        const bool isOneFile = process.stderrFile.isEmpty();
        if (contains(wanted, Streams::Out) || (isOneFile && wanted != Streams::None))
            add(false);
        if (!isOneFile && contains(wanted, Streams::Error))
            add(true);
    }
    findGaps(state);
    for (PrintedLog &log : m_logs)
        std::erase_if(log.gaps, [&](const LogGap &gap) { return gap.offset < log.start.value; });
}

void PrintedLogs::findGaps(const RunState &state)
{
    const QString growth = growthFolder(state.directory, *state.recordedPlan, m_choice.attempt);
    for (PrintedLog &log : m_logs) {
        const std::vector<LogGap> gaps = logGaps(growth, log.process, log.isError);
        for (; log.knownGaps < gaps.size(); ++log.knownGaps)
            log.gaps.push_back(gaps[log.knownGaps]);
    }
}

void PrintedLogs::follow(const RunState &state)
{
    while (m_choice.attempt < state.attempt) {
        printRest(state);
        ++m_choice.attempt;
        m_choice.tail = -1;
        open(state);
    }
    if (m_notes != state.notes.size()) {
        m_notes = state.notes.size();
        findGaps(state);
    }
}

LogPrinter::LogPrinter(const RunState &state, const LogsToPrint &choice)
    : PrintedLogs(choice)
    , m_errors(STDERR_FILENO, choice.isRaw)
{
    open(state);
}

void LogPrinter::open(const RunState &state)
{
    findLogs(state);
    m_readings.clear();
    for (const PrintedLog &log : m_logs)
        m_readings.push_back({std::make_unique<LogTail>(log.path, log.start), log.start.value});
}

LogTail::Sink LogPrinter::sinkFor(const PrintedLog &log, const RunState &state)
{
    LineWriter &writer = log.isError && m_choice.hasErrorsApart ? m_errors : m_writer;
    return [&writer, prefix = log.linePrefix(state, m_choice.prefix)](QByteArrayView line) {
        writer.write(prefix, line);
    };
}

void LogPrinter::flush()
{
    m_writer.flush();
    m_errors.flush();
}

bool LogPrinter::readSome(std::size_t index, const LogTail::Sink &sink)
{
    PrintedLog &log = m_logs[index];
    Reading &reading = m_readings[index];
    qint64 most = bytesATurn;
    if (!log.gaps.empty())
        most = std::min(most, log.gaps.front().offset - reading.offset);
    if (most <= 0) { // Less where the gap is heard of a little late.
        flush();     // Keeps the message between the right lines.
        log.sayFirstGap();
        return true;
    }
    const qint64 read = reading.tail->readLines(sink, most);
    reading.offset += std::max<qint64>(0, read);
    return read >= most;
}

bool LogPrinter::printNew(const RunState &state)
{
    bool more = false;
    for (std::size_t index = 0; index < m_logs.size(); ++index) {
        // Looking after many logs costs the ranks that are being started their time.
        if (state.ranks[std::size_t(m_logs[index].process)].phase == RankPhase::Waiting)
            continue;
        more = readSome(index, sinkFor(m_logs[index], state)) || more;
    }
    flush();
    return more;
}

void LogPrinter::printRest(const RunState &state)
{
    for (std::size_t index = 0; index < m_logs.size(); ++index) {
        const LogTail::Sink sink = sinkFor(m_logs[index], state);
        while (canPrint() && readSome(index, sink)) {
        }
        m_readings[index].tail->flushRest(sink);
    }
    flush();
}

LogViewer::LogViewer(const RunState &state, LogsToPrint choice, ViewOptions view)
    : PrintedLogs(std::move(choice))
    , m_view(std::move(view))
{
    open(state);
}

void LogViewer::open(const RunState &state)
{
    findLogs(state);
    m_plan = state.recordedPlan;
    std::set<int> ranks;
    for (const PrintedLog &log : m_logs) {
        const ProcessPlan &process = m_plan->processes[std::size_t(log.process)];
        if (process.role == Role::Worker)
            ranks.insert(process.rank.value);
    }
    m_ranks.assign(ranks.begin(), ranks.end());
    m_members.clear();
    m_merges.clear();
    const QString growth = growthFolder(state.directory, *state.recordedPlan, m_choice.attempt);
    for (const PrintedLog &log : m_logs) {
        const ProcessPlan &process = m_plan->processes[std::size_t(log.process)];
        const auto place = std::ranges::lower_bound(m_ranks, process.rank.value);
        m_members.push_back(process.role == Role::Worker ? int(place - m_ranks.begin()) : LogFold::alone);
        if (m_merges.empty() || !m_view.isMerged)
            m_merges.push_back(std::make_unique<LogMerge>());
        m_merges.back()->add(log.path, log.start, growthClock(marksFile(growth, log.process, log.isError)));
    }
    if (m_view.isFolded)
        m_fold.emplace(int(m_ranks.size()), [this](const LogFold::Line &line) {
            print(line.log, line.members, line.text, line.said);
        });
}

void LogViewer::addLine(const LogMerge::Line &line, std::size_t firstLog)
{
    const std::size_t log = firstLog + std::size_t(line.log);
    while (!m_logs[log].gaps.empty() && m_logs[log].gaps.front().offset <= line.begin.value) {
        if (m_fold)
            m_fold->passRest();
        m_writer.flush(); // Keeps the message between the right lines.
        m_logs[log].sayFirstGap();
    }
    if (!m_view.filter.wants(line.text, line.said))
        return;
    const int member = m_members[log];
    if (m_fold)
        m_fold->add(line, member, m_now);
    else
        print(int(log), {member}, line.text, line.said);
}

void LogViewer::print(int log, const std::vector<int> &members, QByteArrayView text,
                      const LogLineReader::Line &said)
{
    if (m_view.isJson) {
        m_writer.write({}, jsonOf(m_logs[std::size_t(log)], members, text, said));
        return;
    }
    QByteArray prefix = m_prefixes[std::size_t(log)];
    if (m_fold && members.front() != LogFold::alone && m_choice.prefix == LogPrefix::Label) {
        std::vector<int> ranks;
        for (const int member : members)
            ranks.push_back(m_ranks[std::size_t(member)]);
        prefix = rankWords(ranks, m_ranks).text().toUtf8() + ": ";
    }
    if (!m_view.isColored) {
        m_writer.write(prefix, text);
        return;
    }
    m_writer.writeColored(prefix, members.size() > 1 ? severalRanksColor : rankColor(members.front()), text,
                          said.severity);
}

QByteArray LogViewer::jsonOf(const PrintedLog &log, const std::vector<int> &members, QByteArrayView text,
                             const LogLineReader::Line &said) const
{
    constexpr std::array levels{"", "debug", "info", "warning", "error", "critical"};
    const ProcessPlan &process = m_plan->processes[std::size_t(log.process)];
    const char *const stream = log.isError ? "stderr" : process.stderrFile.isEmpty() ? "both" : "stdout";
    const bool hasLevel = said.severity != LogSeverity::None;
    JsonText json{{"role", roleWord(process.role)},
                  {"stream", stream},
                  {"level", hasLevel ? JsonText(levels[std::size_t(said.severity)]) : JsonText()},
                  {"time", said.time ? JsonText(jsonTime(momentOf(*said.time))) : JsonText()},
                  {"text", QString::fromUtf8(text)}};
    if (!m_fold) {
        insertRank(json, process);
    } else {
        QList<int> ranks;
        for (const int member : members) {
            if (member != LogFold::alone)
                ranks << m_ranks[std::size_t(member)];
        }
        json.insert("ranks", ranks);
    }
    return jsonLine(json);
}

void LogViewer::findPrefixes(const RunState &state)
{
    m_prefixes.clear();
    for (const PrintedLog &log : m_logs)
        m_prefixes.push_back(log.linePrefix(state, m_choice.prefix));
}

bool LogViewer::printNew(const RunState &state)
{
    m_now = LogMerge::now();
    findPrefixes(state);
    bool more = false;
    for (std::size_t merge = 0; merge < m_merges.size(); ++merge)
        more =
            m_merges[merge]->take([&](const LogMerge::Line &line) { addLine(line, merge); }, m_now) || more;
    if (m_fold)
        m_fold->passOn(m_now);
    m_writer.flush();
    return more;
}

void LogViewer::printRest(const RunState &state)
{
    m_now = LogMerge::now();
    findPrefixes(state);
    for (std::size_t merge = 0; merge < m_merges.size(); ++merge)
        m_merges[merge]->takeRest([&](const LogMerge::Line &line) { addLine(line, merge); });
    if (m_fold)
        m_fold->passRest();
    m_writer.flush();
    for (PrintedLog &log : m_logs) {
        while (!log.gaps.empty())
            log.sayFirstGap();
    }
}

} // namespace rankdeck
