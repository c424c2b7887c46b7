#include "run/worker.h"

#include "cpuset.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <sys/prctl.h>
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
void becomeRank(pid_t agent, const CpuSet *cpus)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The agent may have died before the line above.
    if (getppid() != agent)
        _exit(127);
    // Ignored signals stay ignored across exec; a rank must not inherit ours.
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
        signal(number, SIG_DFL);
    if (cpus && !cpus->apply()) {
        // Standard error is the rank's log by now.
        constexpr char words[] = "rankdeck: none of the cpus that the plan names can be used here\n";
        const auto written = write(STDERR_FILENO, words, sizeof words - 1);
        _exit(written > 0 ? 126 : 127);
    }
}

} // namespace

ProgramSearch findProgram(const QString &program, const QString &workDir,
                          const QProcessEnvironment &environment)
{
    if (program.contains(QLatin1Char('/'))) {
        const QString path = QDir(workDir).absoluteFilePath(program);
        return {path, problemWith(path)};
    }
    ProgramSearch best{program, ENOENT};
    const QStringList folders =
        environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts);
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

Worker::Worker(const ProcessPlan &plan, const QMap<QString, QString> &variables, QObject *parent)
    : QObject(parent)
    , m_plan(plan)
{
    m_plan.setVariables.insert(variables);
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        // For a process that a signal ended QProcess hands on the signal's number as the code.
        Q_EMIT exited(
            {how == QProcess::NormalExit ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, code});
    });
}

void Worker::start()
{
    const QProcessEnvironment environment = environmentFor(m_plan, QProcessEnvironment::systemEnvironment());
    const ProgramSearch program = findProgram(m_plan.argv.first(), m_plan.workDir, environment);
    if (program.errorNumber != 0) {
        Q_EMIT failedToStart(program.errorNumber,
                             QStringLiteral("%1: %2").arg(
                                 program.path, QString::fromLocal8Bit(std::strerror(program.errorNumber))));
        return;
    }
    for (const QString &directory : m_plan.makeDirectories)
        QDir().mkpath(directory);
    m_process.setProgram(program.path);
    m_process.setArguments(m_plan.argv.mid(1));
    m_process.setWorkingDirectory(m_plan.workDir);
    m_process.setProcessEnvironment(environment);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(m_plan.logFile, QIODevice::Append);
    if (m_plan.stderrFile.isEmpty())
        m_process.setProcessChannelMode(QProcess::MergedChannels);
    else
        m_process.setStandardErrorFile(m_plan.stderrFile, QIODevice::Append);
    std::optional<CpuSet> cpus;
    if (!m_plan.cpus.isEmpty())
        cpus.emplace(m_plan.cpus);
    m_process.setChildProcessModifier(
        [agent = getpid(), cpus] { becomeRank(agent, cpus ? &*cpus : nullptr); });
    m_process.start();
    if (!m_process.waitForStarted(-1)) {
        Q_EMIT failedToStart(ENOEXEC, QStringLiteral("%1: %2").arg(program.path, m_process.errorString()));
        return;
    }
    m_pid = m_process.processId();
    Q_EMIT started(m_pid);
}

void Worker::signalGroup(int signalNumber)
{
    if (isRunning() && m_pid > 0)
        ::kill(static_cast<pid_t>(-m_pid), signalNumber);
}

} // namespace rankdeck
