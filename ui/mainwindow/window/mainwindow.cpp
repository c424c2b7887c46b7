#include "mainwindow/mainwindow.h"

#include "background/inbackground.h"
#include "bundle/openbundle.h"
#include "launchform/launchform.h"
#include "mainwindow/aboutbox.h"
#include "mainwindow/closequestion.h"
#include "mainwindow/emptypage.h"
#include "mainwindow/launching.h"
#include "mainwindow/linkstatus.h"
#include "mainwindow/pastruns.h"
#include "mainwindow/preflighting.h"
#include "mainwindow/problembox.h"
#include "mainwindow/runabilities.h"
#include "mainwindow/runpage.h"
#include "mainwindow/runstopper.h"
#include "preflight/preflightpage.h"
#include "ranktable/ranktablepage.h"
#include "runlist/runlist.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr int messageMs = 8000;
const QString geometryKey = QStringLiteral("window/geometry");
const QString splitterKey = QStringLiteral("window/splitter");
const QString pageSplitterKey = QStringLiteral("window/runSplitter");
const QString tableSplitterKey = QStringLiteral("window/rankTableSplitters");

/// The one rank table or report bundle that is dragged; empty for anything else.
QString draggedFile(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    if (urls.size() != 1 || !urls.constFirst().isLocalFile())
        return {};
    const QString path = urls.constFirst().toLocalFile();
    return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) || isBundleName(path) ? path
                                                                                            : QString();
}

QAction *addTo(QMenu *menu, const QString &text, const QKeySequence &shortcut = {})
{
    QAction *action = menu->addAction(text);
    action->setShortcut(shortcut);
    return action;
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_control(QStringLiteral("control"))
    , m_logs(QStringLiteral("logs"))
    , m_catalog(new RunCatalog)
    , m_splitter(new QSplitter(this))
    , m_list(new RunList)
    , m_stack(new QStackedWidget)
    , m_empty(new EmptyPage)
    , m_page(new RunPage)
    , m_tablePage(new RankTablePage)
    , m_launching(new Launching(this))
    , m_pastRuns(new PastRuns(this))
{
    qRegisterMetaType<QList<RunSummary>>();
    setWindowTitle(tr("Rankdeck"));
    makeCentre();
    makeActions();
    setAcceptDrops(true);
    connectTablePage();
    connectPastRuns();

    connect(m_list, &RunList::runChosen, this, [this](const QString &directory) { openRun(directory); });
    connect(m_empty, &EmptyPage::launchWanted, this, &MainWindow::showLaunchForm);
    connect(m_empty, &EmptyPage::demoWanted, m_launching, [this] { m_launching->startDemo(); });
    connect(m_launching, &Launching::launched, this,
            [this](const QString &directory) { openRun(directory, true); });
    connect(m_empty, &EmptyPage::rankTableWanted, this, &MainWindow::chooseRankTable);
    connect(m_page, &RunPage::stateChanged, this, &MainWindow::takeState);
    connect(m_page, &RunPage::runAgainWanted, this, &MainWindow::runAgain);
    connect(m_page, &RunPage::message, this,
            [this](const QString &text) { statusBar()->showMessage(text, messageMs); });
    connect(m_catalog.get(), &RunCatalog::runsChanged, this, &MainWindow::takeRuns);
    m_control.adopt(m_catalog.get());
    QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::start);
    LinkStatus::addTo(statusBar(), FramePacer::instance());
    restoreLayout();
}

MainWindow::~MainWindow()
{
    // The page talks to objects in the threads, so it must not outlive them.
    delete m_page;
}

void MainWindow::makeCentre()
{
    auto *launch = new QPushButton(tr("&Launch…"));
    launch->setObjectName(QStringLiteral("launchButton"));
    connect(launch, &QPushButton::clicked, this, &MainWindow::showLaunchForm);
    m_list->setObjectName(QStringLiteral("runList"));
    auto *left = new QWidget;
    auto *layout = new QVBoxLayout(left);
    layout->setContentsMargins(8, 8, 0, 8);
    layout->addWidget(launch);
    layout->addWidget(m_list, 1);

    m_stack->setObjectName(QStringLiteral("pages"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_tablePage);
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_stack);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setCollapsible(1, false);
    setCentralWidget(m_splitter);
}

