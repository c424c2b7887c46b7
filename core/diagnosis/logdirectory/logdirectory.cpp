#include "diagnosis/logdirectory/logdirectory.h"

#include "diagnosis/failure/errorfile.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/failure/schedulerfailure.h"
#include "diagnosis/logdirectory/foundlogs.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "run/record/runrecord.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace rankdeck
{

constexpr int mostLastLines = 200;
constexpr qint64 mostLastBytes = 64 * 1024;
constexpr qsizetype longestShown = 1000;
const QString tracebackHead = u"Traceback (most recent call last):"_s;

/// "2024-12-26-14:22:26.839.923", "2024-12-26 14:22:26,839", "2024-12-26T14:22:26"
static std::optional<double> timeIn(const QString &line)
{
    static const QRegularExpression form(
        u"(\\d{4}-\\d\\d-\\d\\d)[-T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{3})(?:[.](\\d{3}))?)?"_s);
    const auto match = form.match(line);
    const QDateTime time =
        QDateTime::fromString(match.captured(1) + match.captured(2), u"yyyy-MM-ddHH:mm:ss"_s);
    if (!time.isValid())
        return std::nullopt;
    return double(time.toSecsSinceEpoch()) + match.captured(3).toInt() / 1e3 +
           match.captured(4).toInt() / 1e6;
}

/// Returns an error line from its code on; empty for any other line.
static QString fatalText(const QString &line)
{
    static const QRegularExpression code(u"\\b(?:E[A-Z]\\d{4}(?=[:)])|E\\d{5}(?=:)|ERR\\d{5}(?=[: ])).*"_s);
    const auto match = code.match(line);
    if (match.hasMatch())
        return match.captured().trimmed();
    if (line.startsWith("[CRITICAL]"_L1) || line.startsWith("Fatal Python error:"_L1))
        return line.trimmed();
    return {};
}

/// Returns the lines from the head to the one that names the exception, without a prefix such as "[rank3]: ".
static QStringList tracebackAt(const QStringList &lines, qsizetype head)
{
    const QString before = lines[head].left(lines[head].indexOf(tracebackHead));
    QStringList traceback{tracebackHead};
    for (qsizetype next = head + 1; next < lines.size(); ++next) {
        const QString &line = lines[next];
        const QString text = line.startsWith(before) ? line.mid(before.size()) : line;
        traceback << text;
        if (!text.isEmpty() && !text.startsWith(' '_L1))
            break;
    }
    while (traceback.last().trimmed().isEmpty())
        traceback.removeLast();
    return traceback;
}

const ExitStatus unknownExit{ExitStatus::Kind::Unknown, 0};

std::optional<LoggedError> readLoggedError(const ProcessPlan &process)
{
    const QString errorFile = process.setVariables.value(QLatin1String(errorFileVariable));
    if (!errorFile.isEmpty()) {
        if (const auto file = readErrorFile(errorFile))
            return LoggedError{file->message, file->traceback, file->timestamp};
    }
    if (!process.stderrFile.isEmpty()) {
        if (const auto error = readLoggedError(process.stderrFile))
            return error;
    }
    return readLoggedError(process.logFile);
}

LogDirectoryWatch::LogDirectoryWatch(const QString &directory)
    : m_logs(directory, LogDirectory::Show::Split)
    , m_timer(this)
{
    constexpr int lookMs = 2000;
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_logs.update())
            Q_EMIT stateChanged(m_logs.state());
    });
}

void LogDirectoryWatch::open()
{
    const auto state = m_logs.open();
    if (!state) {
        Q_EMIT failed(state.error().sentence());
        return;
    }
    Q_EMIT stateChanged(*state);
    m_timer.start();
}

