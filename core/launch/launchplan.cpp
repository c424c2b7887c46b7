#include "launch/launchplan.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

QString inRunDirectory(const QString &path, const QString &runDirectory)
{
    const QString placeholder = QString::fromLatin1(runDirectoryPlaceholder) + QLatin1Char('/');
    return path.startsWith(placeholder) ? runDirectory + QLatin1Char('/') + path.mid(placeholder.size())
                                        : path;
}

constexpr std::array roleWords{"worker", "scheduler", "hook", "tool"};

} // namespace

QString roleWord(Role role)
{
    return QString::fromLatin1(roleWords.at(static_cast<std::size_t>(role)));
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
    return QCoreApplication::translate("LaunchPlan", "%1 nodes over %2 (%3)")
        .arg(plan.nodes.size())
        .arg(plan.transport, names.join(QLatin1String(", ")));
}

LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory)
{
    const auto settle = [&](QString &path) {
        path = inRunDirectory(path, runDirectory);
    };
    settle(plan.rankTableFile);
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

} // namespace rankdeck
