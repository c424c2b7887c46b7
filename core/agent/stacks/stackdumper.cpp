#include "agent/stacks/stackdumper.h"

#include "base/program.h"
#include "base/regularfile.h"
#include "log/line/ansidecoder.h"
#include "run/record/runevent.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include <algorithm>
#include <csignal>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr int lookMs = 100;
constexpr qint64 settledMs = 400;
constexpr qint64 limitMs = 10'000;
constexpr qint64 mostBytes = 512 * 1024;

/// gdb reads the symbols of hundreds of libraries first.
constexpr int toolLimitMs = 30'000;
/// By then it has asked Python, or waits in vain.
constexpr int pythonLimitMs = 10'000;
constexpr qint64 mostToolBytes = 4 * 1024 * 1024;
constexpr qsizetype mostCharacters = 128 * 1024;
constexpr qsizetype mostSaid = 200;

static QString plainLines(const QByteArray &bytes)
{
    QString text;
    for (const QByteArray &line : bytes.split('\n')) {
        text += AnsiDecoder::plainText(line) + '\n'_L1;
        if (text.size() > mostCharacters)
            break;
    }
    return text;
}

/// Returns the most useful line of a tool's error: the one about permissions, else the last.
static QString saidText(const QByteArray &complaint)
{
    QByteArray said;
    for (const QByteArray &line : complaint.split('\n')) {
        const QByteArray text = line.trimmed();
        if (!text.isEmpty())
            said = text;
        if (text.contains("not permitted") || text.contains("ermission"))
            break;
    }
    return AnsiDecoder::plainText(said.left(mostSaid));
}

/// Lets a process write into our file, though another user may run it.
static void giveTo(const QTemporaryFile &file, pid_t pid)
{
    struct stat its = {};
    if (stat(QFile::encodeName(u"/proc/%1"_s.arg(pid)).constData(), &its) == 0 && geteuid() == 0)
        static_cast<void>(fchown(file.handle(), its.st_uid, its.st_gid));
}

/// The texts below the folder that asys has written to.
static QByteArray writtenTexts(const QString &folder)
{
    QByteArray all;
    QDirIterator files(folder, {u"*.txt"_s}, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext() && all.size() < mostToolBytes) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            all += file.read(mostToolBytes - all.size()) + '\n';
    }
    return all;
}

static Sentence tookTooLong()
{
    return Sentence::tr("it took more than %1 s").arg(toolLimitMs / 1000);
}

static bool hasFrames(const QByteArray &text)
{
    return text.contains("#0") || text.contains("Thread ") || text.contains("  File ");
}

/// Each takes a core, and the training has better use for them.
constexpr std::size_t mostAtOnce = 4;

static bool contains(const auto &jobs, int process)
{
    return std::ranges::any_of(jobs, [&](const auto &job) { return job->rank().process == process; });
}

QByteArray faulthandlerLines(const QByteArray &log)
{
    QByteArray taken;
    bool isInside = false;
    for (const QByteArray &line : log.split('\n')) {
        const bool isThread = (line.startsWith("Thread 0x") || line.startsWith("Current thread 0x") ||
                               line.startsWith("Stack (most recent call first)"));
        const bool isFrame =
            isInside && (line.startsWith("  File ") || line.startsWith("  <") || line.startsWith("  ..."));
        isInside = isInside || isThread;
        if (isThread && !taken.isEmpty())
            taken += '\n';
        if (isThread || isFrame)
            taken += line + '\n';
    }
    return taken;
}

SignalledStacks::SignalledStacks(const ProcessLook &process, int signalNumber, QString log)
    : m_process(process)
    , m_signal(signalNumber)
    , m_log(std::move(log))
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SignalledStacks::look);
}

void SignalledStacks::start()
{
    m_begin = QFileInfo(m_log).size();
    m_sinceStart.start();
    m_sinceGrowth.start();
    m_timer.start();
    const auto now = readProcess(m_process.info.pid);
    ProcessLook look;
    look.caught = caughtSignals(fileContent(u"/proc/%1/status"_s.arg(m_process.info.pid)));
    const bool isTheSame = now && now->startTime == m_process.info.startTime && look.catches(m_signal);
    if (!isTheSame || ::kill(m_process.info.pid, m_signal) != 0)
        m_begin = -1;
}

QByteArray SignalledStacks::newBytes() const
{
    RegularFile file(m_log);
    return m_begin >= 0 && file.open(QIODevice::ReadOnly) && file.seek(m_begin) ? file.read(mostBytes)
                                                                                : QByteArray();
}

