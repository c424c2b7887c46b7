#include "device/toolprocess.h"

#include <QProcess>
#include <QProcessEnvironment>

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace rankdeck
{

void prepareTool(QProcess &process)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    // The driver's tools do not work with it.
    environment.remove(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"));
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); // A program that hangs does not outlive who asked.
    });
}

void killTool(QProcess &process)
{
    // Not yet waited for, so that nobody else can have the pid.
    const auto pid = static_cast<pid_t>(process.processId());
    if (pid > 0 && ::kill(-pid, SIGKILL) != 0)
        process.kill(); // It has not come to its own group yet.
}

void abandonTool(QProcess *process)
{
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    killTool(*process);
}

} // namespace rankdeck
