#include "mainwindow/runpage.h"

#include "devicedetails/devicedetails.h"
#include "devicegrid/devicegrid.h"
#include "devicegrid/devicepanel.h"
#include "failure/bundlesaving.h"
#include "failure/failuredialog.h"
#include "failure/failuretext.h"
#include "logview/logview.h"
#include "mainwindow/bundleline.h"
#include "mainwindow/gridactions.h"
#include "mainwindow/logactions.h"
#include "mainwindow/rankactions.h"
#include "mainwindow/runheader.h"
#include "mainwindow/runsampling.h"
#include "mainwindow/runsession.h"
#include "mainwindow/serveractions.h"
#include "mainwindow/signalactions.h"
#include "mainwindow/stopquestion.h"
#include "mainwindow/terminalboard.h"
#include "mainwindow/toolactions.h"
#include "stacks/stackactions.h"
#include "state/elidedlabel.h"
#include "terminal/terminalpane.h"
#include "terminal/terminaltiles.h"

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

/// The processes of `plan` that are those of `before` with the indexes `shown`.
QList<int> sameProcesses(const LaunchPlan &before, const QList<int> &shown, const LaunchPlan &plan)
{
    QList<int> same;
    for (const int index : shown) {
        if (size_t(index) >= before.processes.size())
            continue; // A tool, which has gone with them.
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

/// Those of `shown`, and in place of a tool whom it looks at.
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
    , m_serverActions(new ServerActions(m_grid))
    , m_gridActions(new GridActions(m_panel))
    , m_logActions(new LogActions(m_logs))
    , m_details(new QAction(tr("NPU and &processes of the chosen ranks"), this))
    , m_sampling(new RunSampling(m_grid, m_logs->details(), this))
{
    setObjectName(QStringLiteral("runPage"));
    m_note->setObjectName(QStringLiteral("runNote"));
    m_note->setContentsMargins(10, 0, 10, 6);
    m_note->setVoice(ElidedLabel::Voice::Quiet);
    m_note->hide();
    m_sampleNote->setObjectName(QStringLiteral("sampleNote"));
    m_sampleNote->setContentsMargins(10, 0, 10, 6);
    m_sampleNote->setVoice(ElidedLabel::Voice::Bad);
    m_sampleNote->hide();
    m_details->setObjectName(QStringLiteral("deviceDetailsAction"));
    m_splitter->setObjectName(QStringLiteral("runSplitter"));
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(m_logs);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userDivided = true; });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_bundle);
    layout->addWidget(m_note);
    layout->addWidget(m_sampleNote);
    layout->addWidget(m_splitter, 1);

    connect(m_header, &RunHeader::stopWanted, this, &RunPage::stop);
    connect(m_header, &RunHeader::killWanted, this, &RunPage::kill);
    connect(m_header, &RunHeader::runAgainWanted, this, &RunPage::runAgainWanted);
    connect(m_header, &RunHeader::showErrorWanted, this, &RunPage::showError);
    connect(m_bundle, &BundleLine::cancelWanted, this, [this] {
        if (m_session)
            m_session->cancel();
    });
    connect(m_header, &RunHeader::dumpWanted, m_stackActions, &StackActions::dumpAll);
    connect(m_stackActions, &StackActions::wanted, this, [this](const QList<int> &processes) {
        if (m_session)
            m_session->dump(processes);
    });
    connect(m_signalActions, &SignalActions::wanted, this, [this](const SignalRequest &request) {
        if (m_session)
            m_session->sendSignal(request);
    });
    connect(m_toolActions, &ToolActions::wanted, this, [this](const ToolRequest &request) {
        if (m_session)
            m_session->attachTool(request);
    });
    connect(m_toolActions, &ToolActions::attached, this, [this](int index) {
        m_userChose = true;
        showLogs({index}, RunLogs::Arrangement::Terminals);
        if (TerminalPane *const pane = m_logs->terminals()->tiles()->currentPane())
            pane->setFocus(Qt::OtherFocusReason);
    });
    connect(m_grid, &DeviceGrid::ranksChosen, this, [this](const QList<int> &processes) {
        m_userChose = true;
        // The collectives are those of all ranks.
        const bool isAlone = m_arrangement == RunLogs::Arrangement::Collectives ||
                             (processes.size() == 1 && m_arrangement == RunLogs::Arrangement::Merged);
        const bool isAtPrompt =
            processes.size() == 1 && state().ranks.at(size_t(processes.constFirst())).prompt;
        showLogs(processes, isAtPrompt ? RunLogs::Arrangement::Terminals
                            : isAlone  ? RunLogs::Arrangement::Tiled
                                       : m_arrangement);
    });
    connect(m_panel, &DevicePanel::laidOut, this, &RunPage::divide);
    connect(m_grid, &DeviceGrid::menuWanted, this,
            [this](const QPoint &place) { QMenu::exec(rankActions(), place, nullptr, this); });
    connect(m_details, &QAction::triggered, this, [this] {
        m_userChose = true;
        showLogs(m_shownLogs, RunLogs::Arrangement::Devices);
    });
    connect(m_sampling, &RunSampling::problemChanged, this, [this](const QString &problem) {
        m_sampleNote->setText(problem);
        m_sampleNote->setVisible(!problem.isEmpty());
    });
    connect(m_rankActions, &RankActions::wanted, this, [this](const StopRequest &request) {
        if (m_session)
            m_session->request(request);
    });
    connect(m_logs, &RunLogs::activated, this, [this](int process) {
        m_userChose = true;
        showAlike(m_shownLogs.size() > 1 ? QList<int>{process} : allProcesses());
    });
    connect(m_logs, &RunLogs::lineWanted, this, [this](int process, bool isError, qint64 line) {
        m_userChose = true;
        showLogs({process});
        m_logs->showLine(process, isError, line);
    });
}