void SignalledStacks::look()
{
    const QByteArray text = faulthandlerLines(newBytes());
    if (text.size() != m_size) {
        m_size = text.size();
        m_sinceGrowth.start();
    }
    const bool isWhole = !text.isEmpty() && m_sinceGrowth.elapsed() >= settledMs;
    if (!isWhole && m_begin >= 0 && m_sinceStart.elapsed() < limitMs)
        return;
    m_timer.stop();
    Q_EMIT finished(text);
}

StackJob::StackJob(Rank rank, StackTools tools, int dumpSignal)
    : m_rank(std::move(rank))
    , m_tools(std::move(tools))
    , m_dumpSignal(dumpSignal)
{
    m_limit.setInterval(toolLimitMs);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_hasTimedOut = true;
        m_tool->kill();
    });
}

StackJob::~StackJob()
{
    if (m_tool)
        m_tool->disconnect(this);
}

void StackJob::start()
{
    const auto processes = lookAtRank(static_cast<pid_t>(m_rank.pid));
    m_processes.assign(processes.begin(), processes.end());
    if (m_processes.empty())
        m_problem = Sentence::tr("No stacks of %1: it has ended.").arg(m_rank.label);
    nextProcess();
}

QString StackJob::description() const
{
    return tr("%1, process %2 (%3)")
        .arg(m_rank.label, QString::number(m_processes.front().info.pid), m_processes.front().info.name);
}

void StackJob::nextProcess()
{
    if (m_processes.empty() || m_stacks.size() >= mostCharacters) {
        m_stacks.truncate(mostCharacters);
        Q_EMIT finished(m_stacks, m_stacks.isEmpty() ? m_problem : Sentence());
        return;
    }
    const auto ways = stackWays(m_tools, m_processes.front(), m_dumpSignal);
    m_ways.assign(ways.begin(), ways.end());
    if (m_ways.empty()) {
        m_problem = noStacksText(m_rank.label, {}, {}, -1);
        m_processes.pop_front();
        nextProcess();
        return;
    }
    nextWay();
}

void StackJob::nextWay()
{
    const StackWay &way = m_ways.front();
    if (!way.command.isEmpty()) {
        runTool(way);
        return;
    }
    m_signalled = std::make_unique<SignalledStacks>(m_processes.front(), way.signalNumber, m_rank.log);
    connect(m_signalled.get(), &SignalledStacks::finished, this, [this](const QByteArray &text) {
        m_signalled.release()->deleteLater();
        take(text, Sentence::tr("it wrote no stacks to its log"));
    });
    m_signalled->start();
}

void StackJob::runTool(const StackWay &way)
{
    QStringList command = way.command;
    m_frames.reset();
    if (way.asksPython) {
        const QString &root = m_processes.front().root;
        m_frames = std::make_unique<QTemporaryFile>(root + QDir::tempPath() + u"/rankdeck-XXXXXX"_s);
        for (auto &script : m_scripts)
            script = std::make_unique<QTemporaryFile>();
        const auto &[first, second] = m_scripts;
        if (m_frames->open() && first->open() && second->open()) {
            giveTo(*m_frames, m_processes.front().info.pid);
            const QString path = m_frames->fileName().mid(root.size());
            first->write(pythonFramesScript(path));
            second->write(pythonLineScript(path));
            const QStringList unlock{u"-ex"_s, u"set scheduler-locking off"_s};
            command = command.mid(0, command.indexOf(u"-ex"_s)) + QStringList{u"-x"_s, first->fileName()} +
                      unlock + command.mid(command.indexOf(u"-ex"_s)) +
                      QStringList{u"-x"_s, second->fileName()};
            for (const auto &script : m_scripts)
                script->flush();
        }
    }
    m_texts.reset();
    if (way.writesFiles) {
        m_texts = std::make_unique<QTemporaryDir>();
        command << u"--output="_s + m_texts->path();
    }
    m_hasTimedOut = false;
    m_tool = std::make_unique<QProcess>();
    QProcessEnvironment environment = withoutPreload();
    environment.remove(u"DEBUGINFOD_URLS"_s); // The network may not be waited for.
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    m_tool->setProcessEnvironment(environment);
    m_tool->setProgram(command.first());
    m_tool->setArguments(command.mid(1));
    m_tool->setStandardInputFile(QProcess::nullDevice());
    connect(m_tool.get(), &QProcess::finished, this, &StackJob::toolFinished);
    onFailedStart(*m_tool, this, [this] { QTimer::singleShot(0, this, &StackJob::toolFinished); });
    m_limit.start();
    m_tool->start();
    m_toolPid = m_tool->processId();
    if (way.asksPython)
        QTimer::singleShot(pythonLimitMs, m_tool.get(), [this] { ::kill(pid_t(m_toolPid), SIGINT); });
    Q_EMIT toolStarted(m_toolPid);
}

