#include "diagnosis/evidence/logreading.h"

#include "log/line/ansidecoder.h"

#include <re2/re2.h>

namespace rankdeck
{

constexpr std::size_t mostPids = 8;
constexpr int mostTraces = 2;
/// Limits for lines of one trouble that are searched for peers, and for lines of one trace.
constexpr int mostTroubleLines = 5000;
constexpr int mostTraceLines = 2000;
/// After this many lines of progress, or harmless lines with a head, the program has gone on.
constexpr int provingProgress = 2;
constexpr int provingCalm = 12;
/// Factor for both numbers where several processes write into the log.
constexpr int manyFactor = 32;
constexpr int linesWithoutStamp = 2000;

void LogReading::take(const ScannedLine &line)
{
    m_line = line;
    const QByteArrayView text = line.text;
    m_evidence.bytes += text.size() + 1;
    const bool isStart = line.line.value < linesWithoutStamp;
    if (!m_trace && m_evidence.errors.empty() && (!isStart || m_evidence.firstTime)) {
        const LineSigns signs = m_catalogue.signsOf(viewOf(text));
        if (signs.isNothing() && !text.contains('\x1b')) {
            m_passed.add(text);
            return;
        }
        if (const auto time = m_passed.time(reference()))
            m_evidence.lastTime = time;
        m_passed = {};
    }
    if (!text.contains('\x1b')) {
        takePlain(text, m_catalogue.signsOf(viewOf(text)));
        return;
    }
    // A colour's escape sequence ends in a letter, which hides where the word behind it begins.
    const QByteArray plain = AnsiDecoder::plainText(text).toUtf8();
    takePlain(plain, m_catalogue.signsOf(viewOf(plain)));
}

void LogReading::takePlain(QByteArrayView text, const LineSigns &lineSigns)
{
    LogLineHead head = readLogLineHead(text);
    head.time = head.timeBefore(reference());
    if (head.time) {
        m_evidence.lastTime = head.time;
        if (!m_evidence.firstTime)
            m_evidence.firstTime = head.time;
    }
    if (head.pid > 0 && m_evidence.pids.size() < mostPids)
        m_evidence.pids.insert(head.pid);
    const qsizetype prefix = rankPrefixSize(text);
    const QByteArrayView own = text.sliced(prefix);
    LineSigns signs = prefix > 0 ? m_catalogue.signsOf(viewOf(own)) : lineSigns;
    if (signs.isFactWord)
        m_evidence.facts.take(viewOf(own));
    if (head.size > 0 && (head.severity == LogSeverity::None || head.severity >= LogSeverity::Error)) {
        const QByteArrayView message = text.sliced(std::min<qsizetype>(head.size, text.size()));
        const LineSigns inner = m_catalogue.signsOf(viewOf(message));
        if (takeLoggedTrace(message, inner))
            return;
        if (inner.entry && (!signs.entry || signs.entry->power() < inner.entry->power()))
            signs.entry = inner.entry;
    }
    if (m_trace && takeTraceLine(own, head, signs))
        return;
    if (signs.isTracebackHead)
        beginTrace(own);
    else if (tellsError(own, head, signs))
        addError(own, signs.entry,
                 head.severity == LogSeverity::Warning || head.severity == LogSeverity::Info);
    else if (!m_evidence.errors.empty())
        takeCalmLine(own, head);
}

/// Takes a line of a traceback each of whose lines has the head of a logger, as vLLM writes it. Returns false
/// for any other line.
bool LogReading::takeLoggedTrace(QByteArrayView message, const LineSigns &signs)
{
    if (m_trace && m_isLogged && takeTraceLine(message, {}, signs))
        return true;
    if (message.startsWith("Traceback (most recent call last)")) {
        beginTrace(message);
        m_isLogged = true;
        return true;
    }
    return message.trimmed().isEmpty();
}

/// Returns true if the line belongs to the trace.
bool LogReading::takeTraceLine(QByteArrayView text, const LogLineHead &head, const LineSigns &signs)
{
    if (head.saysAnything() || ++m_traceLines > mostTraceLines) {
        if (m_traceLines > mostTraceLines || !m_trace->exception.isEmpty())
            endTrace();
        return false; // A thread's own line among them.
    }
    const QString plain = AnsiDecoder::plainText(text.first(std::min<qsizetype>(text.size(), 2000)));
    const bool isDump = plain.contains("most recent call first):"_L1);
    if (std::exchange(m_isBox, isBoxed(plain)) && !m_isBox && text.startsWith(' '))
        return takeTraceLine(text.trimmed(), head, signs); // Below a box that is indented.
    if (text.isEmpty() || text.front() == ' ' || text.front() == '\t' || isDump || m_isBox) {
        m_trace->add(plain);
        return true;
    }
    const bool isWhole = !m_trace->exception.isEmpty();
    if (!isWhole && !signs.isTracebackHead && isExceptionLine(viewOf(text))) {
        if (tellsOfOtherProcesses(viewOf(text)) || tellsOfBeingEnded(*m_trace, viewOf(text))) {
            m_trace.reset();
            return true;
        }
        // A bare assertion is shown with its source: the last line that does not only mark a part ("^^^").
        const auto source =
            std::ranges::find_if(m_trace->lines.rbegin(), m_trace->lines.rend(), [](const QString &line) {
                return line.trimmed().remove('^'_L1).remove('~'_L1).size() > 0;
            });
        const bool isBare = plain.trimmed() == "AssertionError"_L1 && source != m_trace->lines.rend();
        const QString exception = isBare ? u"%1: %2"_s.arg(plain.trimmed(), source->trimmed()) : plain;
        m_trace->add(plain);
        m_trace->exception = exception.left(ErrorLine::mostText);
        endTrace();
        addError(isBare ? exception.toUtf8() : text, signs.entry);
        return true;
    }
    endTrace();
    return false;
}

void LogReading::beginTrace(QByteArrayView text)
{
    if (m_trace)
        endTrace();
    m_trace.emplace();
    m_isLogged = false;
    m_isBox = false;
    m_traceLines = 0;
    m_trace->line = m_line.line;
    const QString plain = AnsiDecoder::plainText(text.first(std::min<qsizetype>(text.size(), 2000)));
    m_trace->add(plain);
    if (!plain.startsWith("Fatal Python error:"_L1))
        return;
    m_trace->exception = plain.left(ErrorLine::mostText);
    addError(text, m_catalogue.signsOf(viewOf(text)).entry);
}

void LogReading::endTrace()
{
    if (m_trace->isStack) {
        m_evidence.stack = std::exchange(m_trace, std::nullopt);
        return;
    }
    std::vector<PythonTrace> &traces = m_evidence.traces;
    if (traces.size() >= mostTraces)
        traces.pop_back();
    traces.push_back(*std::exchange(m_trace, std::nullopt));
}

bool LogReading::tellsError(QByteArrayView text, const LogLineHead &head, const LineSigns &signs) const
{
    if (tellsOfGoingOn(viewOf(text)))
        return false;
    if (head.severity >= LogSeverity::Error)
        return true;
    if (head.severity == LogSeverity::None && text.contains(" NCCL INFO "))
        return false;
    if (head.severity == LogSeverity::Warning || head.severity == LogSeverity::Info)
        return signs.entry && signs.entry->layer == ErrorEntry::Layer::Wait;
    if (head.severity != LogSeverity::None || text.trimmed().startsWith("raise ")) // A line of the source.
        return false;
    return signs.entry || (signs.isErrorWord && beginsLikeError(viewOf(text)));
}

void LogReading::addError(QByteArrayView text, const ErrorEntry *entry, bool isWarning)
{
    static const re2::RE2 tag("\\btag ?\\[([A-Za-z]{3,32})_");
    static const re2::RE2 sequence("\\bSeqNum=(\\d{1,15})");
    const QByteArrayView begin = text.first(std::min<qsizetype>(text.size(), 4096));
    const bool isHint = entry && entry->layer == ErrorEntry::Layer::Hint;
    if (isHint || tellsOfBeingEnded(viewOf(begin)) || tellsOfOtherProcesses(viewOf(begin)))
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
        error.layer = entry->layer;
    }
    if (error.layer <= ErrorEntry::Layer::Wrapper && tellsOfOthers(viewOf(begin)))
        error.layer = ErrorEntry::Layer::Wait;
    if (error.tellsOfEnd() && std::ranges::any_of(m_evidence.errors, [](const ErrorLine &before) {
            return !before.isWarning && (before.layer >= ErrorEntry::Layer::Own || before.tellsOfTimeout());
        }))
        error.layer = ErrorEntry::Layer::Consequence;
    error.isWarning = isWarning;
    error.isAfterCalm = m_progress + m_calm > 0;
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

/// Takes a line without an error: it may name the peer of the one before, or show that the program goes on.
void LogReading::takeCalmLine(QByteArrayView text, const LogLineHead &head)
{
    const ErrorLine &last = m_evidence.errors.back();
    if (head.time && last.time && *head.time < *last.time)
        return; // Its stream was held in a buffer.
    const bool continues = !head.saysAnything();
    if (continues && ++m_troubleLines < mostTroubleLines)
        m_evidence.errors.back().peers.add(namedPeers(text.first(std::min<qsizetype>(text.size(), 4096))));
    if (tellsProgress(viewOf(text)))
        ++m_progress;
    else if (head.severity == LogSeverity::Info || head.severity == LogSeverity::Debug)
        ++m_calm;
    const int factor = m_owner == Owner::Many ? manyFactor : 1;
    if (m_progress >= provingProgress * factor || m_calm >= provingCalm * factor)
        goOn();
}

void LogReading::goOn()
{
    m_evidence.survived += m_evidence.errorCount;
    m_evidence.errorCount = 0;
    if (!m_evidence.traces.empty()) {
        m_evidence.survivedErrors = std::move(m_evidence.errors);
        m_evidence.survivedTraces = std::move(m_evidence.traces);
    }
    m_evidence.errors.clear();
    m_evidence.traces.clear();
    m_troubleLines = 0;
}

LogEvidence LogReading::finish(qint64 lines)
{
    if (m_trace)
        endTrace();
    if (const auto time = m_passed.time(reference()))
        m_evidence.lastTime = time;
    m_evidence.lines = lines;
    return std::move(m_evidence);
}

} // namespace rankdeck
