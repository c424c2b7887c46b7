#include "mainwindow/runpage/runpage.h"

#include "devicedetails/devicedetails.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "diagnosis/verdict/verdicttext.h"
#include "failure/bundlesaving.h"
#include "failure/failuredialog.h"
#include "logview/panes/searchpanel.h"
#include "mainwindow/runactions/logactions.h"
#include "mainwindow/runactions/rankactions.h"
#include "mainwindow/runactions/viewpictures.h"
#include "mainwindow/runpage/captionline.h"
#include "mainwindow/runpage/logchoice.h"
#include "mainwindow/runpage/runheader.h"
#include "mainwindow/runpage/viewtabs.h"
#include "mainwindow/session/runsampling.h"
#include "mainwindow/session/runsession.h"
#include "replaybar/replaybar.h"
#include "run/record/democaption.h"
#include "stacks/stackdumps.h"
#include "widgets/labels.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace rankdeck
{

/// Returns the last note on what happened. Hints on how a run was planned are left to the button of the
/// notes, except where the plan was made from logs: those say what is shown.
static QString newestEvent(const RunState &state)
{
    const auto isHint = [plan = state.plan](const QString &note) {
        return plan->notes.contains(note) ||
               (plan->scratch && note.startsWith(plan->scratch->variable + QLatin1Char(' ')));
    };
    for (auto note = state.notes.crbegin(); note != state.notes.crend(); ++note) {
        if (hasLogsAlone(state.phase) || !state.plan || !isHint(*note))
            return *note;
    }
    return {};
}

RunPage::RunPage(QWidget *parent)
    : QWidget(parent)
    , m_header(new RunHeader(this))
    , m_bundle(new BundleLine(this))
    , m_replay(new ReplayBar(this))
    , m_caption(new CaptionLine(this))
    , m_nothing(new NothingShown(this))
    , m_note(named(new ElidedLabel(Qt::ElideRight, this), "runNote"))
    , m_sampleNote(named(new ElidedLabel(Qt::ElideRight, this), "sampleNote"))
    , m_splitter(named(new QSplitter(Qt::Vertical, this), "runSplitter"))
    , m_panel(new DevicePanel(this))
    , m_grid(m_panel->grid())
    , m_logs(new RunLogs(this))
    , m_choice(new LogChoice(m_grid, m_logs, this))
    , m_views(new ViewTabs(m_choice, this))
    , m_logArea(new QScrollArea(this))
    , m_errorPage(named(new QScrollArea(this), "errorPage"))
    , m_lower(named(new QStackedWidget(this), "lowerHalf"))
    , m_search(new SearchPanel([this] { return searchedLogs(); }, this))
    , m_rankActions(new RankActions(this))
    , m_stackActions(new StackActions(this))
    , m_signalActions(new SignalActions(this))
    , m_toolActions(new ToolActions(this))
    , m_placeActions(new PlaceActions(this))
    , m_gridActions(new GridActions(m_panel))
    , m_logActions(new LogActions(m_logs))
    , m_pictures(new ViewPictures(m_panel, m_logs, m_errorPage, this))
    , m_errorAction(named(new QAction(tr("Show &error…"), this), "showRankErrorAction"))
    , m_details(
          named(new QAction(tr("NPU and &processes of the selected ranks"), this), "deviceDetailsAction"))
    , m_sampling(new RunSampling(m_grid, m_logs->details(), this))
    , m_failure(new FailureNotice(this))
{
    setManualPage(this, "window.md");
    setObjectName(QStringLiteral("runPage"));
    layOut();
    connectActions();
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userDivided = true; });
    connect(m_panel, &DevicePanel::laidOut, this, &RunPage::divide);
    connect(m_grid, &DeviceGrid::menuWanted, this, [this](const QPoint &place) {
        QMenu::exec(rankActions() << m_errorAction << m_pictures->gridAction(), place, nullptr, this);
    });
    connect(m_sampling, &RunSampling::problemChanged, this, [this](const QString &problem) {
        m_sampleNote->setText(problem);
        m_sampleNote->setVisible(!problem.isEmpty());
    });
    connect(m_choice, &LogChoice::changed, this, &RunPage::updateChosen);
    connect(m_choice, &LogChoice::message, this, &RunPage::message);
    connect(m_grid, &DeviceGrid::message, this, &RunPage::message);
    updateChosen();
}