void StackJob::toolFinished()
{
    if (!m_tool)
        return;
    m_limit.stop();
    const std::unique_ptr<QProcess, void (*)(QProcess *)> tool(m_tool.release(),
                                                               [](QProcess *ended) { ended->deleteLater(); });
    Q_EMIT toolEnded(m_toolPid);
    QByteArray text = tool->readAllStandardOutput().left(mostToolBytes);
    if (const QByteArray frames = withoutOwnLine(m_frames ? m_frames->read(mostBytes) : QByteArray());
        hasFrames(frames))
        text = frames + "\n\n" + text;
    const QByteArray complaint = tool->readAllStandardError();
    if (m_texts) {
        const QByteArray written = writtenTexts(m_texts->path());
        take(written, m_hasTimedOut ? tookTooLong() : Sentence(saidText(complaint + text)));
        return;
    }
    // The exit code does not show it: gdb returns 0 also when it could not attach, eu-stack 1 when it found
    // all but a name.
    take(hasFrames(text) && !m_hasTimedOut ? text : QByteArray(),
         m_hasTimedOut ? tookTooLong() : Sentence(saidText(complaint.isEmpty() ? text : complaint)));
}

/// @param problem the fault, if there is no text.
void StackJob::take(const QByteArray &text, const Sentence &problem)
{
    const QString way = m_ways.front().text();
    if (!text.isEmpty()) {
        if (!m_stacks.isEmpty())
            m_stacks += '\n'_L1;
        m_stacks += u"%1, %2, %3, %4\n\n"_s.arg(description(), way, QSysInfo::machineHostName(),
                                                QDateTime::currentDateTime().toString(Qt::ISODate));
        m_stacks += plainLines(text).trimmed() + '\n'_L1;
        if (m_processes.front().isPython && !text.contains("File \"") && m_tools.pySpy.isEmpty())
            m_stacks +=
                '\n'_L1 +
                Sentence::tr("These are frames of C. For those of Python, run this where the rank runs: pip "
                             "install py-spy") +
                '\n'_L1;
        m_ways.clear();
    } else {
        m_problem = noStacksText(m_rank.label, way, problem, ptraceScopeOfHost());
        m_ways.pop_front();
    }
    if (!m_ways.empty()) {
        nextWay();
        return;
    }
    m_processes.pop_front();
    nextProcess();
}

void StackDumper::dump(const std::vector<StackJob::Rank> &ranks, const StackTools &tools, int dumpSignal)
{
    for (const StackJob::Rank &rank : ranks) {
        if (contains(m_waiting, rank.process) || contains(m_running, rank.process))
            continue;
        auto job = std::make_unique<StackJob>(rank, tools, dumpSignal);
        connect(job.get(), &StackJob::toolStarted, this, &StackDumper::toolStarted);
        connect(job.get(), &StackJob::toolEnded, this, &StackDumper::toolEnded);
        connect(job.get(), &StackJob::finished, this,
                [this, job = job.get()](const QString &stacks, const Sentence &problem) {
                    finish(job, stacks, problem);
                });
        m_waiting.push_back(std::move(job));
    }
    startSome();
}

void StackDumper::startSome()
{
    while (m_running.size() < mostAtOnce && !m_waiting.empty()) {
        m_running.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
        // The job may finish at once.
        QMetaObject::invokeMethod(m_running.back().get(), &StackJob::start, Qt::QueuedConnection);
    }
}

void StackDumper::finish(StackJob *job, const QString &stacks, const Sentence &problem)
{
    const RunEvent event = RunEvent::now(events::StacksDumped{
        .process = job->rank().process, .pid = job->rank().pid, .text = problem, .stacks = stacks});
    const auto found =
        std::ranges::find_if(m_running, [&](const auto &running) { return running.get() == job; });
    found->release()->deleteLater();
    m_running.erase(found);
    startSome();
    Q_EMIT happened(event);
}

} // namespace rankdeck
