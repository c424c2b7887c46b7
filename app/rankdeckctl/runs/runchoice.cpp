#include "rankdeckctl/runs/runchoice.h"

#include "base/listcomma.h"
#include "base/numberranges.h"
#include "diagnosis/failure/runresults.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/console/rungiven.h"

namespace rankdeck
{

Result<QList<int>> workersOf(const LaunchPlan &plan, const QString &ranks)
{
    if (ranks == "all"_L1)
        return processesWhere(plan, [](const ProcessPlan &process) { return process.role == Role::Worker; });
    const auto wanted = ranksGiven(ranks);
    if (!wanted)
        return wanted.error();
    QList<int> found;
    for (const int rank : *wanted) {
        const int process = plan.processOfRank(rank);
        if (process < 0)
            return Error{tr("this run started no rank %1 here").arg(rank), u"--rank"_s, {}};
        found << process;
    }
    std::ranges::sort(found);
    return found;
}

QString namesOf(const LaunchPlan &plan, const QList<int> &processes)
{
    QList<int> ranks;
    QStringList others;
    for (const int process : processes) {
        const ProcessPlan &each = plan.processes[std::size_t(process)];
        if (each.role == Role::Worker)
            ranks << each.rank.value;
        else
            others << each.label();
    }
    std::ranges::sort(ranks);
    if (!ranks.isEmpty())
        others.prepend(tr("ranks %1", "rank %1", int(ranks.size())).arg(numberRanges(ranks)));
    return others.join(listComma());
}

QList<int> runningProcesses(const RunState &state)
{
    QList<int> running;
    for (std::size_t process = 0; process < state.ranks.size(); ++process) {
        if (state.ranks[process].phase == RankPhase::Running)
            running << int(process);
    }
    return running;
}

Result<ChosenRun> chooseRun(const Result<QString> &directory)
{
    if (!directory)
        return directory.error();
    const auto record = readRunRecord(*directory);
    if (!record)
        return record.error();
    return ChosenRun{*directory, *record};
}

Result<ChosenRun> chooseLiveRun(const Result<QString> &directory, const QString &mend)
{
    const auto run = chooseRun(directory);
    if (run && !isLive(currentPhase(run->record)))
        return Error{tr("this run has ended: it has no processes"), run->record.name, mend};
    return run;
}

int printResults(const QString &runDirectory, int code)
{
    const auto state = RunReader(runDirectory).open();
    if (!state)
        return refuse(state.error());
    printJson(runResults(*state));
    return code;
}

void sayProblems(RunClient &client)
{
    QObject::connect(&client, &RunClient::failed, [](const QString &sentence) {
        complain(sentence);
        QCoreApplication::exit(unusableInput);
    });
    QObject::connect(&client, &RunClient::refused, &complain);
}

int watchRun(RunClient &client)
{
    QMetaObject::invokeMethod(&client, &RunClient::open, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

void exitLater(int code)
{
    QMetaObject::invokeMethod(
        qApp, [code] { QCoreApplication::exit(code); }, Qt::QueuedConnection);
}

RunWatcher::RunWatcher(const QString &runDirectory)
    : m_client(runDirectory)
{
    QObject::connect(&m_client, &RunClient::stateChanged, [this](const RunState &state) { setState(state); });
    sayProblems(m_client);
}

void RunWatcher::setState(const RunState &state)
{
    const std::optional<RunState> before = std::exchange(m_state, state);
    if (!m_hasAsked && isLive(state.phase) && !isReady(state))
        return;
    const bool hadAsked = std::exchange(m_hasAsked, true);
    if (!hadAsked)
        request(m_client, state);
    if (update(state, hadAsked ? &*before : nullptr) || !isLive(state.phase))
        QCoreApplication::quit();
}

} // namespace rankdeck
