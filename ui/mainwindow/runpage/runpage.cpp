#include "mainwindow/runpage/runpage.h"

#include "devicedetails/devicedetails.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "diagnosis/verdict/verdicttext.h"
#include "failure/bundlesaving.h"
#include "failure/failuredialog.h"
#include "logview/view/logview.h"
#include "mainwindow/runactions/logactions.h"
#include "mainwindow/runactions/rankactions.h"
#include "mainwindow/runlogs/terminalboard.h"
#include "mainwindow/runpage/failurenotice.h"
#include "mainwindow/runpage/runheader.h"
#include "mainwindow/session/runsampling.h"
#include "mainwindow/session/runsession.h"
#include "stacks/stackdumps.h"
#include "terminal/view/terminalpane.h"
#include "terminal/view/terminaltiles.h"
#include "widgets/labels.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <utility>

namespace rankdeck
{

namespace
{

/// Returns the indexes in `plan` of the processes that have the indexes `shown` in `before`.
QList<int> sameProcesses(const LaunchPlan &before, const QList<int> &shown, const LaunchPlan &plan)
{
    QList<int> same;
    for (const int index : shown) {
        if (size_t(index) >= before.processes.size())
            continue; // Tools end with the plan they belong to.
        const ProcessPlan &process = before.processes.at(size_t(index));
        const auto found = std::find_if(
            plan.processes.cbegin(), plan.processes.cend(), [&process](const ProcessPlan &other) {
                return other.role == process.role && other.rank == process.rank && other.node == process.node;
            });
        if (found != plan.processes.cend())
            same.append(int(found - plan.processes.cbegin()));
    }
    return same;
}

/// Returns `shown` with each tool replaced by the process it is attached to.
QList<int> ranksOf(const QList<int> &shown, const RunState &state)
{
    QList<int> ranks;
    for (const int index : shown) {
        const size_t at = size_t(index);
        const size_t tool = at - state.ranks.size();
        const int rank = at < state.ranks.size()     ? index
                         : tool < state.tools.size() ? state.tools[tool].process
                                                     : -1;
        if (rank >= 0 && !ranks.contains(rank))
            ranks << rank;
    }
    return ranks;
}

} // namespace

RunPage::RunPage(QWidget *parent)
    : QWidget(parent)
    , m_header(new RunHeader(this))
    , m_bundle(new BundleLine(this))
    , m_note(new ElidedLabel(Qt::ElideRight, this))
    , m_sampleNote(new ElidedLabel(Qt::ElideRight, this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_panel(new DevicePanel(this))
    , m_grid(m_panel->grid())
    , m_logs(new RunLogs(this))
    , m_rankActions(new RankActions(this))
    , m_stackActions(new StackActions(this))
    , m_signalActions(new SignalActions(this))
    , m_toolActions(new ToolActions(this))
    , m_gridActions(new GridActions(m_panel))
    , m_logActions(new LogActions(m_logs))
    , m_details(new QAction(tr("NPU and &processes of the chosen ranks"), this))
    , m_sampling(new RunSampling(m_grid, m_logs->details(), this))
    , m_failure(new FailureNotice(this))
{
    setObjectName(QStringLiteral("runPage"));
    layOut();
    connectActions();
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userDivided = true; });
    connect(m_panel, &DevicePanel::laidOut, this, &RunPage::divide);
    connect(m_grid, &DeviceGrid::ranksChosen, this, &RunPage::showChosenRanks);
    connect(m_grid, &DeviceGrid::menuWanted, this,
            [this](const QPoint &place) { QMenu::exec(rankActions(), place, nullptr, this); });
    connect(m_sampling, &RunSampling::problemChanged, this, [this](const QString &problem) {
        m_sampleNote->setText(problem);
        m_sampleNote->setVisible(!problem.isEmpty());
    });
    connect(m_logs, &RunLogs::activated, this, [this](int process) {
        const bool areTerminals = m_arrangement == RunLogs::Arrangement::Terminals;
        choose(m_shownLogs.size() > 1 ? QList<int>{process} : allProcesses(),
               areTerminals ? RunLogs::Arrangement::Terminals : RunLogs::Arrangement::Tiled);
    });
    connect(m_logs, &RunLogs::lineWanted, this, [this](int process, bool isError, qint64 line) {
        choose({process});
        m_logs->showLine(process, isError, line);
    });
}

RunPage::~RunPage()
{
    // The panes use the session's followers until they show no logs.
    showLogs({});
}

void RunPage::layOut()
{
    m_note->setObjectName(QStringLiteral("runNote"));
    m_note->setVoice(ElidedLabel::Voice::Quiet);
    m_sampleNote->setObjectName(QStringLiteral("sampleNote"));
    m_sampleNote->setVoice(ElidedLabel::Voice::Bad);
    for (ElidedLabel *const note : {m_note, m_sampleNote}) {
        note->setContentsMargins(10, 0, 10, 6);
        note->hide();
    }
    m_splitter->setObjectName(QStringLiteral("runSplitter"));
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(m_logs);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_bundle);
    layout->addWidget(m_note);
    layout->addWidget(m_sampleNote);
    layout->addWidget(m_splitter, 1);
}

