#include "launch/plan/processplan.h"

#include "base/wordtable.h"

#include <QDir>
#include <QRegularExpression>

namespace rankdeck
{

constexpr std::array roleWords{"worker", "scheduler", "hook", "tool", "console"};

QString roleWord(Role role)
{
    return wordIn(roleWords, role);
}

Role roleFrom(const QString &word)
{
    return valueIn<Role>(roleWords, word).value_or(Role::Worker);
}

Sentence processName(Role role, Rank rank)
{
    if (role == Role::Console)
        return Sentence::tr("console");
    return role == Role::Scheduler ? Sentence::tr("scheduler") : Sentence::tr("rank %1").arg(rank.value);
}

Sentence processInSentence(Role role, Rank rank)
{
    if (role == Role::Console)
        return Sentence::tr("the command");
    return role == Role::Scheduler ? Sentence::tr("the scheduler") : Sentence::tr("rank %1").arg(rank.value);
}

Sentence processName(const ProcessPlan &process)
{
    return process.isRankOpen ? Sentence::tr("device %1").arg(process.device.value)
                              : processName(process.role, process.rank);
}

Sentence processInSentence(const ProcessPlan &process)
{
    return process.isRankOpen ? Sentence::tr("the process of device %1").arg(process.device.value)
                              : processInSentence(process.role, process.rank);
}

QString ProcessPlan::label() const
{
    if (role == Role::Tool)
        return logFile.section('/'_L1, -1).section('.'_L1, 0, 0);
    if (role != Role::Worker)
        return roleWord(role);
    if (isRankOpen)
        return u"proc-device-%1"_s.arg(device.value);
    if (device == noDevice)
        return u"proc-rank-%1"_s.arg(rank.value);
    return u"proc-rank-%1-device-%2"_s.arg(rank.value).arg(device.value);
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
    const QString work = effectiveValue(process, environment, u"ASCEND_WORK_PATH"_s);
    return work.isEmpty() ? QDir::homePath() + u"/ascend"_s : work;
}

qint64 plogPid(const QString &path)
{
    static const QRegularExpression form(u"(?:^|/)plog-(\\d{1,10})_\\d{1,20}\\.log$"_s);
    return form.match(path).captured(1).toLongLong();
}

QString plogDirectory(const ProcessPlan &process, const QProcessEnvironment &environment)
{
    const QString own = effectiveValue(process, environment, u"ASCEND_PROCESS_LOG_PATH"_s);
    return own.isEmpty() ? cannDirectory(process, environment) + u"/log"_s : own;
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

} // namespace rankdeck
