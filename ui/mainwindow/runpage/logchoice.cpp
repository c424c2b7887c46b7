#include "mainwindow/runpage/logchoice.h"

#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "logview/view/logview.h"
#include "mainwindow/runlogs/terminalboard.h"
#include "mainwindow/session/runsession.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"

#include <numeric>

namespace rankdeck
{

constexpr int notUrgent = 2;

/// Returns the indexes in `plan` of the processes that have the indexes `shown` in `before`.
static QList<int> sameProcesses(const LaunchPlan &before, const QList<int> &shown, const LaunchPlan &plan)
{
    QList<int> same;
    for (const int index : shown) {
        if (size_t(index) >= before.processes.size())
            continue; // Tools end with the plan they belong to.
        const ProcessPlan &process = before.processes.at(size_t(index));
        const auto found = std::ranges::find_if(plan.processes, [&process](const ProcessPlan &other) {
            return other.role == process.role && other.rank == process.rank && other.node == process.node;
        });
        if (found != plan.processes.cend())
            same.append(int(found - plan.processes.cbegin()));
    }
    return same;
}

/// Returns 0 for a process that failed, 1 for a stalled one, notUrgent for others.
static int urgency(const RunState &state, int process)
{
    const RankState *const its = state.stateOf(process);
    if (its && state.shownPhase(*its) == RankPhase::Failed)
        return 0;
    return state.silentSince(process).isValid() ? 1 : notUrgent;
}

LogChoice::LogChoice(DeviceGrid *grid, RunLogs *logs, QObject *parent)
    : QObject(parent)
    , m_grid(grid)
    , m_logs(logs)
{
    connect(m_grid, &DeviceGrid::ranksChosen, this, &LogChoice::showRanks);
    connect(m_logs, &RunLogs::activated, this, [this](int process) {
        const bool areTerminals = m_arrangement == RunLogs::Arrangement::Terminals;
        const bool isOne = m_shown.size() == 1;
        const QList<int> before = std::exchange(m_beforeOne, isOne ? QList<int>() : m_wanted);
        choose(!isOne                     ? QList<int>{process}
               : before.contains(process) ? before
                                          : allProcesses(),
               areTerminals ? RunLogs::Arrangement::Terminals : RunLogs::Arrangement::Tiled);
    });
    connect(m_logs, &RunLogs::showAgainRequested, this, [this] {
        if (!m_shown.isEmpty())
            show(QList<int>(m_wanted), m_arrangement);
    });
    connect(m_logs, &RunLogs::lineRequested, this, [this](int process, bool isError, qint64 line) {
        choose({process});
        m_logs->showLine(process, isError, line);
    });
}

void LogChoice::setSession(RunSession *session)
{
    show({}); // The panes use the old session's followers until they show no logs.
    m_session = session;
    m_chosen.clear();
    m_userChose = false;
    m_plan.reset();
    m_beforeOne.clear();
    m_isSelfTest = false;
    m_root = -1;
    m_suggested.reset();
}

const RunState &LogChoice::state() const
{
    static const RunState nothing;
    return m_session ? m_session->state() : nothing;
}

void LogChoice::setState(const RunState &state)
{
    if (state.plan != m_plan) {
        m_beforeOne.clear();
        const QList<int> wanted = m_plan ? sameProcesses(*m_plan, m_wanted, *state.plan) : QList<int>();
        m_chosen = m_plan ? sameProcesses(*m_plan, m_chosen, *state.plan) : QList<int>();
        m_plan = state.plan;
        show(wanted, m_arrangement);
    }
    if (!m_userChose && !m_isSelfTest)
        showFirst();
    makeRoom();
    m_logs->setState(state);
}

void LogChoice::setSelfTest(const SelfTestResults &results)
{
    m_logs->setSelfTest(results, state());
    if (!std::exchange(m_isSelfTest, true) && !m_userChose)
        show(allProcesses(), RunLogs::Arrangement::Collectives);
}

void LogChoice::suggest(DemoView view)
{
    if (m_userChose || m_isSelfTest || m_shown.isEmpty() || std::exchange(m_suggested, view) == view)
        return;
    if (view == DemoView::Log) {
        if (m_shown.size() > 1)
            m_shown.clear();
        showFirst();
    } else if (view != DemoView::Terminals) { // showFirst() shows those.
        show(allProcesses(), view == DemoView::Curves    ? RunLogs::Arrangement::Plotted
                             : view == DemoView::Devices ? RunLogs::Arrangement::Devices
                                                         : RunLogs::Arrangement::Collectives);
    }
}

LogChoice::View LogChoice::view() const
{
    if (m_arrangement == RunLogs::Arrangement::Tiled)
        return m_shown.size() > 1 ? View::Tiled : View::Log;
    static constexpr std::array views{View::Tiled,       View::Merged,  View::Curves,
                                      View::Collectives, View::Devices, View::Terminals};
    static_assert(views.size() == std::size_t(RunLogs::Arrangement::Terminals) + 1);
    return views.at(std::size_t(m_arrangement));
}

QList<int> LogChoice::ranks() const
{
    const RunState &run = state();
    QList<int> ranks;
    QSet<int> known;
    for (const int index : m_shown) {
        const size_t at = size_t(index);
        const size_t tool = at - run.ranks.size();
        const int rank = at < run.ranks.size()     ? index
                         : tool < run.tools.size() ? run.tools[tool].process
                                                   : -1;
        if (rank < 0 || known.contains(rank))
            continue;
        known.insert(rank);
        ranks << rank;
    }
    return ranks;
}

void LogChoice::showTool(int index)
{
    choose({index}, RunLogs::Arrangement::Terminals);
    focusTerminal();
}

void LogChoice::showFirst()
{
    const LaunchPlan &plan = *state().plan;
    int process = m_root >= 0 && state().hasTrouble() ? m_root : failedProcess(state());
    if (process < 0 && !m_shown.isEmpty())
        return; // One that had failed and was started again stays.
    if (process < 0) {
        const auto first =
            std::ranges::min_element(plan.processes, [](const ProcessPlan &one, const ProcessPlan &other) {
                return std::pair(one.role, one.rank) < std::pair(other.role, other.rank);
            });
        process = first == plan.processes.cend() ? -1 : int(first - plan.processes.cbegin());
    }
    if (process < 0 || m_shown == QList<int>{process})
        return;
    const bool isTyped = plan.processes[size_t(process)].hasTerminal && state().isLiveNow();
    show({process}, isTyped ? RunLogs::Arrangement::Terminals : RunLogs::Arrangement::Tiled);
    m_grid->reveal(process);
}

QList<int> LogChoice::urgentFirst(QList<int> processes) const
{
    const QSet<int> chosen(m_chosen.cbegin(), m_chosen.cend());
    std::ranges::stable_sort(processes, {}, [&](int process) {
        return (chosen.contains(process) ? 0 : notUrgent + 1) + urgency(state(), process);
    });
    return processes;
}

void LogChoice::makeRoom()
{
    if (m_arrangement != RunLogs::Arrangement::Tiled || m_wanted.size() == m_shown.size())
        return;
    const QList<int> first = urgentFirst(m_wanted).mid(0, m_shown.size());
    const bool isMissing = std::ranges::any_of(first, [this](int process) {
        return urgency(state(), process) < notUrgent && !m_shown.contains(process);
    });
    if (isMissing)
        show(m_wanted, m_arrangement);
}

void LogChoice::show(const QList<int> &processes, RunLogs::Arrangement arrangement)
{
    const int most = RunLogs::most(arrangement);
    const bool wereCut = m_wanted.size() > m_shown.size();
    m_arrangement = arrangement;
    m_wanted = processes;
    if (processes.size() < allProcesses().size())
        m_chosen = processes;
    // Fewer logs are seen at a glance, so each keeps its place.
    const bool areMany = processes.size() > RunLogs::most(RunLogs::Arrangement::Tiled);
    m_shown = (areMany ? urgentFirst(processes) : processes).mid(0, most);
    if (m_shown.isEmpty())
        m_logs->clear();
    else
        m_logs->show(*m_session, m_shown, arrangement);
    m_grid->setChosen(ranks());
    Q_EMIT changed();
    if (processes.size() > most)
        Q_EMIT message(tr("%1 of %2 logs are shown: chosen, failed and stalled ranks first.")
                           .arg(QLocale().toString(most), QLocale().toString(processes.size())));
    else if (wereCut)
        Q_EMIT message({}); // The message would contradict the new view.
}

void LogChoice::choose(const QList<int> &processes, RunLogs::Arrangement arrangement)
{
    m_userChose = true;
    show(processes, arrangement);
    Q_EMIT chosen();
}

void LogChoice::showRanks(const QList<int> &processes)
{
    // The collectives are those of all ranks.
    const bool isAlone = m_arrangement == RunLogs::Arrangement::Collectives ||
                         (processes.size() == 1 && m_arrangement == RunLogs::Arrangement::Merged);
    const bool isAtPrompt = processes.size() == 1 && state().ranks.at(size_t(processes.constFirst())).prompt;
    choose(processes, isAtPrompt ? RunLogs::Arrangement::Terminals
                      : isAlone  ? RunLogs::Arrangement::Tiled
                                 : m_arrangement);
}

void LogChoice::showOneRank()
{
    if (m_shown.isEmpty())
        return;
    const int process = m_grid->currentProcess();
    choose({process < 0 ? m_shown.constFirst() : process});
}

QList<int> LogChoice::allProcesses() const
{
    QList<int> all(state().plan ? static_cast<int>(state().plan->processes.size()) : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void LogChoice::focusTerminal()
{
    if (TerminalPane *const pane = m_logs->terminals()->tiles()->currentPane())
        pane->setFocus(Qt::OtherFocusReason);
}

void LogChoice::showTerminals()
{
    const bool areShown = m_arrangement == RunLogs::Arrangement::Terminals;
    choose(m_shown, areShown ? RunLogs::Arrangement::Tiled : RunLogs::Arrangement::Terminals);
    LogView *const view = m_logs->currentView();
    if (areShown && view)
        view->setFocus(Qt::OtherFocusReason);
    focusTerminal();
}

void LogChoice::showLine(int process, const QString &file, qint64 line)
{
    choose({process});
    const ProcessPlan &plan = state().plan->processes.at(static_cast<std::size_t>(process));
    if (line >= 0 && (file == plan.logFile || file == plan.stderrFile))
        m_logs->showLine(process, file == plan.stderrFile, line);
}

} // namespace rankdeck
