#include "mainwindow/runpage/runpage.h"

#include "devicedetails/devicedetails.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "diagnosis/verdict/verdicttext.h"
#include "failure/bundlesaving.h"
#include "mainwindow/session/runsampling.h"
#include "stacks/stackdumps.h"
#include "widgets/labels.h"

namespace rankdeck
{

/// Returns the last note on what happened. Hints on how a run was planned are left to the button of the
/// notes, except where the plan was made from logs: those say what is shown.
static QString newestEvent(const RunState &state)
{
    const auto isHint = [plan = state.plan](const QString &note) {
        return plan->notes.contains(note) ||
               (plan->scratch && note.startsWith(plan->scratch->variable + ' '_L1));
    };
    for (auto note = state.notes.crbegin(); note != state.notes.crend(); ++note) {
        if (hasLogsAlone(state.phase) || !state.plan || !isHint(*note))
            return *note;
    }
    return {};
}

PageSplitter::PageSplitter(DevicePanel *devices, QWidget *logs, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_devices(devices)
{
    setObjectName(u"runSplitter"_s);
    addWidget(devices);
    addWidget(logs);
    setStretchFactor(1, 1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_userDivided = true; });
    connect(devices, &DevicePanel::laidOut, this, &PageSplitter::divide);
}

void PageSplitter::divide()
{
    DeviceGrid *const grid = m_devices->grid();
    // A filter changes the number of cells often: logs do not move for it.
    if (m_userDivided)
        grid->setRoom(0);
    if (m_userDivided || grid->cellCount() == 0 || m_devices->isHidden() || grid->isFiltered())
        return;
    const int total = height() - handleWidth();
    const int beside = std::max(0, m_devices->sizeHint().height() - grid->sizeHint().height());
    grid->setRoom(total / 2 - beside);
    const int devices = std::min(m_devices->sizeHint().height(), total / 2);
    setSizes({devices, total - devices});
}

RunPage::RunPage()
    : m_header(new RunHeader(this))
    , m_bundle(new BundleLine(this))
    , m_replay(new ReplayBar(this))
    , m_caption(new CaptionLine(this))
    , m_nothing(new NothingShown(this))
    , m_note(named(new ElidedLabel(Qt::ElideRight, this), "runNote"))
    , m_sampleNote(named(new ElidedLabel(Qt::ElideRight, this), "sampleNote"))
    , m_panel(new DevicePanel(this))
    , m_grid(m_panel->grid())
    , m_logs(new RunLogs(this))
    , m_choice(new LogChoice(m_grid, m_logs, this))
    , m_failure(new FailureNotice(this))
    , m_lower(new LowerHalf(m_choice, m_logs, m_failure, this))
    , m_splitter(new PageSplitter(m_panel, m_lower, this))
    , m_rankActions(new RankActions(this))
    , m_stackActions(new StackActions(this))
    , m_signalActions(new SignalActions(this))
    , m_toolActions(new ToolActions(this))
    , m_placeActions(new PlaceActions(this))
    , m_gridActions(new GridActions(m_panel))
    , m_logActions(new LogActions(m_logs))
    , m_pictures(new ViewPictures(m_panel, m_logs, m_lower->errorPage(), this))
    , m_errorAction(named(new QAction(tr("Show &error…"), this), "showRankErrorAction"))
    , m_details(
          named(new QAction(tr("NPU and &processes of the selected ranks"), this), "deviceDetailsAction"))
    , m_sampling(new RunSampling(m_grid, m_logs->details(), this))
{
    setManualPage(this, "window.md");
    setObjectName(u"runPage"_s);
    layOut();
    connectActions();
    connect(m_grid, &DeviceGrid::menuRequested, this, [this](const QPoint &place) {
        QMenu::exec(rankActions() << m_errorAction << m_pictures->gridAction(), place, nullptr, this);
    });
    connect(m_sampling, &RunSampling::problemChanged, m_sampleNote, &ElidedLabel::showText);
    connect(m_choice, &LogChoice::changed, this, &RunPage::updateChosen);
    connect(m_choice, &LogChoice::message, this, &RunPage::message);
    connect(m_grid, &DeviceGrid::message, this, &RunPage::message);
    updateChosen();
}

void RunPage::layOut()
{
    m_note->setVoice(ElidedLabel::Voice::Quiet);
    m_sampleNote->setVoice(ElidedLabel::Voice::Bad);
    for (ElidedLabel *const note : {m_note, m_sampleNote}) {
        note->setContentsMargins(10, 0, 10, 6);
        note->hide();
    }
    auto *layout = withoutMargins(new QVBoxLayout(this), 0);
    addParts(layout, {m_caption, m_header, m_replay, m_bundle, m_note, m_sampleNote});
    addParts(layout, {{m_splitter, 1}, {m_nothing, 1}});
}

void RunPage::connectActions()
{
    connect(m_header, &RunHeader::stopRequested, this, &RunPage::stop);
    connect(m_header, &RunHeader::killRequested, this, &RunPage::kill);
    connect(m_header, &RunHeader::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_header, &RunHeader::showErrorRequested, this, &RunPage::showError);
    connect(m_header, &RunHeader::dumpRequested, m_stackActions, &StackActions::dumpAll);
    connect(m_replay, &ReplayBar::closeRequested, this, &RunPage::replayCloseRequested);
    connect(m_nothing, &NothingShown::openRequested, this, &RunPage::openRequested);
    connect(m_nothing, &NothingShown::closeRequested, this, &RunPage::closeRequested);
    connect(m_logActions, &LogActions::logRequested, m_choice, &LogChoice::showOneRank);
    connect(m_failure, &FailureNotice::runAgainRequested, this, &RunPage::runAgainRequested);
    connect(m_failure, &FailureNotice::verdictChanged, this, &RunPage::takeVerdict);
    connect(m_rankActions, &RankActions::requested, this, &RunPage::request);
    connect(m_stackActions, &StackActions::requested, this, &RunPage::request);
    connect(m_signalActions, &SignalActions::requested, this, &RunPage::request);
    connect(m_toolActions, &ToolActions::requested, this, &RunPage::request);
    connect(m_toolActions, &ToolActions::attached, m_choice, &LogChoice::showTool);
    connect(m_errorAction, &QAction::triggered, this, &RunPage::showError);
    connect(m_placeActions, &PlaceActions::said, this, &RunPage::message);
    connect(m_details, &QAction::triggered, m_choice, &LogChoice::showDevicesOfShown);
}

void RunPage::setSession(std::unique_ptr<RunSession> session, bool watched)
{
    m_choice->setSession(nullptr);
    m_session = std::move(session);
    m_lower->setSession(m_session.get());
    m_choice->setSession(m_session.get());
    m_sampling->setSession(m_session.get());
    m_failure->reset(watched);
    setShown(true);
    m_note->hide();
    m_bundle->clear();
    m_replay->setPlayer(nullptr);
    m_header->setState({});
    m_lower->setState({});
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
            m_note->showText(sentence);
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
    connect(m_bundle, &BundleLine::cancelRequested, session, &RunSession::cancel);
}

const RunState &RunPage::state() const
{
    static const RunState nothing;
    return m_session ? m_session->state() : nothing;
}

QList<QAction *> RunPage::rankActions() const
{
    return m_rankActions->actions() + QList{m_signalActions->action(), m_toolActions->action()} +
           m_stackActions->actions() + QList{m_details} + m_placeActions->actions();
}

void RunPage::takeState(const RunState &state)
{
    setShown(true);
    m_header->setState(state);
    m_grid->setState(state);
    m_gridActions->update();
    m_splitter->divide();
    if (const QString note = newestEvent(state);
        !note.isEmpty() && !isReplay()) // The bar of a replay says it.
        m_note->showText(note);
    m_choice->setState(state);
    m_sampling->setState(state);
    updateChosen();
    Q_EMIT stateChanged(state);
    m_failure->setState(state, m_session->recordedVerdict());
    m_lower->setState(state);
    showProgress();
}

void RunPage::takeVerdict(const Verdict &verdict, bool isDiagnosed)
{
    m_header->setVerdict(verdict, isDiagnosed);
    m_grid->setFindings(isDiagnosed ? rankFindings(verdict, state()) : QHash<int, QString>());
    if (isDiagnosed)
        m_choice->setRoot(verdict.process);
}

void RunPage::setShown(bool isShown)
{
    for (QWidget *const part : std::array<QWidget *, 2>{m_header, m_splitter})
        part->setVisible(isShown);
    m_nothing->setVisible(!isShown);
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
    showProgress();
}

void RunPage::showProgress()
{
    const RunProgress progress = runProgress(m_progress);
    m_header->setProgress(progress);
    const DemoCaption caption = demoCaption(state(), progress.step.value_or(0));
    m_caption->setCaption(caption.text);
    if (m_caption->action()->isChecked() && !caption.text.isEmpty())
        m_choice->suggest(caption.view);
}

void RunPage::forgetProgress()
{
    m_progress.clear();
    showProgress();
}

void RunPage::setGridShown(bool shown)
{
    m_panel->setVisible(shown);
    m_splitter->divide();
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
    m_errorAction->setEnabled(run.hasTrouble());
    m_details->setEnabled(!chosen.isEmpty());
}

void RunPage::request(const Request &request)
{
    if (!m_session)
        return;
    m_session->request(request);
    if (const auto *stop = std::get_if<StopRequest>(&request); stop && stop->isWhole() && !stop->kill)
        Q_EMIT message(tr("Asked %1 to stop.").arg(state().name));
}

void RunPage::saveBundle()
{
    if (canSaveBundle())
        BundleSaving::ask(state(), this);
}

} // namespace rankdeck
