#include "agent/stacks/stackjob.h"

#include "log/ansidecoder.h"

#include <QDateTime>
#include <QSysInfo>

namespace rankdeck
{

namespace
{

/// gdb reads the symbols of hundreds of libraries first.
constexpr int limitMs = 30'000;
constexpr qint64 mostToolBytes = 4 * 1024 * 1024;
constexpr qsizetype mostCharacters = 128 * 1024;
constexpr qsizetype mostSaid = 200;

QString plainLines(const QByteArray &bytes)
{
    QString text;
    for (const QByteArray &line : bytes.split('\n')) {
        text += AnsiDecoder::plainText(line) + QLatin1Char('\n');
        if (text.size() > mostCharacters)
            break;
    }
    return text;
}

/// The line of a tool's complaint that says most: the one about permissions, else the last.
QString saidText(const QByteArray &complaint)
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

bool hasFrames(const QByteArray &text)
{
    return text.contains("#0") || text.contains("Thread ") || text.contains("  File ");
}

} // namespace

StackJob::StackJob(Rank rank, StackTools tools, int dumpSignal, QObject *parent)
    : QObject(parent)
    , m_rank(std::move(rank))
    , m_tools(std::move(tools))
    , m_dumpSignal(dumpSignal)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(limitMs);
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
        m_problem = tr("There are no stacks of %1: it has ended.").arg(m_rank.label);
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
        Q_EMIT finished(m_stacks, m_stacks.isEmpty() ? m_problem : QString());
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
        runTool(way.command);
        return;
    }
    m_signalled = std::make_unique<SignalledStacks>(m_processes.front(), way.signalNumber, m_rank.log);
    connect(m_signalled.get(), &SignalledStacks::finished, this, [this](const QByteArray &text) {
        m_signalled.release()->deleteLater();
        take(text, tr("it wrote no stacks to its log"));
    });
    m_signalled->start();
}

void StackJob::runTool(const QStringList &command)
{
    m_hasTimedOut = false;
    m_tool = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DEBUGINFOD_URLS")); // The network may not be waited for.
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    m_tool->setProcessEnvironment(environment);
    m_tool->setProgram(command.first());
    m_tool->setArguments(command.mid(1));
    m_tool->setStandardInputFile(QProcess::nullDevice());
    connect(m_tool.get(), &QProcess::finished, this, &StackJob::toolFinished);
    connect(m_tool.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            QTimer::singleShot(0, this, &StackJob::toolFinished);
    });
    m_limit.start();
    m_tool->start();
    m_toolPid = m_tool->processId();
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
    const QByteArray text = tool->readAllStandardOutput().left(mostToolBytes);
    const QByteArray complaint = tool->readAllStandardError();
    // Not by its exit code: gdb says 0 also when it could not attach, eu-stack 1 when it found all but a
    // name.
    take(hasFrames(text) && !m_hasTimedOut ? text : QByteArray(),
         m_hasTimedOut ? tr("it took more than %1 s").arg(limitMs / 1000)
                       : saidText(complaint.isEmpty() ? text : complaint));
}

/// @param problem what is wrong when there is no text.
void StackJob::take(const QByteArray &text, const QString &problem)
{
    const QString way = m_ways.front().text();
    if (!text.isEmpty()) {
        if (!m_stacks.isEmpty())
            m_stacks += QLatin1Char('\n');
        m_stacks += QStringLiteral("%1, %2, %3, %4\n\n")
                        .arg(description(), way, QSysInfo::machineHostName(),
                             QDateTime::currentDateTime().toString(Qt::ISODate));
        m_stacks += plainLines(text).trimmed() + QLatin1Char('\n');
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

} // namespace rankdeck