std::optional<LoggedError> readLoggedError(const QString &path)
{
    QStringList lines;
    const QList<QByteArray> last = lastLines(path, mostLastLines, mostLastBytes);
    for (const QByteArray &line : last)
        lines << AnsiDecoder::plainText(line.left(longestShown));

    LoggedError error;
    QString fatal;
    qsizetype head = -1;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        const QString &line = lines[at];
        if (line.contains(tracebackHead))
            head = at;
        if (fatal.isEmpty())
            fatal = fatalText(line);
        const bool isError = line.startsWith("[ERROR]"_L1) || line.startsWith("[EXCEPTION]"_L1);
        if (!error.time && (isError || !fatalText(line).isEmpty()))
            error.time = timeIn(line);
    }
    if (head < 0 && fatal.isEmpty())
        return std::nullopt;
    // No error line has a time: the last line with a time above the traceback supplies it.
    for (qsizetype at = head < 0 ? lines.size() : head; at-- > 0 && !error.time;)
        error.time = timeIn(lines[at]);
    if (head >= 0) {
        error.traceback = tracebackAt(lines, head);
        error.message = error.traceback.last().trimmed();
    }
    if (error.message.isEmpty())
        error.message = fatal;
    else if (!fatal.isEmpty() && !error.message.contains(fatal))
        error.message += u" (%1)"_s.arg(fatal);
    return error;
}

LogDirectory::LogDirectory(const QString &directory, Show show)
    : m_directory(QDir(directory).absolutePath())
    , m_show(show)
{
}

Result<LaunchPlan> LogDirectory::find()
{
    auto plan = findLogs(m_directory);
    if (!plan)
        return plan;
    if (plan->launcher == "msrun"_L1) {
        m_told.read(*plan);
        m_told.giveTo(plan.value());
    }
    if (m_show == Show::AsItLies)
        return plan;
    if (const auto error = split(plan.value()))
        return *error;
    return plan;
}

/// Lets the ranks of a log of several have their lines alone.
std::optional<Error> LogDirectory::split(LaunchPlan &plan)
{
    for (const ProcessPlan &console : plan.processes) {
        if (console.role == Role::Console)
            m_splits.try_emplace(console.logFile, console.logFile);
    }
    for (auto &[path, split] : m_splits) {
        if (const auto error = split.update())
            return error;
    }
    for (ProcessPlan &process : plan.processes) {
        const auto split = m_splits.find(process.logFile);
        if (process.role != Role::Worker || split == m_splits.end())
            continue;
        const QString own = split->second.fileOf(process.localRank.value);
        if (QFileInfo::exists(own))
            process.logFile = own;
    }
    return std::nullopt;
}

Result<RunState> LogDirectory::open()
{
    if (const auto record = readRunRecord(m_directory))
        return Error{tr("this is a run directory, not a log directory"), m_directory,
                     tr("Open it as a run: rankdeck --attach, rankdeckctl attach or logs.")};
    const auto plan = find();
    if (!plan)
        return plan.error();
    m_found.clear();
    m_state = {};
    m_state.name = QDir(m_directory).dirName();
    m_state.directory = m_directory;
    work(*plan);
    return m_state;
}

bool LogDirectory::update()
{
    const auto plan = find();
    if (!plan)
        return false;
    const RunState before = m_state;
    work(*plan);
    return before.plan != m_state.plan || before.phase != m_state.phase ||
           before.failure != m_state.failure || before.notes != m_state.notes ||
           !std::equal(before.ranks.begin(), before.ranks.end(), m_state.ranks.begin(), m_state.ranks.end(),
                       [](const RankState &one, const RankState &other) { return one.phase == other.phase; });
}

LogDirectory::Found LogDirectory::foundIn(const ProcessPlan &process) const
{
    Found found{{}, 0, {}};
    for (const QString &path : writtenFiles(process)) {
        const QFileInfo file(path);
        if (path.isEmpty() || !file.exists())
            continue;
        found.bytes += file.size();
        found.written = std::max(found.written, file.lastModified().toUTC());
    }
    const auto known = m_found.constFind(process.logFile);
    const bool isSame =
        known != m_found.cend() && known->written == found.written && known->bytes == found.bytes;
    found.error = isSame ? known->error : readLoggedError(process);
    return found;
}