RunPage::~RunPage()
{
    // The panes look at the session's followers until they are told otherwise.
    showLogs({});
}

void RunPage::setSession(std::unique_ptr<RunSession> session, bool watched)
{
    showLogs({});
    delete m_dialog;
    delete m_question;
    m_session = std::move(session);
    m_sampling->setSession(m_session.get());
    m_watched = watched;
    m_userChose = false;
    m_shownPlan.reset();
    m_isSelfTest = false;
    m_note->hide();
    m_bundle->clear();
    m_header->setState({});
    forgetProgress();
    m_grid->setState({});
    m_stackActions->setChosen({}, {});
    m_signalActions->setChosen({}, {});
    m_toolActions->setChosen({}, {});
    m_serverActions->update();
    if (!m_session)
        return;
    connect(m_session.get(), &RunSession::stateChanged, this, &RunPage::takeState);
    connect(m_session.get(), &RunSession::logsReplaced, m_logs, &RunLogs::clear);
    connect(m_session.get(), &RunSession::logsReplaced, this, &RunPage::forgetProgress);
    connect(m_session.get(), &RunSession::progressed, this, &RunPage::takeProgress);
    connect(m_session.get(), &RunSession::selfTestTold, this, &RunPage::takeSelfTest);
    connect(m_session.get(), &RunSession::lastLine, m_grid, &DeviceGrid::setLastLine);
    connect(m_session.get(), &RunSession::unpacked, m_bundle, &BundleLine::setOrigin);
    if (m_session->isBundle())
        m_bundle->setUnpacking(m_session->directory());
    connect(m_session.get(), &RunSession::failed, this, [this](const QString &sentence) {
        if (m_session->isBundle())
            m_bundle->clear();
        m_note->setText(sentence);
        m_note->show();
        Q_EMIT message(sentence);
    });
    connect(m_session.get(), &RunSession::fetching, this, [this](qint64 bytesLeft) {
        Q_EMIT message(
            bytesLeft == 0
                ? QString()
                : tr("Fetching logs from their nodes, %1 left.").arg(QLocale().formattedDataSize(bytesLeft)));
    });
    connect(m_grid, &DeviceGrid::processesSeen, m_session.get(), &RunSession::followLastLines);
    m_session->open();
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

QList<QAction *> RunPage::serverActions() const
{
    return m_serverActions->actions() + m_gridActions->actions();
}

QList<QAction *> RunPage::logActions() const
{
    return m_logActions->actions();
}

void RunPage::takeState(const RunState &state)
{
    m_watched = m_watched || (isLive(state.phase) && !state.failure);
    m_header->setState(state);
    m_grid->setState(state);
    m_serverActions->update();
    divide();
    if (state.plan != m_shownPlan) {
        const QList<int> shown =
            m_shownPlan ? sameProcesses(*m_shownPlan, m_shownLogs, *state.plan) : QList<int>();
        m_shownPlan = state.plan;
        showLogs(shown, m_arrangement);
    }
    if (!state.notes.isEmpty()) {
        const int count = int(state.notes.size());
        // Its end may not fit.
        m_note->setText(count == 1
                            ? state.notes.constLast()
                            : tr("Note %1 of %1 (menu View): %2").arg(count).arg(state.notes.constLast()));
        m_note->show();
    }
    if (!m_userChose && !m_isSelfTest)
        chooseFirstLog();
    m_logs->setState(state);
    m_sampling->setState(state);
    tellChosen(state);
    if (m_question && !isLive(state.phase))
        m_question->close(); // There is nothing to answer any more.
    Q_EMIT stateChanged(state);
    // At the run's end another rank may turn out to have failed first.
    if (m_dialog && state.failure && *state.failure != m_shownFailure) {
        m_dialog->deleteLater();
        m_dialog.clear();
        showError();
    } else if (m_dialog && state.failure) {
        m_dialog->setState(state);
    }
    if (state.failure && m_watched && state.plan->raiseOnFailure) {
        m_watched = false;
        showError();
    }
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
    // What a filter wants comes and goes: logs do not move for it.
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
    int process = failedProcess(state());
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
    tellChosen(state());
    if (processes.size() > most)
        Q_EMIT message(tr("The first %1 of %2 logs are shown.").arg(most).arg(processes.size()));
}

void RunPage::showOneRank()
{
    if (m_shownLogs.isEmpty())
        return;
    m_userChose = true;
    const int process = m_grid->currentProcess();
    showLogs({process < 0 ? m_shownLogs.constFirst() : process});
}

void RunPage::tellChosen(const RunState &state)
{
    const QList<int> chosen = ranksOf(m_shownLogs, state);
    m_rankActions->setChosen(chosen.isEmpty() ? RunState() : state, chosen);
    m_stackActions->setChosen(state, chosen);
    m_signalActions->setChosen(state, chosen);
    m_toolActions->setChosen(state, chosen);
    m_details->setEnabled(!chosen.isEmpty());
}

QList<int> RunPage::allProcesses() const
{
    QList<int> all(state().plan ? static_cast<int>(state().plan->processes.size()) : 0);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

void RunPage::showAllRanks()
{
    m_userChose = true;
    showLogs(allProcesses());
}

void RunPage::showMergedRanks()
{
    m_userChose = true;
    showLogs(m_shownLogs.size() > 1 ? m_shownLogs : allProcesses(), RunLogs::Arrangement::Merged);
}

void RunPage::showPlot()
{
    m_userChose = true;
    showLogs(m_shownLogs.size() > 1 ? m_shownLogs : allProcesses(), RunLogs::Arrangement::Plotted);
}

void RunPage::showDevices()
{
    m_userChose = true;
    showLogs(m_shownLogs.size() > 1 ? m_shownLogs : allProcesses(), RunLogs::Arrangement::Devices);
}

void RunPage::showCollectives()
{
    m_userChose = true;
    showLogs(allProcesses(), RunLogs::Arrangement::Collectives);
}

void RunPage::showTerminals()
{
    m_userChose = true;
    const bool areShown = m_arrangement == RunLogs::Arrangement::Terminals;
    showLogs(m_shownLogs, areShown ? RunLogs::Arrangement::Tiled : RunLogs::Arrangement::Terminals);
    if (TerminalPane *const pane = m_logs->terminals()->tiles()->currentPane())
        pane->setFocus(Qt::OtherFocusReason);
    else if (LogView *const view = m_logs->currentView())
        view->setFocus(Qt::OtherFocusReason);
}

void RunPage::showAlike(const QList<int> &processes)
{
    const bool areTerminals = m_arrangement == RunLogs::Arrangement::Terminals;
    showLogs(processes, areTerminals ? RunLogs::Arrangement::Terminals : RunLogs::Arrangement::Tiled);
}

void RunPage::stop()
{
    // What has not been started, or has ended, loses nothing.
    if (state().count(RankPhase::Running) == 0)
        stopNow();
    else
        ask(new StopQuestion(state(), StopQuestion::How::Stop, this), &RunPage::stopNow);
}

void RunPage::stopNow()
{
    if (!m_session)
        return;
    m_session->stop();
    Q_EMIT message(tr("Asked %1 to stop.").arg(state().name));
}

void RunPage::kill()
{
    if (m_session)
        ask(new StopQuestion(state(), StopQuestion::How::Kill, this), &RunPage::killNow);
}

void RunPage::killNow()
{
    if (m_session)
        m_session->kill();
}

void RunPage::ask(StopQuestion *question, void (RunPage::*yes)())
{
    delete m_question;
    m_question = question;
    connect(question, &StopQuestion::confirmed, this, yes);
    question->open();
}

void RunPage::showNotes()
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("Notes"), {}, QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("notesBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    // Not as informative text, which Qt would look through for markup.
    box->setText(tr("Notes of %1").arg(state().name) + QStringLiteral("\n\n") +
                 state().notes.join(QLatin1Char('\n')));
    box->open();
}

void RunPage::showError()
{
    if (!state().failure)
        return;
    if (!m_dialog) {
        m_dialog = new FailureDialog(state(), this, m_session->recordedVerdict());
        m_shownFailure = *state().failure;
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &FailureDialog::openLog, this, &RunPage::openLog);
        connect(m_dialog, &FailureDialog::runAgainWanted, this, &RunPage::runAgainWanted);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void RunPage::saveBundle()
{
    if (canSaveBundle())
        BundleSaving::ask(state(), this);
}

void RunPage::openLog(int process, const QString &file, qint64 line)
{
    m_userChose = true;
    showLogs({process});
    const ProcessPlan &plan = state().plan->processes.at(static_cast<std::size_t>(process));
    if (line >= 0 && (file == plan.logFile || file == plan.stderrFile))
        m_logs->showLine(process, file == plan.stderrFile, line);
}

} // namespace rankdeck
