#include "mainwindow/runlogs.h"

#include "devicedetails/devicedetails.h"
#include "logview/logpane.h"
#include "logview/logtiles.h"
#include "logview/logview.h"
#include "logview/mergedpane.h"
#include "mainwindow/processtitle.h"
#include "mainwindow/runsession.h"
#include "mainwindow/selftestofrun.h"
#include "mainwindow/terminalboard.h"
#include "preflight/selftestview.h"
#include "progressplot/progresspane.h"
#include "terminal/terminaltiles.h"

#include <limits>

namespace rankdeck
{

namespace
{

constexpr int mostTiles = 16;
constexpr int mostMerged = 256; ///< Each is an open file.
constexpr int mostPlotted = 64;
constexpr int mostDevices = 4096; ///< Rows of a table; of the first mostPlotted there are curves.

/// A process's log has its index as its key, its standard error this one; and the other way round.
int errorKey(int process)
{
    return -1 - process;
}

int processOf(int key)
{
    return key < 0 ? errorKey(key) : key;
}

/// A pane may outlive the session for a moment.
StartLines startLines(RunSession &session)
{
    return [reader = QPointer(&session)](const MergedSpec &spec) {
        return reader ? reader->merge(spec) : nullptr;
    };
}

} // namespace

int RunLogs::most(Arrangement arrangement)
{
    switch (arrangement) {
    case Arrangement::Tiled:
    case Arrangement::Terminals:
        return mostTiles;
    case Arrangement::Merged:
        return mostMerged;
    case Arrangement::Plotted:
        return mostPlotted;
    case Arrangement::Devices:
        return mostDevices;
    case Arrangement::Collectives:
        return std::numeric_limits<int>::max();
    }
    return mostTiles;
}

RunLogs::RunLogs(QWidget *parent)
    : QStackedWidget(parent)
    , m_tiles(new LogTiles(this))
    , m_merged(new MergedPane(this))
    , m_plot(new ProgressPane(this))
    , m_selfTest(new SelfTestView(this))
    , m_details(new DeviceDetails(this))
    , m_terminals(new TerminalBoard(this))
{
    m_tiles->setObjectName(QStringLiteral("logTiles"));
    addWidget(m_tiles);
    addWidget(m_merged);
    addWidget(m_plot);
    addWidget(m_selfTest);
    addWidget(m_details);
    addWidget(m_terminals);
    connect(m_terminals->tiles(), &TerminalTiles::activated, this, &RunLogs::activated);
    connect(m_terminals->tiles(), &TerminalTiles::zoomWanted, this, &RunLogs::zoomWanted);
    connect(m_tiles, &LogTiles::activated, this, [this](int key) { Q_EMIT activated(processOf(key)); });
    connect(m_tiles, &LogTiles::zoomWanted, this, &RunLogs::zoomWanted);
    connect(m_merged->view(), &LogView::zoomWanted, this, &RunLogs::zoomWanted);
    connect(m_merged, &MergedPane::lineWanted, this,
            [this](int key, qint64 line) { Q_EMIT lineWanted(processOf(key), key < 0, line); });
}

void RunLogs::setNumbered(bool numbered)
{
    m_tiles->setNumbered(numbered);
    m_merged->view()->setNumbered(numbered);
}

void RunLogs::setTextSize(qreal points)
{
    m_tiles->setTextSize(points);
    m_merged->view()->setTextSize(points);
    m_terminals->tiles()->setTextSize(points);
}

void RunLogs::setWrapped(bool wrapped)
{
    m_tiles->setWrapped(wrapped);
    m_merged->view()->setWrapped(wrapped);
}

void RunLogs::setHighlights(const QList<Highlight> &highlights)
{
    m_tiles->setHighlights(highlights);
    m_merged->view()->setHighlights(highlights);
}

LogView *RunLogs::currentView() const
{
    return currentWidget() == m_merged ? m_merged->view() : m_tiles->currentView();
}

void RunLogs::clear()
{
    m_processes.clear();
    m_told = SelfTestResults();
    m_selfTest->setResults(m_told, {});
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
    if (arrangement == Arrangement::Terminals) {
        m_tiles->setTiles({});
        m_merged->setLogs({}, {});
        endPlot();
        m_terminals->show(session, processes);
        setCurrentWidget(m_terminals);
        return;
    }
    m_terminals->clear();
    if (arrangement == Arrangement::Plotted) {
        m_tiles->setTiles({});
        m_merged->setLogs({}, {});
        showPlot(session);
        setCurrentWidget(m_plot);
        return;
    }
    endPlot();
    if (arrangement == Arrangement::Devices) {
        m_tiles->setTiles({});
        m_merged->setLogs({}, {});
        showDevices(session);
        setCurrentWidget(m_details);
        return;
    }
    if (arrangement == Arrangement::Collectives) {
        m_tiles->setTiles({});
        m_merged->setLogs({}, {});
        setCurrentWidget(m_selfTest);
        return;
    }
    if (arrangement == Arrangement::Merged) {
        showMerged(session);
        m_tiles->setTiles({});
        setCurrentWidget(m_merged);
        return;
    }
    QList<LogTile> tiles;
    QList<LogTile> errorTiles;
    for (const int process : processes) {
        const QString title = processTitle(*session.state().planOf(process));
        if (LogFollower *follower = session.log(process))
            tiles.append({process, title, follower, session.mergedLog(process, false)});
        if (LogFollower *follower = session.errorLog(process))
            errorTiles.append({errorKey(process), tr("%1  standard error").arg(title), follower,
                               session.mergedLog(process, true)});
    }
    tiles += errorTiles.mid(0, mostTiles - tiles.size());
    m_tiles->setTiles(tiles, startLines(session));
    m_merged->setLogs({}, {});
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
            MergedTile tile{isError ? errorKey(process) : process, session.mergedLog(process, isError)};
            tile.log.label = isWorker ? tr("rank %1").arg(plan.rank.value) : tr("scheduler");
            if (isError)
                tile.log.label += tr(" stderr");
            tile.log.rank = isWorker ? plan.rank.value : LogFold::alone;
            tile.log.color = isWorker ? color : LogFold::alone;
            logs.append(tile);
        }
        color += isWorker ? 1 : 0;
    }
    m_merged->setLogs(logs, startLines(session));
}

void RunLogs::showLine(int process, bool isError, qint64 line)
{
    if (LogPane *pane = m_tiles->pane(isError ? errorKey(process) : process)) {
        pane->view()->markLine(line);
        pane->view()->setFocus(Qt::OtherFocusReason);
    }
}

void RunLogs::setSelfTest(const SelfTestResults &results, const RunState &state)
{
    m_told = results;
    m_selfTest->setResults(withFailures(results, state), rankNames(*state.plan));
}

void RunLogs::setState(const RunState &state)
{
    if (!m_told.ranks.isEmpty())
        setSelfTest(SelfTestResults(m_told), state);
    m_terminals->setState(state);
    m_details->setLive(isLive(state.phase));
    for (const int process : std::as_const(m_processes)) {
        const RankState *its = state.stateOf(process);
        if (!its)
            continue; // A tool of the attempt before.
        const RankState &rank = *its;
        const QString words = processStateWords(rank);
        for (const int key : {process, errorKey(process)}) {
            m_tiles->setState(key, words);
            if (LogPane *pane = m_tiles->pane(key))
                pane->view()->setEmptyText(rank.status || !mayGrow(state.phase) ? tr("No output.")
                                                                                : tr("No output yet."));
        }
    }
}

} // namespace rankdeck
