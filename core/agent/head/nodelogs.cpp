#include "agent/head/nodelogs.h"

#include "base/filename.h"
#include "base/program.h"
#include "launch/plan/attempt.h"

#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

static bool isBelow(const QString &folder, const QString &path)
{
    return path.startsWith(folder + '/'_L1);
}

/// Returns the deepest folder above all logs that are not in the run directory; empty if there are no such
/// logs, or only "/" is above all of them.
static QString commonLogFolder(const LaunchPlan &plan)
{
    QString common;
    for (const ProcessPlan &process : plan.processes) {
        if (process.logFile.startsWith(QLatin1String(runDirectoryPlaceholder)))
            continue;
        const QString folder = QFileInfo(process.logFile).path();
        if (common.isEmpty())
            common = folder;
        while (folder != common && !isBelow(common, folder) && common != "/"_L1)
            common = QFileInfo(common).path();
    }
    return common == "/"_L1 ? QString() : common;
}

static QList<int> filesOf(const QList<int> &processes)
{
    QList<int> files;
    for (const int process : processes) {
        for (int file = 0; file < writtenFileCount; ++file)
            files << writtenFileCount * process + file;
    }
    return files;
}

LogPlaces::LogPlaces(QString runDirectory, const LaunchPlan &plan)
    : m_directory(std::move(runDirectory))
{
    ask(m_directory);
    // If the launch may restart, each attempt has its own folder for logs: take the folder above these.
    QString logs = commonLogFolder(plan);
    if (const auto attempt = logs.lastIndexOf(attemptFolder(QLatin1String(attemptPlaceholder))); attempt > 1)
        logs.truncate(attempt - 1);
    if (!logs.isEmpty() && QDir().mkpath(logs))
        ask(logs);
}

void LogPlaces::ask(const QString &folder)
{
    auto probe = SharedFolderProbe::begin(folder);
    if (!probe)
        return;
    m_asked << FolderProbe{folder, probe->name()};
    m_probes.push_back(std::move(probe.value()));
}

bool LogPlaces::sees(const PreparedNode &node, const QString &path) const
{
    for (std::size_t index = 0; index < m_probes.size(); ++index) {
        const auto at = static_cast<qsizetype>(index);
        if (isBelow(m_asked[at].folder, path))
            return m_probes[index].isAnsweredBy(node.answers.value(at).toLatin1());
    }
    return false;
}

QString LogPlaces::copyOf(const ProcessPlan &process, const QString &path, int own, bool isRestarted) const
{
    if (isBelow(m_directory, path))
        return path;
    const QString attempt =
        isRestarted ? attemptFolder(QLatin1String(attemptPlaceholder)) + '/'_L1 : QString();
    return u"%1/logs/%2/%3%4/%5"_s.arg(m_directory, asFileName(process.node), attempt, QString::number(own),
                                       asFileName(QFileInfo(path).fileName()));
}

std::optional<Error> LogPlaces::place(ProcessPlan &process, const ProcessPlan &planned,
                                      const PreparedNode &node, int own, bool isRestarted) const
{
    const QStringList told = writtenFiles(planned);
    const QStringList unplaced = writtenFiles(process);
    const QStringList &named = node.files[own];
    QStringList read = unplaced;
    QStringList copied(writtenFileCount);
    for (qsizetype file = 0; file < told.size(); ++file) {
        if (told[file].isEmpty())
            continue;
        if (!sees(node, told[file])) {
            read[file] = copyOf(process, unplaced[file], own, isRestarted);
            copied[file] = named[file];
        } else if (QFileInfo(named[file]).path() != QFileInfo(told[file]).path()) {
            return Error{tr("its agent names a file outside the folder it was given"), named[file], {}};
        } else if (!isRestarted) {
            read[file] = named[file]; // An earlier launch may have taken the planned name.
        }
    }
    setWrittenFiles(process, read);
    if (!copied.join(QString()).isEmpty())
        process.copiedFrom = copied;
    return std::nullopt;
}

NodeLogs::NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options)
    : m_followsAll(options.followAll)
    , m_mirror(new LogMirror(files, options))
{
    m_mirror->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_mirror, &QObject::deleteLater);
    connect(m_mirror, &LogMirror::wish, &link, &AgentLink::wish);
    connect(m_mirror, &LogMirror::failed, this,
            [this](int, const QString &sentence) { Q_EMIT failed(Sentence(sentence)); });
    // A node that breaks the protocol is disconnected.
    const auto demand = [this, &link](bool isUsable) {
        if (!isUsable)
            QMetaObject::invokeMethod(&link, &AgentLink::abort);
        else
            Q_EMIT progressed(m_mirror->behind() + m_mirror->waiting());
    };
    connect(&link, &AgentLink::logNews, m_mirror,
            [this, demand](const QByteArray &line) { demand(m_mirror->takeNews(line)); });
    connect(&link, &AgentLink::logChunk, m_mirror,
            [this, demand](const QByteArray &bytes) { demand(m_mirror->takeChunk(bytes)); });
    m_thread.start();
    const int hooks = static_cast<int>(files.size()) - hookLogCount;
    QMetaObject::invokeMethod(m_mirror, [mirror = m_mirror, hooks] {
        mirror->connected();
        mirror->follow({hooks, hooks + 1});
    });
}