void MainWindow::makeActions()
{
    makeFileMenu();
    makeRunMenu();
    QMenu *view = menuBar()->addMenu(tr("&View"));
    m_notes = addTo(view, tr("&Notes…"));
    m_notes->setObjectName(QStringLiteral("notesAction"));
    connect(m_notes, &QAction::triggered, m_page, &RunPage::showNotes);
    view->addSeparator();
    QAction *devices = addTo(view, tr("D&evice grid"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    devices->setObjectName(QStringLiteral("deviceGridAction"));
    devices->setCheckable(true);
    devices->setChecked(true);
    connect(devices, &QAction::toggled, m_page, &RunPage::setGridShown);
    view->addActions(m_page->serverActions());
    view->addSeparator();
    m_oneRank = addTo(view, tr("&One rank's log"), QKeySequence(Qt::CTRL | Qt::Key_1));
    m_oneRank->setObjectName(QStringLiteral("oneRankAction"));
    connect(m_oneRank, &QAction::triggered, m_page, &RunPage::showOneRank);
    m_allRanks = addTo(view, tr("&All logs, tiled"), QKeySequence(Qt::CTRL | Qt::Key_0));
    m_allRanks->setObjectName(QStringLiteral("allRanksAction"));
    connect(m_allRanks, &QAction::triggered, m_page, &RunPage::showAllRanks);
    m_mergedRanks = addTo(view, tr("All logs, merge&d"), QKeySequence(Qt::CTRL | Qt::Key_M));
    m_mergedRanks->setObjectName(QStringLiteral("mergedRanksAction"));
    connect(m_mergedRanks, &QAction::triggered, m_page, &RunPage::showMergedRanks);
    m_plot = addTo(view, tr("Progress as cur&ves"), QKeySequence(Qt::CTRL | Qt::Key_P));
    m_plot->setObjectName(QStringLiteral("plotAction"));
    connect(m_plot, &QAction::triggered, m_page, &RunPage::showPlot);
    m_devices = addTo(view, tr("NPUs and processes"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    m_devices->setObjectName(QStringLiteral("devicesAction"));
    connect(m_devices, &QAction::triggered, m_page, &RunPage::showDevices);
    m_collectives = addTo(view, tr("&Collectives"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G));
    m_collectives->setObjectName(QStringLiteral("collectivesAction"));
    connect(m_collectives, &QAction::triggered, m_page, &RunPage::showCollectives);
    m_terminals = addTo(view, tr("&Terminals"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T));
    m_terminals->setObjectName(QStringLiteral("terminalsAction"));
    connect(m_terminals, &QAction::triggered, m_page, &RunPage::showTerminals);
    m_preflight = addTo(view, tr("&Preflight"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    m_preflight->setObjectName(QStringLiteral("preflightAction"));
    m_preflight->setEnabled(false);
    connect(m_preflight, &QAction::triggered, this, &MainWindow::showPreflight);
    view->addSeparator();
    view->addActions(m_page->logActions());

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    connect(addTo(help, tr("&About Rankdeck")), &QAction::triggered, this, [this] { showAbout(this); });
    takeState({});
}

void MainWindow::makeFileMenu()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    connect(addTo(file, tr("&Launch…"), QKeySequence(Qt::CTRL | Qt::Key_L)), &QAction::triggered, this,
            &MainWindow::showLaunchForm);
    connect(addTo(file, tr("Run &demo")), &QAction::triggered, m_launching,
            [this] { m_launching->startDemo(Demo::Training); });
    QAction *debugDemo = addTo(file, tr("Run d&ebugging demo"));
    debugDemo->setObjectName(QStringLiteral("debugDemoAction"));
    connect(debugDemo, &QAction::triggered, m_launching, [this] { m_launching->startDemo(Demo::Debug); });
    QAction *collectiveDemo = addTo(file, tr("Run &collectives demo"));
    collectiveDemo->setObjectName(QStringLiteral("collectiveDemoAction"));
    connect(collectiveDemo, &QAction::triggered, m_launching,
            [this] { m_launching->startDemo(Demo::Collective); });
    file->addSeparator();
    QAction *open = addTo(file, tr("&Open rank table…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    open->setObjectName(QStringLiteral("openRankTableAction"));
    connect(open, &QAction::triggered, this, &MainWindow::chooseRankTable);
    QAction *logs = addTo(file, tr("Open l&og directory…"), QKeySequence(Qt::CTRL | Qt::Key_O));
    logs->setObjectName(QStringLiteral("openLogDirectoryAction"));
    connect(logs, &QAction::triggered, this, &MainWindow::chooseLogDirectory);
    QAction *bundle = addTo(file, tr("Open report &bundle…"), QKeySequence(Qt::CTRL | Qt::Key_B));
    bundle->setObjectName(QStringLiteral("openBundleAction"));
    connect(bundle, &QAction::triggered, this, &MainWindow::chooseBundle);
    QAction *generate = addTo(file, tr("&Generate rank table…"));
    generate->setObjectName(QStringLiteral("generateRankTableAction"));
    connect(generate, &QAction::triggered, this, &MainWindow::generateRankTable);
    file->addSeparator();
    connect(addTo(file, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered, this,
            &MainWindow::close);
}

void MainWindow::makeRunMenu()
{
    QMenu *run = menuBar()->addMenu(tr("&Run"));
    m_stop = addTo(run, tr("&Stop…"));
    connect(m_stop, &QAction::triggered, m_page, &RunPage::stop);
    m_kill = addTo(run, tr("&Kill…"));
    connect(m_kill, &QAction::triggered, m_page, &RunPage::kill);
    run->addSeparator();
    run->addActions(m_page->rankActions());
    run->addSeparator();
    m_runAgain = addTo(run, tr("Run &again"), QKeySequence(Qt::CTRL | Qt::Key_R));
    connect(m_runAgain, &QAction::triggered, this, &MainWindow::runAgain);
    m_runAgainChanged =
        addTo(run, tr("Run again with &changes…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    m_runAgainChanged->setObjectName(QStringLiteral("runAgainChangedAction"));
    connect(m_runAgainChanged, &QAction::triggered, this, &MainWindow::runAgainChanged);
    run->addSeparator();
    m_showError = addTo(run, tr("Show &error…"), QKeySequence(Qt::CTRL | Qt::Key_E));
    m_showError->setObjectName(QStringLiteral("showErrorAction"));
    connect(m_showError, &QAction::triggered, m_page, &RunPage::showError);
    m_saveBundle = addTo(run, tr("Save &bundle…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
    m_saveBundle->setObjectName(QStringLiteral("saveBundleAction"));
    connect(m_saveBundle, &QAction::triggered, m_page, &RunPage::saveBundle);
    run->addSeparator();
    m_delete = addTo(run, tr("&Delete…"));
    m_delete->setObjectName(QStringLiteral("deleteAction"));
    // In the list alone: in a text field the key deletes text.
    m_delete->setShortcut(QKeySequence(Qt::Key_Delete));
    m_delete->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(m_delete, &QAction::triggered, this, [this] {
        const QStringList chosen = m_list->selectedRuns();
        m_pastRuns->deleteRuns(chosen.isEmpty() ? QStringList{m_page->directory()} : chosen);
    });
    QAction *keep = addTo(run, tr("Keep &runs…"));
    keep->setObjectName(QStringLiteral("keepAction"));
    connect(keep, &QAction::triggered, this, [this] { m_pastRuns->askHowLongToKeep(m_runs); });
    m_list->offerActions({m_runAgain, m_runAgainChanged, m_delete});
}

void MainWindow::openRun(const QString &directory, bool launchedHere)
{
    if (launchedHere) {
        m_launchedHere.insert(directory);
        QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::refresh);
    }
    m_list->setCurrentRun(directory);
    m_stack->setCurrentWidget(m_page);
    if (m_page->directory() != directory)
        showSession(directory, RunSession::Source::Run, launchedHere);
    showTitle(); // Not that of what was shown before.
}

void MainWindow::openRecorded(const QString &path)
{
    using Source = RunSession::Source;
    inBackground(
        this,
        [path] {
            if (QFileInfo(path).isFile())
                return Source::Bundle;
            return readRunRecord(path) ? Source::Run : Source::Logs;
        },
        [this, path](Source source) {
            if (source == Source::Run)
                openRun(path);
            else
                showRecorded(path, source);
        });
}

void MainWindow::showRecorded(const QString &path, RunSession::Source source)
{
    m_list->setCurrentRun({});
    m_stack->setCurrentWidget(m_page);
    showSession(path, source, false);
    showTitle();
}

void MainWindow::showSession(const QString &path, RunSession::Source source, bool watched)
{
    takeState({});
    m_page->setSession(std::make_unique<RunSession>(path, source, m_control, m_logs), watched);
}

void MainWindow::chooseLogDirectory()
{
    auto *chooser = new QFileDialog(this, tr("Open the logs of msrun, davincirun or torchrun"));
    chooser->setObjectName(QStringLiteral("logDirectoryDialog"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::Directory);
    connect(chooser, &QFileDialog::fileSelected, this, &MainWindow::openRecorded);
    chooser->open();
}

void MainWindow::chooseBundle()
{
    auto *chooser = new QFileDialog(this, tr("Open a report bundle"), {},
                                    tr("Report bundles (*.tar.gz *.tgz);;All files (*)"));
    chooser->setObjectName(QStringLiteral("bundleDialog"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, &MainWindow::openRecorded);
    chooser->open();
}

void MainWindow::connectPastRuns()
{
    connect(m_pastRuns, &PastRuns::deleted, this, &MainWindow::forget);
    connect(m_pastRuns, &PastRuns::message, this,
            [this](const QString &text) { statusBar()->showMessage(text, messageMs); });
    m_pastRuns->deleteExpired();
}

void MainWindow::forget(const QStringList &directories)
{
    QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::refresh);
    if (!directories.contains(m_page->directory()))
        return;
    m_page->setSession(nullptr, false);
    takeState({});
    if (m_stack->currentWidget() == m_page)
        m_stack->setCurrentWidget(m_empty);
    showTitle();
}

void MainWindow::takeRuns(const QList<RunSummary> &runs)
{
    for (const RunSummary &run : runs) {
        const auto before = std::find_if(m_runs.cbegin(), m_runs.cend(), [&run](const RunSummary &other) {
            return other.directory == run.directory;
        });
        const bool news = before != m_runs.cend() && isLive(before->phase) && !isLive(run.phase);
        if (news && m_launchedHere.contains(run.directory) && run.directory != m_page->directory())
            statusBar()->showMessage(tr("%1 has ended.").arg(run.name), messageMs);
    }
    m_list->setRuns(runs);
    if (std::exchange(m_firstLook, false) && m_page->directory().isEmpty() && !m_launching->isBusy() &&
        (m_stack->currentWidget() == m_empty || m_stack->currentWidget() == m_page))
        openNewestLiveRun(runs);
    m_runs = runs;
}

void MainWindow::openNewestLiveRun(const QList<RunSummary> &runs)
{
    const auto live =
        std::find_if(runs.cbegin(), runs.cend(), [](const RunSummary &run) { return isLive(run.phase); });
    if (live != runs.cend())
        openRun(live->directory);
}

void MainWindow::takeState(const RunState &state)
{
    const RunAbilities can = RunAbilities::of(state);
    m_stop->setEnabled(can.stop);
    m_kill->setEnabled(can.kill);
    m_runAgain->setEnabled(can.runAgain);
    m_runAgainChanged->setEnabled(can.runAgain);
    m_delete->setEnabled(state.plan && !isLive(state.phase) && !hasLogsAlone(state.phase));
    m_showError->setEnabled(can.showError);
    m_saveBundle->setEnabled(state.plan && m_page->canSaveBundle());
    // The list would see it at its next look; it should not say otherwise than the page until then.
    if (std::exchange(m_shownPhase, state.phase) != state.phase)
        QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::refresh);
    m_notes->setEnabled(!state.notes.isEmpty());
    m_oneRank->setEnabled(state.plan != nullptr);
    m_allRanks->setEnabled(state.plan != nullptr);
    m_mergedRanks->setEnabled(state.plan != nullptr);
    m_plot->setEnabled(state.plan != nullptr);
    m_devices->setEnabled(state.plan != nullptr);
    m_collectives->setEnabled(state.plan != nullptr);
    m_terminals->setEnabled(state.plan != nullptr);
    showTitle();
}

void MainWindow::showTitle()
{
    const QString shown = m_stack->currentWidget() == m_tablePage ? QFileInfo(m_tablePage->path()).fileName()
                          : m_preflighting && m_stack->currentWidget() == m_preflighting->page()
                              ? tr("Preflight")
                              : m_page->state().name;
    setWindowTitle(shown.isEmpty() ? tr("Rankdeck") : tr("%1 - Rankdeck").arg(shown));
}

void MainWindow::connectTablePage()
{
    connect(m_tablePage, &RankTablePage::opened, this, &MainWindow::showTablePage);
    connect(m_tablePage, &RankTablePage::closeWanted, this, &MainWindow::closeTablePage);
    connect(m_tablePage, &RankTablePage::launchWanted, this, [this](const QString &path) {
        showLaunchForm();
        m_form->setRankTable(path);
    });
}

void MainWindow::makePreflight()
{
    auto *page = new PreflightPage;
    m_stack->addWidget(page);
    m_preflighting = new Preflighting(page, this);
    connect(m_preflighting, &Preflighting::launchWanted, this, [this](const LaunchSpec &spec) {
        if (m_form)
            m_form->remember(spec);
        closePreflight();
        startLaunch(spec);
    });
    connect(page, &PreflightPage::changeWanted, this, &MainWindow::showLaunchForm);
    connect(page, &PreflightPage::closeWanted, this, &MainWindow::closePreflight);
}

void MainWindow::startPreflight(const LaunchSpec &spec)
{
    if (!m_preflighting)
        makePreflight();
    m_preflight->setEnabled(true);
    showPreflight();
    m_preflighting->start(spec);
}

void MainWindow::showPreflight()
{
    m_stack->setCurrentWidget(m_preflighting->page());
    m_list->setCurrentRun({});
    showTitle();
}

void MainWindow::closePreflight()
{
    m_preflighting->stop();
    m_preflight->setEnabled(false);
    showRunPage();
}

void MainWindow::openRankTable(const QString &path)
{
    m_tablePage->openTable(path);
}

void MainWindow::chooseRankTable()
{
    m_tablePage->askForFile();
}

void MainWindow::generateRankTable()
{
    showTablePage();
    m_tablePage->generate();
}

void MainWindow::showTablePage()
{
    m_stack->setCurrentWidget(m_tablePage);
    m_list->setCurrentRun({});
    showTitle();
}

void MainWindow::closeTablePage()
{
    m_tablePage->closeTable();
    showRunPage();
}

void MainWindow::showRunPage()
{
    m_stack->setCurrentWidget(m_page->directory().isEmpty() ? static_cast<QWidget *>(m_empty) : m_page);
    m_list->setCurrentRun(m_page->directory());
    showTitle();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!draggedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = draggedFile(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    if (isBundleName(path))
        openRecorded(path);
    else
        openRankTable(path);
}

void MainWindow::showLaunchForm()
{
    if (!m_form) {
        m_form = new LaunchForm(this);
        connect(m_form, &LaunchForm::launched, this,
                [this](const QString &directory) { openRun(directory, true); });
        connect(m_form, &LaunchForm::showTableWanted, this, &MainWindow::openRankTable);
        connect(m_form, &LaunchForm::preflightWanted, this, &MainWindow::startPreflight);
    }
    m_form->show();
    m_form->raise();
    m_form->activateWindow();
}

void MainWindow::runAgain()
{
    if (const auto spec = m_page->state().spec)
        startLaunch(*spec);
}

void MainWindow::runAgainChanged()
{
    if (const auto spec = m_page->state().spec) {
        showLaunchForm();
        m_form->setSpec(*spec);
    }
}

void MainWindow::startLaunch(const LaunchSpec &spec)
{
    m_launching->start(spec);
}

QStringList MainWindow::liveDirectories() const
{
    QStringList live;
    // The page hears of the end of the run it shows before the list does.
    for (const RunSummary &run : m_runs) {
        if (m_launchedHere.contains(run.directory) && run.directory != m_page->directory() &&
            isLive(run.phase))
            live.append(run.directory);
    }
    if (m_page->state().plan && isLive(m_page->state().phase))
        live.prepend(m_page->directory());
    return live;
}

QStringList MainWindow::liveRuns() const
{
    QStringList names;
    for (const QString &directory : liveDirectories())
        names.append(directory.section(QLatin1Char('/'), -1));
    return names;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_closing || liveDirectories().isEmpty()) {
        saveLayout();
        event->accept();
        return;
    }
    event->ignore();
    askBeforeClosing();
}

void MainWindow::askBeforeClosing()
{
    if (findChild<CloseQuestion *>())
        return;
    auto *question = new CloseQuestion(liveRuns(), this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &CloseQuestion::leaveRunning, this, [this] {
        m_closing = true;
        close();
    });
    connect(question, &CloseQuestion::stopRuns, this, &MainWindow::stopAndClose);
    question->open();
}

void MainWindow::stopAndClose()
{
    const QStringList directories = liveDirectories();
    statusBar()->showMessage(directories.size() == 1
                                 ? tr("Stopping the run…")
                                 : tr("Stopping %n runs…", nullptr, int(directories.size())));
    centralWidget()->setEnabled(false);
    m_stopper = std::make_unique<RunStopper>(directories, m_control);
    connect(m_stopper.get(), &RunStopper::finished, this, [this](const QStringList &unheard) {
        centralWidget()->setEnabled(true);
        if (unheard.isEmpty()) {
            m_closing = true;
            close();
            return;
        }
        statusBar()->clearMessage();
        showProblem(this, tr("Not every run could be stopped"),
                    tr("No answer from %1. Close the window again to leave it running.")
                        .arg(unheard.join(QStringLiteral(", "))));
    });
    m_stopper->start();
}

void MainWindow::restoreLayout()
{
    // With its frame it has to fit on a small screen; what stands at its end is not seen otherwise.
    constexpr QSize frame(16, 48);
    resize(QSize(1200, 800).boundedTo(screen()->availableSize() - frame));
    m_splitter->setSizes({260, 940});
    const QSettings settings;
    restoreGeometry(settings.value(geometryKey).toByteArray());
    m_splitter->restoreState(settings.value(splitterKey).toByteArray());
    m_page->restoreDivision(settings.value(pageSplitterKey).toByteArray());
    m_tablePage->restoreDivision(settings.value(tableSplitterKey).toByteArray());
}

void MainWindow::saveLayout() const
{
    QSettings settings;
    settings.setValue(geometryKey, saveGeometry());
    settings.setValue(splitterKey, m_splitter->saveState());
    settings.setValue(pageSplitterKey, m_page->saveDivision());
    settings.setValue(tableSplitterKey, m_tablePage->saveDivision());
}

} // namespace rankdeck
