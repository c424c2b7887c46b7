#include "agent/stacks/stacktools.h"

#include "run/exitstatus.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace rankdeck
{

namespace
{

struct StackWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::StackWords)
};

bool isRefusal(const QString &said)
{
    for (const char *words : {"not permitted", "permission denied"}) {
        if (said.contains(QLatin1String(words), Qt::CaseInsensitive))
            return true;
    }
    return false;
}

} // namespace

StackTools StackTools::inPath(const QString &searchPath)
{
    const QStringList folders = searchPath.split(QLatin1Char(':'), Qt::SkipEmptyParts);
    const auto find = [&](const char *name) {
        return folders.isEmpty() ? QString() : QStandardPaths::findExecutable(QLatin1String(name), folders);
    };
    return {find("py-spy"), find("gdb"), find("eu-stack")};
}

QString StackWay::text() const
{
    if (command.isEmpty())
        return StackWords::tr("%1 (faulthandler)").arg(ExitStatus::signalName(signalNumber));
    QStringList words = command;
    words.first() = QFileInfo(words.first()).fileName();
    return words.join(QLatin1Char(' '));
}

std::vector<StackWay> stackWays(const StackTools &tools, const ProcessLook &process, int dumpSignal)
{
    std::vector<StackWay> ways;
    const QString pid = QString::number(process.info.pid);
    if (process.isPython && !tools.pySpy.isEmpty())
        ways.push_back({{tools.pySpy, QStringLiteral("dump"), QStringLiteral("--pid"), pid}});
    const bool isStopped = process.info.state == 'T' || process.info.state == 't';
    if (process.isPython && process.catches(dumpSignal) && !isStopped)
        ways.push_back({{}, dumpSignal});
    // Without the user's own settings of gdb, without questions, and without words on scripts that it might
    // load.
    if (!tools.gdb.isEmpty())
        ways.push_back({{tools.gdb, QStringLiteral("-p"), pid, QStringLiteral("-nx"), QStringLiteral("-iex"),
                         QStringLiteral("set auto-load off"), QStringLiteral("-batch"), QStringLiteral("-ex"),
                         QStringLiteral("thread apply all bt")}});
    if (!tools.euStack.isEmpty())
        ways.push_back({{tools.euStack, QStringLiteral("-p"), pid}});
    return ways;
}

QString rankName(const ProcessPlan &process)
{
    return process.role == Role::Scheduler ? StackWords::tr("the scheduler")
                                           : StackWords::tr("rank %1").arg(process.rank.value);
}

QString noStacksText(const QString &who, const QString &tried, const QString &said, int ptraceScope)
{
    if (tried.isEmpty())
        return StackWords::tr("There are no stacks of %1: neither py-spy nor gdb nor eu-stack is installed "
                              "where it runs, and it listens to no --dump-signal. Install one of them there, "
                              "such as elfutils for eu-stack.")
            .arg(who);
    if (!isRefusal(said))
        return StackWords::tr("There are no stacks of %1: %2 failed%3. Try again, or run it there by hand.")
            .arg(who, tried, said.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(said));
    const QString why =
        StackWords::tr("There are no stacks of %1: %2 may not look into it (%3).").arg(who, tried, said);
    if (ptraceScope > 0)
        return why + QLatin1Char(' ') +
               StackWords::tr("kernel.yama.ptrace_scope is %1 there: as root, set it to 0 with sysctl, or "
                              "register faulthandler in the program and launch with --dump-signal.")
                   .arg(ptraceScope);
    return why + QLatin1Char(' ') +
           StackWords::tr("In a container, give it the capability SYS_PTRACE, or register faulthandler in "
                          "the program and launch with --dump-signal.");
}

int ptraceScopeOfHost()
{
    QFile file(QStringLiteral("/proc/sys/kernel/yama/ptrace_scope"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    bool isNumber = false;
    const int scope = file.readAll().trimmed().toInt(&isNumber);
    return isNumber ? scope : -1;
}

} // namespace rankdeck