RunPage::~RunPage()
{
    m_choice->setSession(nullptr);
}

void RunPage::layOut()
{
    m_note->setVoice(ElidedLabel::Voice::Quiet);
    m_sampleNote->setVoice(ElidedLabel::Voice::Bad);
    for (ElidedLabel *const note : {m_note, m_sampleNote}) {
        note->setContentsMargins(10, 0, 10, 6);
        note->hide();
    }
    // With large text, or in a small window, they scroll: the window need not grow.
    m_logArea->setWidget(m_logs);
    for (QScrollArea *const area : {m_logArea, m_errorPage}) {
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
    }
    m_logArea->setFocusPolicy(Qt::NoFocus);
    m_lower->addWidget(m_logArea);
    m_lower->addWidget(m_errorPage);
    auto *lower = new QWidget(this);
    auto *lowerLayout = withoutMargins(new QVBoxLayout(lower));
    lowerLayout->setSpacing(0);
    lowerLayout->addWidget(m_views);
    m_search->hide();
    lowerLayout->addWidget(splitterOf(Qt::Vertical, {m_lower, m_search}, {2, 1}), 1);
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(lower);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto *layout = withoutMargins(new QVBoxLayout(this));
    layout->setSpacing(0);
    addWidgets(layout, {m_caption, m_header, m_replay, m_bundle, m_note, m_sampleNote});
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_nothing, 1);
}

void RunPage::connectActions()
{
    connect(m_header, &RunHeader::stopWanted, this, &RunPage::stop);
    connect(m_header, &RunHeader::killWanted, this, &RunPage::kill);
    connect(m_header, &RunHeader::runAgainWanted, this, &RunPage::runAgainWanted);
    connect(m_header, &RunHeader::showErrorWanted, this, &RunPage::showError);
    connect(m_header, &RunHeader::notesWanted, this, &RunPage::showNotes);
    connect(m_header, &RunHeader::dumpWanted, m_stackActions, &StackActions::dumpAll);
    connect(m_replay, &ReplayBar::closeWanted, this, &RunPage::replayCloseWanted);
    connect(m_nothing, &NothingShown::openWanted, this, &RunPage::openWanted);
    connect(m_nothing, &NothingShown::closeWanted, this, &RunPage::closeWanted);
    connect(m_failure, &FailureNotice::openLog, this, &RunPage::openLog);
    connect(m_logActions, &LogActions::logWanted, m_choice, &LogChoice::showOneRank);
    connect(m_views, &ViewTabs::errorShown, this, &RunPage::showErrorPage);
    connect(m_logs, &RunLogs::allWanted, m_search, &SearchPanel::open);
    connect(m_search, &SearchPanel::lineWanted, m_choice, &LogChoice::showLine);
    connect(m_failure, &FailureNotice::runAgainWanted, this, &RunPage::runAgainWanted);
    connect(m_failure, &FailureNotice::verdictChanged, this, &RunPage::takeVerdict);
    connect(m_rankActions, &RankActions::wanted, this, &RunPage::request);
    connect(m_rankActions, &RankActions::startWanted, this, [this](const QList<int> &processes) {
        if (m_session)
            m_session->startAgain(processes);
    });
    connect(m_toolActions, &ToolActions::attached, m_choice, &LogChoice::showTool);
    connect(m_errorAction, &QAction::triggered, this, &RunPage::showError);
    connect(m_placeActions, &PlaceActions::said, this, &RunPage::message);
    connect(m_details, &QAction::triggered, m_choice, &LogChoice::showDevicesOfShown);
}