void RunPage::connectActions()
{
    connect(m_header, &RunHeader::stopWanted, this, &RunPage::stop);
    connect(m_header, &RunHeader::killWanted, this, &RunPage::kill);
    connect(m_header, &RunHeader::runAgainWanted, this, &RunPage::runAgainWanted);
    connect(m_header, &RunHeader::showErrorWanted, this, &RunPage::showError);
    connect(m_header, &RunHeader::dumpWanted, m_stackActions, &StackActions::dumpAll);
    connect(m_failure, &FailureNotice::openLog, this, &RunPage::openLog);
    connect(m_failure, &FailureNotice::runAgainWanted, this, &RunPage::runAgainWanted);
    connect(m_failure, &FailureNotice::verdictChanged, this, &RunPage::takeVerdict);
    connect(m_rankActions, &RankActions::wanted, this, &RunPage::request);
    connect(m_toolActions, &ToolActions::attached, this, [this](int index) {
        choose({index}, RunLogs::Arrangement::Terminals);
        focusTerminal();
    });
    m_details->setObjectName(QStringLiteral("deviceDetailsAction"));
    connect(m_details, &QAction::triggered, this,
            [this] { choose(m_shownLogs, RunLogs::Arrangement::Devices); });
}

void RunPage::setSession(std::unique_ptr<RunSession> session, bool watched)
{
    showLogs({});
    m_session = std::move(session);
    m_sampling->setSession(m_session.get());
    m_failure->reset(watched);
    m_userChose = false;
    m_shownPlan.reset();
    m_isSelfTest = false;
    m_rootProcess = -1;
    m_note->hide();
    m_bundle->clear();
    m_header->setState({});
    forgetProgress();
    m_grid->setState({});
    m_gridActions->update();
    updateChosen();
    if (!m_session)
        return;
    connectSession();
    if (m_session->isBundle())
        m_bundle->setUnpacking(m_session->directory());
    m_session->open();
}

void RunPage::connectSession()
{
    RunSession *const session = m_session.get();
    connect(session, &RunSession::stateChanged, this, &RunPage::takeState);
    connect(session, &RunSession::logsReplaced, m_logs, &RunLogs::clear);
    connect(session, &RunSession::logsReplaced, this, &RunPage::forgetProgress);
    connect(session, &RunSession::progressed, this, &RunPage::takeProgress);
    connect(session, &RunSession::selfTestTold, this, &RunPage::takeSelfTest);
    connect(session, &RunSession::lastLine, m_grid, &DeviceGrid::setLastLine);
    connect(session, &RunSession::unpacked, m_bundle, &BundleLine::setOrigin);
    connect(session, &RunSession::failed, this, [this](const QString &sentence) {
        if (m_session->isBundle())
            m_bundle->clear();
        showNote(sentence);
        Q_EMIT message(sentence);
    });
    connect(session, &RunSession::fetching, this, [this](qint64 bytesLeft) {
        Q_EMIT message(
            bytesLeft == 0
                ? QString()
                : tr("Fetching logs from their nodes, %1 left.").arg(QLocale().formattedDataSize(bytesLeft)));
    });
    connect(m_grid, &DeviceGrid::processesSeen, &session->logs(), &SessionLogs::followLastLines);
    connect(m_bundle, &BundleLine::cancelWanted, session, &RunSession::cancel);
    connect(m_stackActions, &StackActions::wanted, session, &RunSession::dump);
    connect(m_signalActions, &SignalActions::wanted, session, &RunSession::sendSignal);
    connect(m_toolActions, &ToolActions::wanted, session, &RunSession::attachTool);
}