void NodeLogs::show(const QList<int> &processes)
{
    QList<int> left = m_shown;
    m_shown = processes;
    const QList<int> first = filesOf(processes);
    left.removeIf([this](int process) { return m_shown.contains(process) || m_wanted.contains(process); });
    QMetaObject::invokeMethod(m_mirror, [mirror = m_mirror, first, left = filesOf(left), all = m_followsAll] {
        mirror->setFirst(first);
        if (all)
            return;
        mirror->leave(left);
        mirror->follow(first);
    });
}

void NodeLogs::want(const QList<int> &processes)
{
    m_wanted += processes;
    QMetaObject::invokeMethod(m_mirror,
                              [mirror = m_mirror, files = filesOf(processes)] { mirror->follow(files); });
}

void NodeLogs::finish()
{
    m_isFinished = true;
    QMetaObject::invokeMethod(m_mirror, &LogMirror::finish);
}

void NodeLogs::goOn()
{
    QMetaObject::invokeMethod(m_mirror, &LogMirror::connected);
    if (m_isFinished)
        finish();
}

NodeLogs::~NodeLogs()
{
    // Everything received so far is in the thread's queue before this.
    QMetaObject::invokeMethod(
        m_mirror, [] {}, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

LogFetch::LogFetch(RunState state, const QList<int> &processes)
    : m_state(std::move(state))
    , m_processes(processes)
{
}

void LogFetch::start()
{
    if (const auto record = readRunRecord(m_state.directory))
        addNodes(*record);
    if (m_nodes.empty())
        Q_EMIT finished();
    for (const auto &node : m_nodes)
        node->link->start();
}

void LogFetch::addNodes(const RunRecord &record)
{
    for (const PlannedNode &node : m_state.plan->nodes) {
        std::vector<ProcessPlan> there;
        for (const int process : std::as_const(m_processes)) {
            const ProcessPlan &planned = m_state.plan->processes[static_cast<std::size_t>(process)];
            const bool isLost = m_state.ranks[static_cast<std::size_t>(process)].phase == RankPhase::Unknown;
            if (planned.node == node.node && !planned.copiedFrom.isEmpty() &&
                (isLost || !record.spec.nodes.mirror))
                there.push_back(planned);
        }
        if (!there.empty())
            add(node, record, there);
    }
}

void LogFetch::add(const PlannedNode &planned, const RunRecord &record,
                   const std::vector<ProcessPlan> &processes)
{
    m_nodes.push_back(std::make_unique<Node>());
    Node &node = *m_nodes.back();
    node.name = planned.node;
    for (const ProcessPlan &process : processes) {
        const QStringList files = writtenFiles(process);
        for (qsizetype file = 0; file < files.size(); ++file) {
            if (process.copiedFrom.value(file).isEmpty())
                continue;
            node.files << process.copiedFrom[file];
            node.copies << files[file];
        }
    }
    node.link = std::make_unique<AgentLink>(
        makeTransport(transportFrom(m_state.plan->transport), planned.host, record.spec.nodes, programPath()),
        planned.node);
    node.link->setSilenceLimit(std::chrono::seconds(record.spec.nodes.silenceSeconds));
    connect(node.link.get(), &AgentLink::ready, this, [this, &node] { greet(node); });
    connect(node.link.get(), &AgentLink::ended, this,
            [this, &node, host = planned.host](const Sentence &how) {
                if (!node.isDone)
                    Q_EMIT failed(Sentence::tr("The logs on %1 cannot be fetched: %2")
                                      .arg(node.name, problemOfReaching(how, host).sentence()));
                node.logs.reset();
                if (++m_ended == m_nodes.size())
                    Q_EMIT finished();
            });
}

void LogFetch::greet(Node &node)
{
    node.link->order(orders::ReadFiles{node.files});
    LogMirror::Options options;
    options.compress = true;
    node.logs = std::make_unique<NodeLogs>(*node.link, node.copies, options);
    connect(node.logs.get(), &NodeLogs::failed, this, &LogFetch::failed);
    connect(node.logs.get(), &NodeLogs::progressed, this, [this, &node](qint64 bytesLeft) {
        node.bytesLeft = bytesLeft;
        qint64 all = 0;
        for (const auto &each : m_nodes)
            all += each->bytesLeft;
        Q_EMIT progressed(all);
        if (bytesLeft == 0 && !std::exchange(node.isDone, true))
            node.link->order(orders::Kill());
    });
}

} // namespace rankdeck