void RunPage::setSession(std::unique_ptr<RunSession> session, bool watched)
{
    m_choice->setSession(nullptr);
    m_search->clear();
    m_search->hide();
    m_session = std::move(session);
    m_choice->setSession(m_session.get());
    m_sampling->setSession(m_session.get());
    m_failure->reset(watched);
    setShown(true);
    m_note->hide();
    m_bundle->clear();
    m_replay->setPlayer(nullptr);
    m_header->setState({});
    m_views->setState({});
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
    connect(session, &RunSession::selfTestTold, m_choice, &LogChoice::setSelfTest);
    connect(session, &RunSession::lastLine, m_grid, &DeviceGrid::setLastLine);
    connect(session, &RunSession::replayOpened, m_replay, &ReplayBar::setPlayer);
    connect(session, &RunSession::unpacked, m_bundle, &BundleLine::setOrigin);
    connect(session, &RunSession::failed, this, [this](const QString &sentence) {
        if (m_session->isBundle())
            m_bundle->clear();
        if (state().plan) {
            showNote(sentence);
        } else {
            m_nothing->setProblem(m_session->directory(), sentence);
            setShown(false);
        }
        Q_EMIT message(sentence);
    });
    connect(session, &RunSession::fetching, this, [this](qint64 bytesLeft) {
        Q_EMIT message(
            bytesLeft == 0
                ? QString()
                : tr("Fetching logs from other nodes, %1 left.").arg(QLocale().formattedDataSize(bytesLeft)));
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
    return m_session && m_session->state().plan && !m_session->isBundle() && !isReplay();
}

bool RunPage::isReplay() const
{
    return m_session && m_session->isReplay();
}

QList<QAction *> RunPage::replayActions() const
{
    return m_replay->playActions();
}

QList<QAction *> RunPage::rankActions() const
{
    return m_rankActions->actions() + QList{m_signalActions->action(), m_toolActions->action()} +
           m_stackActions->actions() + QList{m_details} + m_placeActions->actions();
}

QList<QAction *> RunPage::viewActions() const
{
    return m_views->viewActions() << m_pictures->action();
}

QList<QAction *> RunPage::gridActions() const
{
    return m_gridActions->actions();
}

QList<QAction *> RunPage::logActions() const
{
    return m_logActions->actions();
}

QList<QAction *> RunPage::findActions() const
{
    return m_logActions->findActions();
}

bool RunPage::pressLogKey(const QKeyEvent &event)
{
    QAction *const action = m_logActions->actionOf(event);
    if (!action || !state().plan)
        return false;
    action->trigger();
    return true;
}

void RunPage::takeState(const RunState &state)
{
    setShown(true);
    m_header->setState(state);
    m_grid->setState(state);
    m_gridActions->update();
    divide();
    if (const QString note = newestEvent(state);
        !note.isEmpty() && !isReplay()) // The bar of a replay says it.
        showNote(note);
    m_choice->setState(state);
    m_sampling->setState(state);
    updateChosen();
    Q_EMIT stateChanged(state);
    m_failure->setState(state, m_session->recordedVerdict());
    m_views->setState(state);
    showCaption();
    if (m_lower->currentWidget() == m_errorPage)
        showErrorPage(true); // The error may be another one by now.
}

void RunPage::takeVerdict(const Verdict &verdict, bool isDiagnosed)
{
    m_header->setVerdict(verdict, isDiagnosed);
    m_grid->setFindings(isDiagnosed ? rankFindings(verdict, state()) : QHash<int, QString>());
    if (isDiagnosed)
        m_choice->setRoot(verdict.process);
}

void RunPage::showNote(const QString &note)
{
    m_note->setText(note);
    m_note->show();
}

void RunPage::setShown(bool isShown)
{
    for (QWidget *const part : std::array<QWidget *, 2>{m_header, m_splitter})
        part->setVisible(isShown);
    m_nothing->setVisible(!isShown);
}

void RunPage::showErrorPage(bool isShown)
{
    FailureView *const view = isShown ? m_failure->view() : nullptr;
    if (view && m_errorPage->widget() != view)
        m_errorPage->setWidget(view);
    m_lower->setCurrentWidget(view ? m_errorPage : m_logArea);
}

void RunPage::openLog(int process, const QString &file, qint64 line)
{
    m_choice->showLine(process, file, line);
    m_failure->giveWay({m_lower->mapToGlobal(QPoint()), m_lower->size()});
}

QList<SearchedLog> RunPage::searchedLogs() const
{
    QList<SearchedLog> logs;
    if (!state().plan)
        return logs;
    int process = 0;
    for (const ProcessPlan &plan : state().plan->processes) {
        const QString name = processName(plan.role, plan.rank);
        const SessionLogs &its = m_session->logs();
        logs.append({process, name, plan.logFile, false, its.limitOf(process, false)});
        if (!plan.stderrFile.isEmpty())
            logs.append({process, name, plan.stderrFile, true, its.limitOf(process, true)});
        ++process;
    }
    return logs;
}

void RunPage::takeProgress(const ProgressNews &news)
{
    m_progress.resize(state().plan->processes.size());
    for (const ProgressNews::Rank &rank : news.ranks) {
        m_progress[std::size_t(rank.process)] = rank.progress;
        if (rank.progress.step)
            m_grid->setStep(rank.process, *rank.progress.step);
        m_grid->setProgress(rank.process,
                            {progressText(rank.progress),
                             rank.progress.stepMs ? stepTimeText(*rank.progress.stepMs) : QString()});
    }
    m_header->setProgress(runProgress(m_progress));
    showCaption();
}

void RunPage::showCaption()
{
    qint64 step = 0;
    for (const RankProgress &rank : m_progress)
        step = std::max(step, rank.step.value_or(0));
    m_caption->setCaption(demoCaption(state(), step));
}

void RunPage::forgetProgress()
{
    m_progress.clear();
    m_header->setProgress({});
    showCaption();
}

QAction *RunPage::captionsAction() const
{
    return m_caption->action();
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
    if (m_userDivided)
        m_grid->setRoom(0);
    if (m_userDivided || m_grid->cellCount() == 0 || m_panel->isHidden() || m_grid->isFiltered())
        return;
    // All devices when they fit, but at least half of the page for the logs.
    const int total = m_splitter->height() - m_splitter->handleWidth();
    const int beside = std::max(0, m_panel->sizeHint().height() - m_grid->sizeHint().height());
    m_grid->setRoom(total / 2 - beside);
    const int devices = std::min(m_panel->sizeHint().height(), total / 2);
    m_splitter->setSizes({devices, total - devices});
}

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    divide();
}

void RunPage::updateChosen()
{
    const RunState &run = state();
    const QList<int> chosen = m_choice->ranks();
    m_rankActions->setChosen(run, chosen);
    m_stackActions->setChosen(run, chosen);
    m_signalActions->setChosen(run, chosen);
    m_toolActions->setChosen(run, chosen);
    m_placeActions->setChosen(run, chosen);
    m_errorAction->setEnabled(run.failure.has_value());
    m_details->setEnabled(!chosen.isEmpty());
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
    auto *box = new QMessageBox(this);
    box->setStandardButtons(QMessageBox::Close);
    setUpBox(box, "notesBox", QMessageBox::NoIcon, tr("Notes"),
             tr("Notes of %1").arg(state().name) + QStringLiteral("\n\n") +
                 state().notes.join(QLatin1Char('\n')));
    box->open();
}

void RunPage::showError()
{
    m_failure->show();
}

void RunPage::goToView(bool isNext)
{
    m_views->goOn(isNext);
}

void RunPage::saveBundle()
{
    if (canSaveBundle())
        BundleSaving::ask(state(), this);
}

} // namespace rankdeck
