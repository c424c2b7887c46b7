#include "diagnosis/evidence/logevidence.h"

#include "base/tr.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"

#include <QFile>

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace rankdeck
{

namespace
{

re2::StringPiece pieceOf(std::string_view text)
{
    return {text.data(), text.size()};
}

constexpr std::size_t mostPids = 8;
constexpr int mostTraces = 2;
/// Limits for lines of one trouble that are searched for peers, and for lines of one trace.
constexpr int mostTroubleLines = 5000;
constexpr int mostTraceLines = 2000;
/// After this many lines of progress, or harmless lines with a head, the program has gone on.
constexpr int provingProgress = 2;
constexpr int provingCalm = 12;
constexpr int linesWithoutStamp = 2000;

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
    std::optional<LogTime> time() const
    {
        for (std::size_t back = 1; back <= std::min(m_next, m_lines.size()); ++back) {
            const Beginning &line = m_lines[(m_next - back) % m_lines.size()];
            if (const auto time = readLogLineHead(QByteArrayView(line.text.data(), line.size)).time)
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

class Reading
{
public:
    Reading(QString path, const LineSigns &signs,
            const std::function<std::optional<LogTime>(ByteOffset)> &timeOf)
        : m_path(std::move(path))
        , m_signs(signs)
        , m_timeOf(timeOf)
    {
    }

    void take(const ScannedLine &line);
    LogEvidence finish(qint64 lines);

private:
    void takePlain(QByteArrayView text, const LineSigns::Signs &signs);
    void readHead(QByteArrayView text);
    bool takeTraceLine(QByteArrayView text, const LogLineHead &head, const LineSigns::Signs &signs);
    void beginTrace(QByteArrayView text);
    void endTrace();
    bool tellsError(QByteArrayView text, const LogLineHead &head, const LineSigns::Signs &signs) const;
    void addError(QByteArrayView text, const ErrorEntry *entry, bool isWarning = false);
    void takeCalmLine(QByteArrayView text, const LogLineHead &head);
    void goOn();

    QString m_path;
    const LineSigns &m_signs;
    const std::function<std::optional<LogTime>(ByteOffset)> &m_timeOf;
    LogEvidence m_evidence;
    ScannedLine m_line;
    LastBeginnings m_passed; ///< Of lines that nothing else was read of.
    std::optional<PythonTrace> m_trace;
    int m_traceLines = 0;
    int m_troubleLines = 0;
    int m_progress = 0;
    int m_calm = 0;
};

void Reading::take(const ScannedLine &line)
{
    m_line = line;
    const QByteArrayView text = line.text;
    const bool isStart = line.line.value < linesWithoutStamp;
    if (!m_trace && m_evidence.errors.empty() && (!isStart || m_evidence.firstTime)) {
        const LineSigns::Signs signs = m_signs.of(viewOf(text));
        if (signs.isNothing() && !text.contains('\x1b')) {
            m_passed.add(text);
            return;
        }
        if (const auto time = m_passed.time())
            m_evidence.lastTime = time;
        m_passed = {};
    }
    if (!text.contains('\x1b')) {
        takePlain(text, m_signs.of(viewOf(text)));
        return;
    }
    // A colour's escape sequence ends in a letter, which hides where the word behind it begins.
    const QByteArray plain = AnsiDecoder::plainText(text).toUtf8();
    takePlain(plain, m_signs.of(viewOf(plain)));
}

void Reading::takePlain(QByteArrayView text, const LineSigns::Signs &lineSigns)
{
    const LogLineHead head = readLogLineHead(text);
    if (head.time) {
        m_evidence.lastTime = head.time;
        if (!m_evidence.firstTime)
            m_evidence.firstTime = head.time;
    }
    if (head.pid > 0 && m_evidence.pids.size() < mostPids)
        m_evidence.pids.insert(head.pid);
    const qsizetype prefix = rankPrefixSize(text);
    const QByteArrayView own = text.sliced(prefix);
    const LineSigns::Signs signs = prefix > 0 ? m_signs.of(viewOf(own)) : lineSigns;
    if (signs.isHcclWord)
        m_evidence.hccl.take(viewOf(own));
    if (m_trace && takeTraceLine(own, head, signs))
        return;
    if (signs.isTracebackHead)
        beginTrace(own);
    else if (tellsError(own, head, signs))
        addError(own, signs.entry, head.severity == LogSeverity::Warning);
    else if (!m_evidence.errors.empty())
        takeCalmLine(own, head);
}

/// Returns true if the line belongs to the trace.
bool Reading::takeTraceLine(QByteArrayView text, const LogLineHead &head, const LineSigns::Signs &signs)
{
    if (head.saysAnything() || ++m_traceLines > mostTraceLines) {
        if (m_traceLines > mostTraceLines || !m_trace->exception.isEmpty())
            endTrace();
        return false; // A thread's own line among them.
    }
    const QString plain = AnsiDecoder::plainText(text.first(std::min<qsizetype>(text.size(), 2000)));
    const bool isDump = plain.contains(QLatin1String("most recent call first):"));
    if (text.isEmpty() || text.front() == ' ' || text.front() == '\t' || isDump) {
        m_trace->add(plain);
        return true;
    }
    const bool isWhole = !m_trace->exception.isEmpty();
    if (!isWhole && !signs.isTracebackHead && isExceptionLine(viewOf(text))) {
        m_trace->add(plain);
        m_trace->exception = plain.left(ErrorLine::mostText);
        endTrace();
        addError(text, signs.entry);
        return true;
    }
    endTrace();
    return false;
}

void Reading::beginTrace(QByteArrayView text)
{
    if (m_trace)
        endTrace();
    m_trace.emplace();
    m_traceLines = 0;
    m_trace->line = m_line.line;
    const QString plain = AnsiDecoder::plainText(text.first(std::min<qsizetype>(text.size(), 2000)));
    m_trace->add(plain);
    if (!plain.startsWith(QLatin1String("Fatal Python error:")))
        return;
    m_trace->exception = plain.left(ErrorLine::mostText);
    addError(text, m_signs.of(viewOf(text)).entry);
}

void Reading::endTrace()
{
    std::vector<PythonTrace> &traces = m_evidence.traces;
    if (traces.size() >= mostTraces)
        traces.pop_back();
    traces.push_back(*std::exchange(m_trace, std::nullopt));
}

bool Reading::tellsError(QByteArrayView text, const LogLineHead &head, const LineSigns::Signs &signs) const
{
    if (head.severity >= LogSeverity::Error)
        return true;
    if (head.severity == LogSeverity::Warning)
        return signs.entry && signs.entry->blame == ErrorEntry::Blame::Peer;
    if (head.severity != LogSeverity::None)
        return false;
    return signs.entry || (signs.isErrorWord && beginsLikeError(viewOf(text)));
}

void Reading::addError(QByteArrayView text, const ErrorEntry *entry, bool isWarning)
{
    static const re2::RE2 tag("\\btag ?\\[([A-Za-z]{3,32})_");
    static const re2::RE2 sequence("\\bSeqNum=(\\d{1,15})");
    const QByteArrayView begin = text.first(std::min<qsizetype>(text.size(), 4096));
    if (tellsOfBeingEnded(viewOf(begin)))
        return;
    ErrorLine error;
    error.file = m_path;
    error.line = m_line.line;
    error.text = AnsiDecoder::plainText(begin).trimmed().left(ErrorLine::mostText);
    error.time = m_evidence.lastTime;
    if (!error.time && m_timeOf)
        error.time = m_timeOf(m_line.end);
    if (entry) {
        error.entryId = entry->id;
        error.weight = entry->weight;
        error.blame = entry->blame;
    }
    if (error.blame == ErrorEntry::Blame::Nobody && tellsOfOthers(viewOf(begin)))
        error.blame = ErrorEntry::Blame::Peer;
    error.isWarning = isWarning;
    error.peers = namedPeers(begin);
    error.operationName = QString::fromUtf8(firstGroup(viewOf(begin), tag).value_or(QByteArray()));
    error.operation = firstNumber(viewOf(begin), sequence);
    std::vector<ErrorLine> &errors = m_evidence.errors;
    if (errors.size() >= LogEvidence::mostErrors)
        errors.erase(errors.begin() + LogEvidence::mostErrors / 2);
    errors.push_back(std::move(error));
    ++m_evidence.errorCount;
    m_progress = 0;
    m_calm = 0;
}

/// Handles a line that is no error: a continuation may name the peer, others may show that the program goes
/// on.
void Reading::takeCalmLine(QByteArrayView text, const LogLineHead &head)
{
    const bool continues = !head.saysAnything();
    if (continues && ++m_troubleLines < mostTroubleLines)
        m_evidence.errors.back().peers.add(namedPeers(text.first(std::min<qsizetype>(text.size(), 4096))));
    if (tellsProgress(viewOf(text)))
        ++m_progress;
    else if (head.severity == LogSeverity::Info || head.severity == LogSeverity::Debug)
        ++m_calm;
    if (m_progress >= provingProgress || m_calm >= provingCalm)
        goOn();
}

void Reading::goOn()
{
    m_evidence.survived += m_evidence.errorCount;
    m_evidence.errorCount = 0;
    m_evidence.errors.clear();
    m_evidence.traces.clear();
    m_troubleLines = 0;
}

LogEvidence Reading::finish(qint64 lines)
{
    if (m_trace)
        endTrace();
    m_evidence.lines = lines;
    return std::move(m_evidence);
}

/// Reads the last stamp from the end of the log.
void readLastTime(QFile &file, LogEvidence &evidence)
{
    constexpr qint64 endBytes = 64 * 1024;
    if (!file.seek(std::max<qint64>(0, file.size() - endBytes)))
        return;
    const auto scanned = scanLines(file, [&](const ScannedLine &line) {
        if (const auto time = readLogLineHead(line.text).time)
            evidence.lastTime = time;
        return true;
    });
    static_cast<void>(scanned); // What could not be read has no stamp.
}

} // namespace

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
        "No such file or directory: '/tmp/pymp-|ActorDiedError|leaked (?:semaphore|shared_memory) objects");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool tellsProgress(std::string_view text)
{
    static const re2::RE2 form(
        "(?i)\\b(?:step|iter(?:ation)?|epoch|loss)\\b['\"]?\\s*[:=\\[( ]+\\s*\\d|\\d(?:s/it|it/s)\\b");
    return re2::RE2::PartialMatch(pieceOf(text), form);
}

bool beginsLikeError(std::string_view text)
{
    static const re2::RE2 form("^\\s*(?:[\\w.]*(?:Error|Exception|ERROR|EXCEPTION)\\b|错误|异常)");
    return re2::RE2::PartialMatch(pieceOf(text), form);
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

void HcclFacts::take(std::string_view line)
{
    static const re2::RE2 entry("Entry-Hccl.*\\brank\\[(\\d{1,7})\\]");
    static const re2::RE2 connect("HCCL_CONNECT_TIMEOUT set.*\\bto \\[(\\d{1,7})\\]");
    static const re2::RE2 physical("Entry-Hccl.*\\bdevice(?:Logic|Phy)Id\\[(\\d{1,5})\\]");
    static const re2::RE2 world("Entry-Hccl.*\\branks\\[(\\d{1,6})\\]|alive node num: \\(\\d+/(\\d{1,6})\\)");
    static const re2::RE2 root("rootinfo: host ip\\[([^\\]]{1,64})\\]");
    static const re2::RE2 own(
        "LocalRank Key Info.*hostIp\\[([^\\]]{1,64})\\]|localInfo\\{server\\[([^\\]]{1,64})\\]|"
        "(?i:Local information: ?server ([^,]{1,64}),)");
    const auto learn = [&](const re2::RE2 &form, std::optional<int> &target) {
        if (const auto number = firstNumber(line, form))
            target = int(*number);
    };
    learn(entry, rank);
    learn(physical, device);
    learn(connect, connectTimeout);
    if (const auto ranks = firstNumber(line, world))
        worldSize = std::max(worldSize.value_or(0), int(*ranks));
    rootServer = firstGroup(line, root).value_or(rootServer);
    server = firstGroup(line, own).value_or(server);
}

Result<LogEvidence> readEvidence(const QString &path, const LineSigns &signs,
                                 const std::function<std::optional<LogTime>(ByteOffset)> &timeOf,
                                 const std::function<bool()> &isCancelled)
{
    constexpr qint64 linesBetweenQuestions = 4096;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), path, {}};
    Reading reading(path, signs, timeOf);
    const auto lines = scanLines(file, [&](const ScannedLine &line) {
        reading.take(line);
        return !isCancelled || line.line.value % linesBetweenQuestions != 0 || !isCancelled();
    });
    if (!lines)
        return Error{lines.error().what, path, {}};
    LogEvidence evidence = reading.finish(*lines);
    evidence.bytes = file.pos();
    readLastTime(file, evidence);
    return evidence;
}

} // namespace rankdeck
