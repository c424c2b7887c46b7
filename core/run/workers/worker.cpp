#include "run/worker.h"

#include "run/processsettings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

int problemWith(const QString &path)
{
    const QByteArray name = QFile::encodeName(path);
    if (access(name.constData(), F_OK) != 0)
        return errno;
    if (QFileInfo(path).isDir())
        return EACCES;
    return access(name.constData(), X_OK) == 0 ? 0 : errno;
}

/// Runs between fork and exec: only calls that are safe there.
void becomeRank(pid_t agent, const ProcessSettings &settings, const Terminal *terminal)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The agent may have died before the line above.
    if (getppid() != agent)
        _exit(127);
    if (terminal && !terminal->adopt())
        _exit(127);
    // Ignored signals stay ignored across exec; a rank must not inherit ours.
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
        signal(number, SIG_DFL);
    if (const char *words = settings.apply()) {
        // Standard error is the rank's log by now.
        const auto written = write(STDERR_FILENO, words, std::strlen(words));
        _exit(written > 0 ? 126 : 127);
    }
}

/// A child that could not become its program has said so and is on its way out, but for a moment it looks
/// like something that was left over. Its exit code stays for QProcess.
void awaitEnd(pid_t child)
{
    siginfo_t info{};
    while (child > 0 && waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
}

} // namespace

ProgramSearch findProgram(const QString &program, const QString &workDir, const QString &searchPath)
{
    if (program.contains(QLatin1Char('/'))) {
        const QString path = QDir(workDir).absoluteFilePath(program);
        return {path, problemWith(path)};
    }
    ProgramSearch best{program, ENOENT};
    const QStringList folders = searchPath.split(QLatin1Char(':'), Qt::SkipEmptyParts);
    for (const QString &folder : folders) {
        const QString path = QDir(workDir).absoluteFilePath(folder) + QLatin1Char('/') + program;
        const int problem = problemWith(path);
        if (problem == 0)
            return {path, 0};
        if (problem == EACCES)
            best = {path, EACCES};
    }
    return best;
}

QProcessEnvironment environmentFor(const ProcessPlan &plan, QProcessEnvironment base)
{
    for (const QString &name : plan.removeVariables)
        base.remove(name);
    for (auto it = plan.setVariables.begin(); it != plan.setVariables.end(); ++it)
        base.insert(it.key(), it.value());
    return base;
}

QString searchPathFor(const ProcessPlan &plan, const QProcessEnvironment &base)
{
    const QString name = QStringLiteral("PATH");
    const bool isRemoved = plan.removeVariables.contains(name);
    return plan.setVariables.value(name, isRemoved ? QString() : base.value(name));
}

Worker::Worker(const ProcessPlan &plan, const QMap<QString, QString> &variables, QObject *parent)
    : QObject(parent)
    , m_plan(plan)
{
    m_plan.setVariables.insert(variables);
    connect(&m_process, &QProcess::started, this, [this] { Q_EMIT started(m_pid); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        awaitEnd(static_cast<pid_t>(m_pid));
        Q_EMIT failedToStart(ENOEXEC,
                             QStringLiteral("%1: %2").arg(m_process.program(), m_process.errorString()));
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        if (m_terminal)
            m_terminal->drain();
        // For a process that a signal ended QProcess hands on the signal's number as the code.
        Q_EMIT exited(
            {how == QProcess::NormalExit ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code});
    });
}

void Worker::start(const QProcessEnvironment &base)
{
    const QProcessEnvironment environment = environmentFor(m_plan, base);
    const ProgramSearch program =
        findProgram(m_plan.argv.first(), m_plan.workDir, environment.value(QStringLiteral("PATH")));
    if (program.errorNumber != 0) {
        Q_EMIT failedToStart(program.errorNumber,
                             QStringLiteral("%1: %2").arg(program.path, errnoWords(program.errorNumber)));
        return;
    }
    for (const QString &directory : m_plan.makeDirectories)
        QDir().mkpath(directory);
    m_process.setProgram(program.path);
    m_process.setArguments(m_plan.argv.mid(1));
    m_process.setWorkingDirectory(m_plan.workDir);
    m_process.setProcessEnvironment(environment);
    if (const auto error = connectStreams()) {
        Q_EMIT failedToStart(EIO, error->sentence());
        return;
    }
    m_process.setChildProcessModifier(
        [agent = getpid(), settings = ProcessSettings(m_plan), terminal = m_terminal.get()] {
            becomeRank(agent, settings, terminal);
        });
    m_process.start();
    m_pid = m_process.processId();
}

std::optional<Error> Worker::connectStreams()
{
    if (m_plan.hasTerminal) {
        auto terminal = Terminal::open(m_plan.logFile);
        if (!terminal)
            return terminal.error();
        m_terminal = std::move(terminal.value());
        connect(m_terminal.get(), &Terminal::printed, this, &Worker::printed);
        // The child puts its terminal in their place.
        m_process.setInputChannelMode(QProcess::ForwardedInputChannel);
        m_process.setProcessChannelMode(QProcess::ForwardedChannels);
        return std::nullopt;
    }
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(m_plan.logFile, QIODevice::Append);
    if (m_plan.stderrFile.isEmpty())
        m_process.setProcessChannelMode(QProcess::MergedChannels);
    else
        m_process.setStandardErrorFile(m_plan.stderrFile, QIODevice::Append);
    return std::nullopt;
}

void Worker::signalGroup(int signalNumber)
{
    if (m_process.state() == QProcess::Running)
        ::kill(static_cast<pid_t>(-m_pid), signalNumber);
}

void leaveBehind(std::unique_ptr<Worker> worker)
{
    // Never destroyed, and still known to who looks for lost memory.
    static auto *const hanging = new std::vector<std::unique_ptr<Worker>>;
    hanging->push_back(std::move(worker));
}

} // namespace rankdeck