const RunState &RunPage::state() const
{
    static const RunState nothing;
    return m_session ? m_session->state() : nothing;
}

QString RunPage::directory() const
{
    return m_session ? m_session->directory() : QString();
}

bool RunPage::canSaveBundle() const
{
    return m_session && m_session->state().plan && !m_session->isBundle();
}

QList<QAction *> RunPage::rankActions() const
{
    return m_rankActions->actions() + QList{m_signalActions->action(), m_toolActions->action()} +
           m_stackActions->actions() + QList{m_details};
}

QList<QAction *> RunPage::gridActions() const
{
    return m_gridActions->actions();
}

QList<QAction *> RunPage::logActions() const
{
    return m_logActions->actions();
}

void RunPage::takeState(const RunState &state)
{
    m_header->setState(state);
    m_grid->setState(state);
    m_gridActions->update();
    divide();
    if (state.plan != m_shownPlan) {
        const QList<int> shown =
            m_shownPlan ? sameProcesses(*m_shownPlan, m_shownLogs, *state.plan) : QList<int>();
        m_shownPlan = state.plan;
        showLogs(shown, m_arrangement);
    }
    const int count = int(state.notes.size());
    if (count == 1)
        showNote(state.notes.constLast());
    else if (count > 1) // The end may be cut off, so the reference to the menu comes first.
        showNote(tr("Note %1 of %1 (menu View): %2").arg(count).arg(state.notes.constLast()));
    if (!m_userChose && !m_isSelfTest)
        chooseFirstLog();
    m_logs->setState(state);
    m_sampling->setState(state);
    updateChosen();
    Q_EMIT stateChanged(state);
    m_failure->setState(state, m_session->recordedVerdict());
}

void RunPage::takeVerdict(const Verdict &verdict, bool isDiagnosed)
{
    m_header->setVerdict(verdict, isDiagnosed);
    m_grid->setFindings(isDiagnosed ? rankFindings(verdict, state()) : QHash<int, QString>());
    if (isDiagnosed && verdict.process != m_rootProcess) {
        m_rootProcess = verdict.process;
        if (!m_userChose && !m_isSelfTest)
            chooseFirstLog();
    }
}

void RunPage::showNote(const QString &note)
{
    m_note->setText(note);
    m_note->show();
}

void RunPage::takeProgress(const ProgressNews &news)
{
    m_progress.resize(state().plan->processes.size());
    for (const ProgressNews::Rank &rank : news.ranks) {
        m_progress[std::size_t(rank.process)] = rank.progress;
        m_grid->setProgress(rank.process,
                            {progressText(rank.progress),
                             rank.progress.stepMs ? stepTimeText(*rank.progress.stepMs) : QString()});
    }
    m_header->setProgress(runProgress(m_progress));
}

void RunPage::takeSelfTest(const SelfTestResults &results)
{
    m_logs->setSelfTest(results, state());
    if (!std::exchange(m_isSelfTest, true) && !m_userChose)
        showLogs(allProcesses(), RunLogs::Arrangement::Collectives);
}

void RunPage::forgetProgress()
{
    m_progress.clear();
    m_header->setProgress({});
}

QByteArray RunPage::saveDivision() const
{
    return m_userDivided ? m_splitter->saveState() : QByteArray();
}

void RunPage::restoreDivision(const QByteArray &saved)
{
    m_userDivided = m_splitter->restoreState(saved);
}

void RunPage::setGridShown(bool shown)
{
    m_panel->setVisible(shown);
    divide();
}

void RunPage::divide()
{
    // A filter changes the number of cells often: logs do not move for it.
    if (m_userDivided || m_grid->cellCount() == 0 || m_panel->isHidden() || m_grid->isFiltered())
        return;
    // All devices when they fit, but at least half of the page for the logs.
    const int total = m_splitter->height() - m_splitter->handleWidth();
    const int devices = std::min(m_panel->sizeHint().height(), total / 2);
    m_splitter->setSizes({devices, total - devices});
}

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    divide();
}