/// Sets the exits of ranks from their launcher's own log.
void LogDirectory::takeEnds()
{
    m_toldFirst = -1;
    for (const ProcessPlan &console : m_state.plan->processes) {
        if (console.role != Role::Console)
            continue;
        const LauncherWords words = readConsoleLog(console.logFile).words;
        for (std::size_t index = 0; index < m_state.ranks.size(); ++index) {
            const ProcessPlan &process = m_state.plan->processes[index];
            RankState &rank = m_state.ranks[index];
            const bool isSplit = process.role == Role::Worker && process.logFile == console.logFile;
            const bool isLaunchers = process.role == Role::Console && !words.isEmpty();
            if (isSplit || isLaunchers) { // The end of the file may be of any rank.
                rank.phase = RankPhase::Unknown;
                rank.status.reset();
            }
            const auto end = words.ends().find(process.rank.value);
            if (process.role != Role::Worker || end == words.ends().end())
                continue;
            rank.phase = RankPhase::Failed;
            rank.status = end->second.status;
            if (words.first() == process.rank.value)
                m_toldFirst = int(index);
        }
    }
}

void LogDirectory::work(const LaunchPlan &plan)
{
    if (!m_state.plan || plan != *m_state.plan)
        m_state.setPlan(plan);
    m_written = {};
    m_state.phase = RunPhase::Recorded;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (std::size_t index = 0; index < m_state.ranks.size(); ++index) {
        const ProcessPlan &process = m_state.plan->processes[index];
        const Found found = foundIn(process);
        m_found.insert(process.logFile, found);
        m_written = std::max(m_written, found.written);
        const bool isWriting = found.written.isValid() && found.written.secsTo(now) < writingSeconds;
        if (isWriting)
            m_state.phase = RunPhase::Writing;
        RankState &rank = m_state.ranks[index];
        rank.phase = found.error ? RankPhase::Failed : isWriting ? RankPhase::Writing : RankPhase::Unknown;
        rank.status = found.error ? std::optional(unknownExit) : std::nullopt;
        rank.pid = plogPid(process.logFile);
    }
    takeEnds();
    judge();
}

/// Decides which rank failed first: by the time that it wrote, else by when its log was written last.
void LogDirectory::judge()
{
    m_state.notes = textsOf(m_state.plan->notes);
    m_state.notes.prepend(tr("Opened from logs only: failed ranks are found from their logs. Exit codes are "
                             "known only if the launcher logged them."));
    int first = -1;
    double firstTime = 0;
    bool isDated = true;
    for (std::size_t index = 0; index < m_state.ranks.size(); ++index) {
        const Found &found = m_found[m_state.plan->processes[index].logFile];
        if (!found.error || m_state.ranks[index].phase != RankPhase::Failed)
            continue;
        isDated = isDated && found.error->time;
        const double time = found.error->time.value_or(double(found.written.toMSecsSinceEpoch()) / 1000);
        if (first >= 0 && firstTime <= time)
            continue;
        first = int(index);
        firstTime = time;
    }
    if (const QString missing = missingWorkersReason(m_state); !missing.isEmpty())
        m_state.notes << tr("From the scheduler's log: %1.").arg(missing);
    if (m_toldFirst >= 0) {
        const ExitStatus status = m_state.ranks[std::size_t(m_toldFirst)].status.value_or(unknownExit);
        m_state.failure = failureOf(*m_state.plan, m_toldFirst, 0, status, {});
        m_state.notes << tr("The launcher's log says which rank failed first.");
        return;
    }
    if (first < 0) {
        m_state.failure.reset();
        return;
    }
    const LoggedError &error = *m_found[m_state.plan->processes[std::size_t(first)].logFile].error;
    m_state.failure = failureOf(*m_state.plan, first, 0, unknownExit, Sentence(error.message));
    m_state.failure->traceback = error.traceback;
    if (m_state.count(RankPhase::Failed) > 1)
        m_state.notes << (isDated
                              ? tr("Several ranks failed. The times in their logs decide which was first.")
                              : tr("Several ranks failed. The times in their logs decide which was first. "
                                   "For a log without times, its last change counts."));
}

} // namespace rankdeck
