#include "launch/plan/launchplan.h"

#include "base/listcomma.h"
#include "base/wordtable.h"

#include <QDir>

namespace rankdeck
{

namespace
{

using Whom = WaitingTimeout::Whom;

struct KnownTimeout {
    const char *variable;
    int seconds;     ///< By default; 0: none.
    int longSeconds; ///< For a long session; what every device takes.
    Whom whom;
    const char *launcher; ///< Null: any.
};

constexpr std::array knownTimeouts{
    KnownTimeout{"HCCL_CONNECT_TIMEOUT", 120, 7200, Whom::Connecting, nullptr},
    KnownTimeout{"HCCL_EXEC_TIMEOUT", 1836, 17340, Whom::InCollective, nullptr},
    KnownTimeout{"HCCL_EVENT_TIMEOUT", 1868, 17400, Whom::InCollective, "processes"},
    KnownTimeout{"ACL_DEVICE_SYNC_TIMEOUT", 0, 17400, Whom::InCollective, nullptr},
    KnownTimeout{"MS_TOPO_TIMEOUT", 1800, 7200, Whom::Forming, "msrun"},
    KnownTimeout{"MS_NODE_TIMEOUT", 30, 7200, Whom::Halted, "msrun"},
};

QString withoutPlaceholder(const QString &path, const QString &runDirectory)
{
    const QString placeholder = QString::fromLatin1(runDirectoryPlaceholder) + QLatin1Char('/');
    return path.startsWith(placeholder) ? runDirectory + QLatin1Char('/') + path.mid(placeholder.size())
                                        : path;
}

constexpr std::array roleWords{"worker", "scheduler", "hook", "tool", "console"};

} // namespace

std::vector<WaitingTimeout> waitingTimeouts(const ProcessPlan &process, const QString &launcher,
                                            const QProcessEnvironment &environment)
{
    std::vector<WaitingTimeout> timeouts;
    for (const KnownTimeout &known : knownTimeouts) {
        if (known.launcher && launcher != QLatin1String(known.launcher))
            continue;
        const QString variable = QLatin1String(known.variable);
        const QString value = effectiveValue(process, environment, variable);
        bool isNumber = true;
        const int seconds = value.isEmpty() ? known.seconds : value.toInt(&isNumber);
        if (isNumber && seconds > 0)
            timeouts.push_back({variable, seconds, known.whom});
    }
    std::ranges::stable_sort(timeouts, {}, &WaitingTimeout::seconds);
    return timeouts;
}

QString whenText(Whom whom)
{
    const std::array texts{tr("while they connect"), tr("in a collective"),
                           tr("until the cluster is complete"),
                           tr("for a rank that is paused as a whole, e.g. in gdb")};
    return texts.at(static_cast<std::size_t>(whom));
}

QString waitingTimeoutsText(const std::vector<WaitingTimeout> &timeouts)
{
    QStringList parts;
    for (const WaitingTimeout &timeout : timeouts)
        parts << tr("%1 (%2 s) %3")
                     .arg(timeout.variable, QString::number(timeout.seconds), whenText(timeout.whom));
    return parts.join(listComma());
}

QStringList raisedTimeouts(const std::vector<WaitingTimeout> &timeouts)
{
    QStringList variables;
    for (const WaitingTimeout &timeout : timeouts) {
        const auto known = std::ranges::find_if(knownTimeouts, [&](const KnownTimeout &each) {
            return timeout.variable == QLatin1String(each.variable);
        });
        if (known != knownTimeouts.end() && timeout.seconds < known->longSeconds)
            variables << timeout.variable + QLatin1Char('=') + QString::number(known->longSeconds);
    }
    return variables;
}

QString roleWord(Role role)
{
    return wordIn(roleWords, role);
}

QString processName(Role role, Rank rank)
{
    if (role == Role::Console)
        return tr("console");
    return role == Role::Scheduler ? tr("scheduler") : tr("rank %1").arg(rank.value);
}

QString processInSentence(Role role, Rank rank)
{
    if (role == Role::Console)
        return tr("the command");
    return role == Role::Scheduler ? tr("the scheduler") : tr("rank %1").arg(rank.value);
}

QString ProcessPlan::label() const
{
    if (role == Role::Tool)
        return logFile.section(QLatin1Char('/'), -1).section(QLatin1Char('.'), 0, 0);
    if (role != Role::Worker)
        return roleWord(role);
    if (device == noDevice)
        return QStringLiteral("proc-rank-%1").arg(rank.value);
    return QStringLiteral("proc-rank-%1-device-%2").arg(rank.value).arg(device.value);
}

QString effectiveValue(const ProcessPlan &process, const QProcessEnvironment &environment,
                       const QString &name)
{
    if (process.setVariables.contains(name))
        return process.setVariables.value(name);
    return process.removeVariables.contains(name) ? QString() : environment.value(name);
}

QString cannDirectory(const ProcessPlan &process, const QProcessEnvironment &environment)
{
    const QString work = effectiveValue(process, environment, QStringLiteral("ASCEND_WORK_PATH"));
    return work.isEmpty() ? QDir::homePath() + QStringLiteral("/ascend") : work;
}

QString plogDirectory(const ProcessPlan &process, const QProcessEnvironment &environment)
{
    const QString own = effectiveValue(process, environment, QStringLiteral("ASCEND_PROCESS_LOG_PATH"));
    return own.isEmpty() ? cannDirectory(process, environment) + QStringLiteral("/log") : own;
}

QMap<QString, QString> commonVariables(const std::vector<ProcessPlan> &processes)
{
    QMap<QString, QString> common = processes.back().setVariables;
    erase_if(common, [&](QMap<QString, QString>::iterator variable) {
        return std::ranges::any_of(processes, [&](const ProcessPlan &process) {
            const auto found = process.setVariables.constFind(variable.key());
            return found == process.setVariables.cend() || *found != *variable;
        });
    });
    return common;
}

QString inRunDirectory(const QString &path)
{
    return QLatin1String(runDirectoryPlaceholder) + path;
}

QString placeOf(const LaunchPlan &plan)
{
    constexpr std::size_t shown = 8;
    if (plan.transport.isEmpty())
        return plan.thisNode;
    QStringList names;
    for (std::size_t index = 0; index < std::min(plan.nodes.size(), shown); ++index)
        names << plan.nodes[index].node;
    if (plan.nodes.size() > shown)
        names << QStringLiteral("…");
    return tr("%n nodes over %1 (%2)", "%n node over %1 (%2)", static_cast<int>(plan.nodes.size()))
        .arg(plan.transport, names.join(nameComma()));
}

LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory)
{
    const auto settle = [&](QString &path) {
        path = withoutPlaceholder(path, runDirectory);
    };
    settle(plan.rankTableFile);
    settle(plan.inventedNpuSmi);
    for (PlannedFile &file : plan.files)
        settle(file.path);
    for (std::vector<ProcessPlan> *list : {&plan.before, &plan.processes, &plan.after}) {
        for (ProcessPlan &process : *list) {
            settle(process.logFile);
            settle(process.stderrFile);
            for (QString &directory : process.makeDirectories)
                settle(directory);
            const QString placeholder = QString::fromLatin1(runDirectoryPlaceholder) + QLatin1Char('/');
            for (int word = 0; word < process.wrapperWords; ++word)
                process.argv[word].replace(placeholder, runDirectory + QLatin1Char('/'));
            for (QString &value : process.setVariables)
                settle(value);
        }
    }
    return plan;
}

int LaunchPlan::processOfRank(int rank) const
{
    const auto found = std::ranges::find_if(processes, [rank](const ProcessPlan &process) {
        return process.role == Role::Worker && process.rank.value == rank;
    });
    return found == processes.end() ? -1 : static_cast<int>(found - processes.begin());
}

} // namespace rankdeck
