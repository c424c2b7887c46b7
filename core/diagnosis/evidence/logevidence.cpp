#include "diagnosis/evidence/logevidence.h"

#include "diagnosis/evidence/logreading.h"
#include "log/line/ansidecoder.h"
#include "log/line/rankprefix.h"

#include <QFile>

#include <re2/re2.h>

namespace rankdeck
{

static re2::StringPiece pieceOf(std::string_view text)
{
    return {text.data(), text.size()};
}

/// Reads the last stamp from the end of the log.
static void readLastTime(QFile &file, LogEvidence &evidence)
{
    constexpr qint64 endBytes = 64 * 1024;
    if (!file.seek(std::max<qint64>(0, file.size() - endBytes)))
        return;
    const auto scanned = scanLines(file, [&](const ScannedLine &line) {
        const LogTime reference = evidence.lastTime.value_or(logTimeOf(QDateTime::currentDateTime()));
        if (const auto time = readLogLineHead(line.text).timeBefore(reference))
            evidence.lastTime = time;
        return true;
    });
    static_cast<void>(scanned); // The part that could not be read has no stamp.
}

bool tellsOfOthers(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)time[sd]?[- ]?out|timeout|connection (?:was )?(?:reset|closed|refused|lost)|"
        "broken pipe|got signal: ?(?:15|2)\\b|超时|连接断开");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsOfBeingEnded(std::string_view text)
{
    static const re2::RE2 form(
        "main process disappeared|is killed by signal: Terminated|can only test a child process|"
        "No such file or directory: '/tmp/pymp-|ActorDiedError|leaked (?:semaphore|shared_memory) objects|"
        "Pyspy failed to dump");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsOfBeingEnded(const PythonTrace &trace, std::string_view exception)
{
    static const re2::RE2 form("^(?:EOFError|BrokenPipeError|Connection(?:Reset|Refused|Aborted)Error)\\b");
    if (tellsOfBeingEnded(exception))
        return true;
    const auto innermost = std::find_if(trace.lines.rbegin(), trace.lines.rend(),
                                        [](const QString &line) { return line.startsWith("  File \""_L1); });
    return innermost != trace.lines.rend() && innermost->contains("/multiprocessing/"_L1) &&
           re2::RE2::PartialMatch(pieceOf(exception), form);
}

bool tellsOfOtherProcesses(std::string_view text)
{
    static const re2::RE2 form(
        "ChildFailedError|\\bSignalException: Process \\d+ got signal|subprocess\\.CalledProcessError|"
        "ProcessExitedException|Distributed job exited with exception|"
        "multiprocessing\\.(?:api|errors)[.:\\]].{0,20}failed \\(exitcode");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsProgress(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)\\b(?:step|iter(?:ation)?|epoch|loss)\\b['\"]?\\s*[:=\\[( ]+\\s*\\d|\\d(?:s/it|it/s)\\b");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsOfGoingOn(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)(?:[,;.] ?|will be |is |are )(?:skip(?:ping|ped)?|ignor(?:ing|ed)|falling back|fall back)\\b");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool beginsLikeError(std::string_view text)
{
    static const re2::RE2 form("^\\s*(?:[\\w.]*(?:Error|Exception|ERROR|EXCEPTION)\\b|错误|异常)");
    // The error follows such a head.
    static const re2::RE2 head("^\\s*(?:Exception (?:in thread|ignored)|raise |异常调用栈)");
    return re2::RE2::PartialMatch(pieceOf(text), form) && !re2::RE2::PartialMatch(pieceOf(text), head);
}

bool isExceptionLine(std::string_view text)
{
    static const re2::RE2 form("^[A-Za-z_][\\w.]*(?::|$)");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

std::optional<QByteArray> firstGroup(std::string_view text, const re2::RE2 &form)
{
    std::array<re2::StringPiece, 3> groups;
    std::array<re2::RE2::Arg, 3> arguments{&groups[0], &groups[1], &groups[2]};
    std::array<const re2::RE2::Arg *, 3> pointers{&arguments[0], &arguments[1], &arguments[2]};
    const int count = std::min(form.NumberOfCapturingGroups(), int(groups.size()));
    if (!re2::RE2::PartialMatchN(pieceOf(text), form, pointers.data(), count))
        return std::nullopt;
    const auto found = std::ranges::find_if(groups, [](const auto &group) { return !group.empty(); });
    if (found == groups.end())
        return std::nullopt;
    return QByteArray(found->data(), qsizetype(found->size())).trimmed();
}

std::optional<qint64> firstNumber(std::string_view text, const re2::RE2 &form)
{
    const auto found = firstGroup(text, form);
    bool isNumber = false;
    const qint64 number = found ? found->toLongLong(&isNumber) : 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

void RankFacts::take(std::string_view line)
{
    static const re2::RE2 entry("Entry-Hccl.*\\brank\\[(\\d{1,7})\\]");
    static const re2::RE2 connect("HCCL_CONNECT_TIMEOUT set.*\\bto \\[(\\d{1,7})\\]");
    static const re2::RE2 physical(
        "Entry-Hccl.*\\bdevice(?:Logic|Phy)Id\\[(\\d{1,5})\\]|tdt result = -?\\d+, device is (\\d{1,5})");
    static const re2::RE2 world("Entry-Hccl.*\\branks\\[(\\d{1,6})\\]|alive node num: \\(\\d+/(\\d{1,6})\\)");
    static const re2::RE2 root("rootinfo: host ip\\[([^\\]]{1,64})\\]");
    static const re2::RE2 own(
        "LocalRank Key Info.*hostIp\\[([^\\]]{1,64})\\]|localInfo\\{server\\[([^\\]]{1,64})\\]|"
        "(?i:Local information: ?server ([^,]{1,64}),)");
    static const re2::RE2 said("(?i)(?:^|[^a-z_])world[ _]size['\"]?\\s*[:=]\\s*['\"]?(\\d{1,6})\\b|"
                               "\\b\\d{1,6}/(\\d{1,6}) clients joined|"
                               "\\brank[: ]{1,2}\\d{1,6}/(\\d{1,6})\\b");
    static const re2::RE2 sizes("\\bprocess \\d{1,6} of (\\d{1,6})\\b|\\btp_size=(\\d{1,6})\\b");
    static const re2::RE2 alone("distributed training: False");
    const auto learn = [&](const re2::RE2 &form, std::optional<int> &target) {
        if (const auto number = firstNumber(line, form))
            target = int(*number);
    };
    learn(entry, rank);
    learn(physical, device);
    learn(connect, connectTimeout);
    if (re2::RE2::PartialMatch(pieceOf(line), alone))
        worldSize = std::max(worldSize.value_or(1), 1);
    for (const re2::RE2 *form : {&world, &said, &sizes}) {
        if (const auto ranks = firstNumber(line, *form))
            worldSize = std::max(worldSize.value_or(0), int(*ranks));
    }
    rootServer = firstGroup(line, root).value_or(rootServer);
    server = firstGroup(line, own).value_or(server);
}

/// Hands on the lines of an open file, to its end or until isCancelled() returns true. Returns how many.
static Result<qint64> scanUntil(const std::function<bool()> &isCancelled, QFile &file, auto &&take)
{
    constexpr qint64 linesBetweenQuestions = 4096;
    const auto lines = scanLines(file, [&](const ScannedLine &line) {
        take(line);
        return !isCancelled || line.line.value % linesBetweenQuestions != 0 || !isCancelled();
    });
    return lines ? lines : Error{lines.error().what, file.fileName(), {}};
}

Result<LogEvidence> readEvidence(const QString &path, const ErrorCatalogue &catalogue,
                                 const std::function<std::optional<LogTime>(ByteOffset)> &timeOf,
                                 const std::function<bool()> &isCancelled, ByteOffset begin)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), path, {}};
    LogReading reading(path, catalogue, timeOf);
    const auto lines = scanUntil(isCancelled, file, [&](const ScannedLine &line) {
        if (line.end > begin)
            reading.take(line);
    });
    if (!lines)
        return lines.error();
    LogEvidence evidence = reading.finish(*lines);
    evidence.bytes = file.pos();
    readLastTime(file, evidence);
    return evidence;
}

namespace
{

/// Ranks that one file may speak of: a number before a line may mean anything.
constexpr std::size_t mostRanks = 65536;
constexpr std::size_t mostProcesses = 256;

/// Deals the lines of one file out to the readings of its ranks.
class Dealing
{
public:
    Dealing(const QString &path, const ErrorCatalogue &catalogue, QByteArrayView sample)
        : m_path(path)
        , m_catalogue(catalogue)
        , m_lines(sample)
        , m_rest(path, catalogue, m_noTimes, LogReading::Owner::Many)
    {
    }

    void take(const ScannedLine &scanned);
    ConsoleEvidence finish(qint64 lines);

private:
    LogReading &readingOf(int rank);

    QString m_path;
    const ErrorCatalogue &m_catalogue;
    const LogReading::TimeOf m_noTimes;
    RankLines m_lines;
    LogReading m_rest;
    std::map<int, LogReading> m_ranks;
    std::map<std::string, LogReading> m_processes; ///< Of which only the pid is known, by what stands before.
    LauncherWords m_words;
    int m_failedAttempts = 0;   ///< After which ranks went on.
    LineNumber m_lastAttempt{}; ///< Where they did.
};

void Dealing::take(const ScannedLine &scanned)
{
    const QByteArray plain =
        scanned.text.contains('\x1b') ? AnsiDecoder::plainText(scanned.text).toUtf8() : QByteArray();
    ScannedLine line = scanned;
    if (!plain.isEmpty())
        line.text = plain;
    const auto prefix = m_lines.of(line.text);
    if (prefix)
        line.text = line.text.sliced(prefix->size);
    if (m_words.take(line.text))
        return;
    constexpr QByteArrayView success("worker group successfully finished"); // Of all ranks, says torchrun.
    if (line.text.contains(success)) {
        m_rest.goOn();
        for (auto &[rank, reading] : m_ranks)
            reading.goOn();
        for (auto &[process, reading] : m_processes)
            reading.goOn();
    }
    if (const qsizetype size = prefix ? 0 : RankPrefixes::sizeOfProcess(line.text)) {
        const std::string process(line.text.data(), std::size_t(size));
        line.text = line.text.sliced(size);
        if (m_processes.size() < mostProcesses || m_processes.contains(process)) {
            m_processes.try_emplace(process, m_path, m_catalogue, m_noTimes).first->second.take(line);
            return;
        }
    }
    (prefix ? readingOf(prefix->rank) : m_rest).take(line);
    if (prefix && m_words.failedAttempts() > m_failedAttempts &&
        tellsProgress({line.text.data(), std::size_t(line.text.size())})) {
        m_failedAttempts = m_words.failedAttempts();
        m_lastAttempt = line.line;
    }
}

/// Ranks may have been started again after a failure. What failed before is over, unless their launcher gave
/// up.
static void forgetBefore(LogEvidence &evidence, LineNumber line)
{
    std::erase_if(evidence.errors, [&](const ErrorLine &error) { return error.line < line; });
    std::erase_if(evidence.traces, [&](const PythonTrace &trace) { return trace.line < line; });
}

/// Adds what another process has left in the same log, in the order of its lines.
static void add(LogEvidence &evidence, const LogEvidence &other)
{
    const auto merge = [](auto &into, const auto &from) {
        into.insert(into.end(), from.begin(), from.end());
        std::ranges::stable_sort(into, {}, [](const auto &each) { return each.line; });
    };
    merge(evidence.errors, other.errors);
    merge(evidence.traces, other.traces);
    merge(evidence.survivedErrors, other.survivedErrors);
    merge(evidence.survivedTraces, other.survivedTraces);
    evidence.pids.insert(other.pids.begin(), other.pids.end());
    evidence.facts.worldSize = std::max(evidence.facts.worldSize, other.facts.worldSize);
    evidence.bytes += other.bytes;
    evidence.errorCount += other.errorCount;
    evidence.survived += other.survived;
    evidence.lastTime = std::max(evidence.lastTime, other.lastTime); // Nothing is less than any time.
}

LogReading &Dealing::readingOf(int rank)
{
    const auto known = m_ranks.find(rank);
    if (known != m_ranks.end())
        return known->second;
    if (m_ranks.size() >= mostRanks)
        return m_rest;
    return m_ranks.try_emplace(rank, m_path, m_catalogue, m_noTimes).first->second;
}

ConsoleEvidence Dealing::finish(qint64 lines)
{
    ConsoleEvidence evidence;
    for (auto &[rank, reading] : m_ranks)
        evidence.ranks.emplace(rank, reading.finish(lines));
    evidence.rest = m_rest.finish(lines);
    for (auto &[process, reading] : m_processes)
        add(evidence.rest, reading.finish(lines));
    if (m_failedAttempts > 0 && m_failedAttempts == m_words.failedAttempts()) {
        evidence.failedAttempts = m_failedAttempts;
        for (auto &[rank, reading] : evidence.ranks)
            forgetBefore(reading, m_lastAttempt);
        forgetBefore(evidence.rest, m_lastAttempt);
        m_words = {};
    }
    evidence.words = std::move(m_words);
    return evidence;
}

} // namespace

Result<ConsoleEvidence> readConsole(const QString &path, const ErrorCatalogue &catalogue,
                                    const std::function<bool()> &isCancelled)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), path, {}};
    Dealing dealing(path, catalogue, file.peek(RankPrefixes::sampleBytes));
    const auto lines = scanUntil(isCancelled, file, [&](const ScannedLine &line) { dealing.take(line); });
    return lines ? dealing.finish(*lines) : Result<ConsoleEvidence>(lines.error());
}

} // namespace rankdeck
