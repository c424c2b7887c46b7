#include "run/hooksequence.h"

#include "launch/commandline.h"
#include "run/endingtimes.h"
#include "run/strays.h"

#include <QDir>
#include <QFile>

#include <csignal>

namespace rankdeck
{

namespace
{

/// As a sentence shows it: a hook may be a whole script in one argument.
QString commandText(const ProcessPlan &hook)
{
    constexpr int shown = 200;
    const QString line = joinCommandLine(hook.argv).simplified();
    return line.size() > shown ? line.left(shown) + QStringLiteral("…") : line;
}

/// The hooks of a list share a log: it says which of them printed what.
void writeHeading(const ProcessPlan &hook)
{
    for (const QString &directory : hook.makeDirectories)
        QDir().mkpath(directory);
    QFile log(hook.logFile);
    if (log.open(QIODevice::Append))
        log.write("$ " + commandText(hook).toUtf8() + '\n');
}

} // namespace

HookSequence::HookSequence(std::vector<ProcessPlan> hooks, When when, QObject *parent)
    : QObject(parent)
    , m_hooks(std::move(hooks))
    , m_when(when)
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { m_isKilled ? giveUp() : kill(); });
}

void HookSequence::start()
{
    next();
}

void HookSequence::next()
{
    m_worker.reset();
    if (m_isCutShort || m_index == m_hooks.size()) {
        m_limit.stop();
        Q_EMIT finished(!m_isCutShort);
        return;
    }
    writeHeading(current());
    m_worker = std::make_unique<Worker>(current(), QMap<QString, QString>());
    connect(m_worker.get(), &Worker::started, this, [this] {
        report(RunEvent::Kind::HookStarted,
               (m_when == When::Before ? tr("Before the launch: %1. Its output is in %2.")
                                       : tr("After the launch: %1. Its output is in %2."))
                   .arg(commandText(current()), current().logFile));
    });
    // Queued: the worker that says it has ended must not be deleted for the next.
    connect(
        m_worker.get(), &Worker::failedToStart, this,
        [this](int errorNumber, const QString &reason) {
            takeEnd({ExitStatus::Kind::NotStarted, errorNumber}, reason);
        },
        Qt::QueuedConnection);
    connect(
        m_worker.get(), &Worker::exited, this, [this](const ExitStatus &status) { takeEnd(status, {}); },
        Qt::QueuedConnection);
    m_worker->start();
    m_worker->waitForStarted();
}

void HookSequence::takeEnd(const ExitStatus &status, const QString &reason)
{
    report(RunEvent::Kind::HookExited, commandText(current()), status);
    if (!status.isSuccess()) {
        const bool isBefore = m_when == When::Before;
        QString text = isBefore ? tr("A command before the launch failed (%1): %2.")
                                : tr("A command after the launch failed (%1): %2.");
        if (m_isCutShort)
            text = tr("A command was ended (%1): %2.");
        const bool endsTheLaunch = isBefore && !current().mayFail && !m_isCutShort;
        report(endsTheLaunch ? RunEvent::Kind::BeforeFailed : RunEvent::Kind::Note,
               text.arg(reason.isEmpty() ? status.text() : reason, commandText(current())), status);
        m_isCutShort = m_isCutShort || endsTheLaunch;
    }
    ++m_index;
    next();
}

void HookSequence::giveUp()
{
    disconnect(m_worker.get(), nullptr, this, nullptr);
    if (const auto process = readProcess(static_cast<pid_t>(pid())))
        report(RunEvent::Kind::Note, survivalText(*process));
    leaveBehind(std::move(m_worker));
    Q_EMIT finished(false);
}

void HookSequence::tearDown(int graceSeconds)
{
    if (graceSeconds == 0) {
        kill();
        return;
    }
    m_isCutShort = true;
    m_limit.start(graceSeconds * 1000);
    if (m_worker) {
        m_worker->signalGroup(SIGTERM);
        m_worker->signalGroup(SIGCONT);
    }
}

void HookSequence::limit(int seconds)
{
    m_limit.start(seconds * 1000);
}

void HookSequence::kill()
{
    m_isCutShort = true;
    m_isKilled = true;
    if (pid() == 0)
        return;
    m_worker->signalGroup(SIGKILL);
    m_limit.start(unkillableAfter);
}

void HookSequence::report(RunEvent::Kind kind, const QString &text, const std::optional<ExitStatus> &status)
{
    RunEvent event = RunEvent::now(kind);
    event.text = text;
    event.status = status;
    event.pid = m_worker ? m_worker->pid() : 0;
    Q_EMIT happened(event);
}

} // namespace rankdeck
