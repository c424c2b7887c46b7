#include "mainwindow/runlogs/runlogs.h"

#include "collectives/collectivesview.h"
#include "devicedetails/devicedetails.h"
#include "launch/plan/recorderfiles.h"
#include "logview/panes/logtiles.h"
#include "logview/panes/mergedpane.h"
#include "mainwindow/runlogs/terminalboard.h"
#include "mainwindow/session/runsession.h"
#include "preflight/pairs/selftestview.h"
#include "progressplot/progressplot.h"
#include "terminal/view/terminaltiles.h"
#include "widgets/statelook.h"

namespace rankdeck
{

/// True also for a rank that a signal killed, which does not count as failed if one that waited ended first.
static bool hasFailed(const RankState &rank)
{
    return rank.phase == RankPhase::Failed || (rank.phase == RankPhase::Ended && rank.status &&
                                               rank.status->kind == ExitStatus::Kind::Signalled);
}

constexpr int mostTiles = 16;
constexpr int mostMerged = LineIndex::mostLogs / 2; ///< Each may have two logs.
constexpr int mostPlotted = 64;
constexpr int mostDevices = 4096; ///< Rows of a table; of the first mostPlotted there are curves.

/// Converts between the key of a process's log, which is its index, and that of its standard error.
static int errorKey(int process)
{
    return -1 - process;
}

static int processOf(int key)
{
    return key < 0 ? errorKey(key) : key;
}

/// Guards the session: a pane may outlive it for a moment.
static StartLines startLines(RunSession &session)
{
    return [reader = QPointer(&session)](const MergedSpec &spec) {
        return reader ? reader->logs().merge(spec) : nullptr;
    };
}

/// Adds to the results that ranks have printed which ranks have failed since.
static SelfTestResults withFailures(SelfTestResults results, const RunState &state)
{
    const std::size_t processes = state.plan ? std::min(state.plan->processes.size(), state.ranks.size()) : 0;
    for (std::size_t at = 0; at < processes; ++at) {
        const ProcessPlan &process = state.plan->processes[at];
        const int rank = process.rank.value;
        if (process.role != Role::Worker || rank < 0 || rank >= results.ranks.size() ||
            !hasFailed(state.ranks[at]))
            continue;
        SelfTestResults::RankState &its = results.ranks[rank];
        const QString how = state.ranks[at].status ? state.ranks[at].status->text() : QString();
        its.text = its.text.isEmpty() || how.isEmpty() ? its.text + how : inBrackets(its.text, how);
        if (its.stage != SelfTestStage::Failed && its.text.isEmpty())
            its.text = shownWord(RankPhase::Failed);
        its.stage = SelfTestStage::Failed;
    }
    return results;
}

/// Returns the nodes of a plan's ranks; empty if there is only one.
static RankNames rankNames(const LaunchPlan &plan)
{
    RankNames names;
    for (const ProcessPlan &process : plan.processes) {
        const int rank = process.rank.value;
        if (process.role != Role::Worker || rank < 0)
            continue;
        names.nodes.resize(std::max<qsizetype>(names.nodes.size(), rank + 1));
        names.nodes[rank] = process.node;
    }
    if (std::ranges::all_of(names.nodes,
                            [&](const QString &node) { return node == names.nodes.constFirst(); }))
        names.nodes.clear();
    return names;
}

QString processTitle(const ProcessPlan &process)
{
    if (process.role == Role::Tool)
        return RunLogs::tr("%1 at rank %2").arg(process.argv.constFirst()).arg(process.rank.value);
    if (process.device == ProcessPlan::noDevice || process.isRankOpen)
        return processName(process);
    return RunLogs::tr("rank %1  device %2").arg(process.rank.value).arg(process.device.value);
}

QString processStateWords(const RankState &rank, const RunState &run)
{
    const QString word = shownWord(run.shownPhase(rank));
    return rank.status && !rank.status->isSuccess()
               ? RunLogs::tr("%1: %2", "state: exit status").arg(word, rank.status->text())
               : word;
}

int RunLogs::most(Arrangement arrangement)
{
    static constexpr std::array most{mostTiles,   mostMerged, mostPlotted, std::numeric_limits<int>::max(),
                                     mostDevices, mostTiles};
    static_assert(most.size() == std::size_t(Arrangement::Terminals) + 1);
    return most.at(std::size_t(arrangement));
}

RunLogs::RunLogs(QWidget *parent)
    : QStackedWidget(parent)
    , m_tiles(named(new LogTiles(this), "logTiles"))
    , m_merged(new MergedPane(this))
    , m_plot(new ProgressPane(this))
    , m_collectives(new CollectivesView(this))
    , m_selfTest(new SelfTestView(this))
    , m_details(new DeviceDetails(this))
    , m_terminals(new TerminalBoard(this))
{
    setManualPage(this, "logs.md");
    for (QWidget *const view :
         QList<QWidget *>{m_tiles, m_merged, m_plot, m_collectives, m_selfTest, m_details, m_terminals})
        addWidget(view);
    connect(this, &QStackedWidget::currentChanged, this, &RunLogs::updateGeometry);
    connect(m_terminals->tiles(), &TerminalTiles::activated, this, &RunLogs::activated);
    connect(m_collectives, &CollectivesView::dumpsRequested, this, [this] {
        if (m_recorded)
            m_recorded->request(DumpRequest{m_processes});
    });
    connect(m_collectives, &CollectivesView::rankRequested, this, [this](int rank) {
        if (const int process = m_recorded ? m_recorded->state().plan->processOfRank(rank) : -1; process >= 0)
            Q_EMIT activated(process);
    });
    connect(m_terminals->tiles(), &TerminalTiles::zoomRequested, this, &RunLogs::zoomRequested);
    connect(m_tiles, &LogTiles::activated, this, [this](int key) { Q_EMIT activated(processOf(key)); });
    connect(m_tiles, &LogTiles::zoomRequested, this, &RunLogs::zoomRequested);
    connect(m_merged->view(), &LogView::zoomRequested, this, &RunLogs::zoomRequested);
    connect(m_tiles, &LogTiles::highlightRequested, this, &RunLogs::highlightRequested);
    connect(m_merged->view(), &LogView::highlightRequested, this, &RunLogs::highlightRequested);
    connect(m_tiles, &LogTiles::allRequested, this, &RunLogs::allRequested);
    connect(m_merged->view(), &LogView::allRequested, this, &RunLogs::allRequested);
    connect(m_merged, &MergedPane::lineRequested, this,
            [this](int key, qint64 line) { Q_EMIT lineRequested(processOf(key), key < 0, line); });
}

void RunLogs::setLook(const LogLook &look)
{
    m_tiles->setLook(look);
    m_merged->setLook(look);
    if (look.textSize > 0)
        m_terminals->tiles()->setText(look.family, look.textSize);
}

LogView *RunLogs::currentView() const
{
    return currentWidget() == m_merged ? m_merged->view() : m_tiles->currentView();
}

void RunLogs::openFilter()
{
    if (currentWidget() == m_merged)
        m_merged->openFilter();
    else if (LogPane *const pane = m_tiles->currentPane())
        pane->openFilter();
}

void RunLogs::clear()
{
    m_processes.clear();
    m_results = SelfTestResults();
    m_selfTest->setResults(m_results, {});
    endPlot();
    endDevices();
    m_tiles->setTiles({});
    m_merged->setLogs({}, {});
    m_terminals->clear();
}

void RunLogs::show(RunSession &session, const QList<int> &processes, Arrangement arrangement)
{
    m_processes = processes;
    session.show(processes);
    if (arrangement != Arrangement::Devices)
        endDevices();
    if (arrangement != Arrangement::Plotted)
        endPlot();
    if (arrangement != Arrangement::Terminals)
        m_terminals->clear();
    if (arrangement != Arrangement::Merged)
        m_merged->setLogs({}, {});
    if (arrangement != Arrangement::Tiled)
        m_tiles->setTiles({});
    switch (arrangement) {
    case Arrangement::Tiled:
        showTiles(session);
        break;
    case Arrangement::Merged:
        showMerged(session);
        break;
    case Arrangement::Plotted:
        showPlot(session);
        break;
    case Arrangement::Collectives:
        showCollectives(session);
        break;
    case Arrangement::Devices:
        showDevices(session);
        break;
    case Arrangement::Terminals:
        m_terminals->show(session, processes);
        setCurrentWidget(m_terminals);
        break;
    }
}

void RunLogs::showTiles(RunSession &session)
{
    QList<LogTile> tiles;
    QList<LogTile> errorTiles;
    SessionLogs &logs = session.logs();
    for (const int process : std::as_const(m_processes)) {
        const QString title = processTitle(*session.state().planOf(process));
        if (MergedLines *const both = m_areErrorsApart ? nullptr : logs.bothLogs(process)) {
            tiles.append({process, title, both, logs.bothSpecs(process)});
            continue;
        }
        if (LogFollower *follower = logs.log(process))
            tiles.append({process, title, follower, {logs.mergedLog(process, false)}});
        if (LogFollower *follower = logs.errorLog(process))
            errorTiles.append({errorKey(process),
                               tr("%1  standard error").arg(title),
                               follower,
                               {logs.mergedLog(process, true)}});
    }
    tiles += errorTiles.mid(0, mostTiles - tiles.size());
    m_tiles->setTiles(tiles, startLines(session));
    setCurrentWidget(m_tiles);
    setState(session.state());
}

void RunLogs::showPlot(RunSession &session)
{
    if (m_plotted != &session) {
        endPlot();
        m_plotted = &session;
        connect(&session, &RunSession::plotted, m_plot,
                [this](const ProgressCurves &curves) { m_plot->setCurves(m_plotted->state().plan, curves); });
    }
    session.plot(m_processes);
    setCurrentWidget(m_plot);
}

void RunLogs::endPlot()
{
    if (m_plotted) {
        disconnect(m_plotted, &RunSession::plotted, m_plot, nullptr);
        m_plotted->plot({});
    }
    m_plotted.clear();
    m_plot->clear();
}

/// Shows the results of a self-test, or else the findings of the flight recorders.
void RunLogs::showCollectives(RunSession &session)
{
    if (!m_results.ranks.isEmpty()) {
        setCurrentWidget(m_selfTest);
        return;
    }
    m_recorded = &session;
    setCurrentWidget(m_collectives);
    readCollectives(session.state());
}

void RunLogs::readCollectives(const RunState &state)
{
    if (currentWidget() != m_collectives || !state.plan)
        return;
    const LaunchPlan &plan = state.recordedPlan ? *state.recordedPlan : *state.plan;
    // Ranks that end after a time-out have dumped by themselves.
    const int changes = 2 * state.recorderDumps + (isLive(state.phase) ? 0 : 1);
    // In a replay dumps are not there before they were made.
    const bool areLater = state.seenAt.isValid() && changes == 0;
    m_collectives->setFolder(
        areLater ? QString() : writtenRecorderFolder(state.directory, plan, state.attempt), changes);
    m_collectives->setLive(state.isLiveNow());
}

void RunLogs::showDevices(RunSession &session)
{
    if (m_sampled != &session) {
        endDevices();
        m_sampled = &session;
        connect(&session, &RunSession::samplesPlotted, m_details, &DeviceDetails::setCurves);
    }
    QList<int> ranks = m_processes;
    ranks.removeIf(
        [&](int process) { return std::size_t(process) >= session.state().plan->processes.size(); });
    m_details->setProcesses(session.state().directory, session.state().plan, ranks);
    m_details->setLive(isLive(session.state().phase));
    session.plotSamples(ranks.mid(0, mostPlotted));
    setCurrentWidget(m_details);
}

void RunLogs::endDevices()
{
    if (m_sampled) {
        disconnect(m_sampled, &RunSession::samplesPlotted, m_details, nullptr);
        m_sampled->plotSamples({});
    }
    m_sampled.clear();
    m_details->clear();
}

void RunLogs::showMerged(RunSession &session)
{
    QList<MergedTile> logs;
    int color = 0;
    for (const int process : std::as_const(m_processes)) {
        const ProcessPlan &plan = *session.state().planOf(process);
        const bool isWorker = plan.role == Role::Worker;
        for (const bool isError : {false, true}) {
            if (isError && plan.stderrFile.isEmpty())
                continue;
            MergedTile tile{isError ? errorKey(process) : process,
                            session.logs().mergedLog(process, isError)};
            const QString name = processName(plan);
            tile.log.label = isError && m_areErrorsApart ? tr("%1 stderr").arg(name) : name;
            tile.log.rank = isWorker ? plan.rank.value : LogFold::alone;
            tile.log.color = isWorker ? color : LogFold::alone;
            logs.append(tile);
        }
        color += isWorker ? 1 : 0;
    }
    m_merged->setLogs(logs, startLines(session));
    setCurrentWidget(m_merged);
}

void RunLogs::showLine(int process, bool isError, qint64 line)
{
    LogPane *const apart = isError ? m_tiles->pane(errorKey(process)) : nullptr;
    if (LogPane *const pane = apart ? apart : m_tiles->pane(process)) {
        pane->markLine(isError && !apart ? 1 : 0, line);
        pane->view()->setFocus(Qt::OtherFocusReason);
    }
}

void RunLogs::setSelfTest(const SelfTestResults &results, const RunState &state)
{
    m_results = results;
    m_selfTest->setResults(withFailures(results, state), rankNames(*state.plan));
}

void RunLogs::setState(const RunState &state)
{
    if (!m_results.ranks.isEmpty())
        setSelfTest(SelfTestResults(m_results), state);
    readCollectives(state);
    m_terminals->setState(state);
    m_details->setLive(isLive(state.phase));
    for (const int process : std::as_const(m_processes)) {
        const RankState *its = state.stateOf(process);
        if (!its)
            continue; // A tool of the previous attempt.
        const QString words = processStateWords(*its, state);
        for (const int key : {process, errorKey(process)}) {
            m_tiles->setState(key, words);
            if (LogPane *pane = m_tiles->pane(key))
                pane->view()->setEmptyText(its->status || !mayGrow(state.phase) ? tr("No output.")
                                                                                : tr("No output yet."));
        }
    }
}

} // namespace rankdeck