void RunPage::chooseFirstLog()
{
    const LaunchPlan &plan = *state().plan;
    int process = m_rootProcess >= 0 && state().failure ? m_rootProcess : failedProcess(state());
    if (process < 0) {
        const auto first =
            std::min_element(plan.processes.cbegin(), plan.processes.cend(),
                             [](const ProcessPlan &one, const ProcessPlan &other) {
                                 return std::pair(one.role, one.rank) < std::pair(other.role, other.rank);
                             });
        process = first == plan.processes.cend() ? -1 : int(first - plan.processes.cbegin());
    }
    if (process < 0 || m_shownLogs == QList<int>{process})
        return;
    const bool isTyped = plan.processes[size_t(process)].hasTerminal && isLive(state().phase);
    showLogs({process}, isTyped ? RunLogs::Arrangement::Terminals : RunLogs::Arrangement::Tiled);
    m_grid->reveal(process);
}

void RunPage::showLogs(const QList<int> &processes, RunLogs::Arrangement arrangement)
{
    const int most = RunLogs::most(arrangement);
    m_arrangement = arrangement;
    m_shownLogs = processes.mid(0, most);
    if (m_shownLogs.isEmpty())
        m_logs->clear();
    else
        m_logs->show(*m_session, m_shownLogs, arrangement);
    m_grid->setChosen(ranksOf(m_shownLogs, state()));
    updateChosen();
    if (processes.size() > most)
        Q_EMIT message(tr("The first %1 of %2 logs are shown.").arg(most).arg(processes.size()));
}

void RunPage::choose(const QList<int> &processes, RunLogs::Arrangement arrangement)
{
    m_userChose = true;
    showLogs(processes, arrangement);
}

void RunPage::showChosenRanks(const QList<int> &processes)
{
    // The collectives are those of all ranks.
    const bool isAlone = m_arrangement == RunLogs::Arrangement::Collectives ||
                         (processes.size() == 1 && m_arrangement == RunLogs::Arrangement::Merged);
    const bool isAtPrompt = processes.size() == 1 && state().ranks.at(size_t(processes.constFirst())).prompt;
    choose(processes, isAtPrompt ? RunLogs::Arrangement::Terminals
                      : isAlone  ? RunLogs::Arrangement::Tiled
                                 : m_arrangement);
}

void RunPage::showOneRank()
{
    if (m_shownLogs.isEmpty())
        return;
    const int process = m_grid->currentProcess();
    choose({process < 0 ? m_shownLogs.constFirst() : process});
}

void RunPage::updateChosen()
{
    const RunState &run = state();
    const QList<int> chosen = ranksOf(m_shownLogs, run);
    m_rankActions->setChosen(run, chosen);
    m_stackActions->setChosen(run, chosen);
    m_signalActions->setChosen(run, chosen);
    m_toolActions->setChosen(run, chosen);
    m_details->setEnabled(!chosen.isEmpty());
}

QList<int> RunPage::allProcesses() const
{
    QList<int> all(state().plan ? static_cast<int>(state().plan->processes.size()) : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void RunPage::focusTerminal()
{
    if (TerminalPane *const pane = m_logs->terminals()->tiles()->currentPane())
        pane->setFocus(Qt::OtherFocusReason);
}

void RunPage::showTerminals()
{
    const bool areShown = m_arrangement == RunLogs::Arrangement::Terminals;
    choose(m_shownLogs, areShown ? RunLogs::Arrangement::Tiled : RunLogs::Arrangement::Terminals);
    LogView *const view = m_logs->currentView();
    if (areShown && view)
        view->setFocus(Qt::OtherFocusReason);
    focusTerminal();
}

void RunPage::stop()
{
    m_rankActions->stopRun();
}

void RunPage::kill()
{
    m_rankActions->killRun();
}

void RunPage::request(const StopRequest &request)
{
    if (!m_session)
        return;
    m_session->request(request);
    if (request.isWhole() && !request.kill)
        Q_EMIT message(tr("Asked %1 to stop.").arg(state().name));
}

void RunPage::showNotes()
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Notes"), {}, QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("notesBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    // Not as informative text, in which Qt would interpret markup.
    box->setText(tr("Notes of %1").arg(state().name) + QStringLiteral("\n\n") +
                 state().notes.join(QLatin1Char('\n')));
    box->open();
}

void RunPage::showError()
{
    m_failure->show();
}

void RunPage::saveBundle()
{
    if (canSaveBundle())
        BundleSaving::ask(state(), this);
}

void RunPage::openLog(int process, const QString &file, qint64 line)
{
    choose({process});
    const ProcessPlan &plan = state().plan->processes.at(static_cast<std::size_t>(process));
    if (line >= 0 && (file == plan.logFile || file == plan.stderrFile))
        m_logs->showLine(process, file == plan.stderrFile, line);
}

} // namespace rankdeck
