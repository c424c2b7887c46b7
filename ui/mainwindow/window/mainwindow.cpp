#include "mainwindow/window/mainwindow.h"

#include "launchform/form/launchform.h"
#include "launchform/start/launchjob.h"
#include "mainwindow/links/linkstatus.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/emptypage.h"
#include "mainwindow/window/mainmenu.h"
#include "mainwindow/window/pastruns.h"
#include "mainwindow/window/presentation.h"
#include "mainwindow/window/windowclosing.h"
#include "mainwindow/window/windowlayout.h"
#include "preflight/page/preflightpage.h"
#include "runnews/runnews.h"

#include <QFileInfo>

namespace rankdeck
{

/// Returns the names of the runs in `directories` that were live before and are no longer.
static QStringList endedRuns(const QList<RunSummary> &before, const QList<RunSummary> &now,
                             const QSet<QString> &directories)
{
    QStringList names;
    for (const RunSummary &run : now) {
        const auto known = std::ranges::find(before, run.directory, &RunSummary::directory);
        if (known != before.cend() && isLive(known->phase) && !isLive(run.phase) &&
            directories.contains(run.directory))
            names << run.name;
    }
    return names;
}

/// Returns `spec` with the preferences' command for the end of a run, unless the run had one of its own.
static LaunchSpec withEndCommand(LaunchSpec spec, const Preferences &preferences)
{
    const QString variable = u"RANKDECK_ON_END"_s;
    if (!preferences.endCommand.isEmpty() && !spec.environment.contains(variable))
        spec.environment.insert(variable, preferences.endCommand);
    return spec;
}

/// A page that is not shown takes no room from the list of runs.
static void giveRoomToCurrent(const QStackedWidget &pages)
{
    for (int index = 0; index < pages.count(); ++index) {
        const auto policy = index == pages.currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        pages.widget(index)->setSizePolicy(policy, policy);
    }
}

MainWindow::MainWindow()
    : m_control(u"control"_s)
    , m_logs(u"logs"_s)
    , m_catalog(new RunCatalog)
    , m_closing(std::make_unique<WindowClosing>(this, m_control, [this] { return liveDirectories(); }))
    , m_splitter(named(new QSplitter(this), "mainSplitter"))
    , m_left(new QWidget)
    , m_list(named(new RunList, "runList"))
    , m_stack(named(new QStackedWidget, "pages"))
    , m_empty(new EmptyPage)
    , m_page(new RunPage)
    , m_tablePage(new RankTablePage)
    , m_opening(new Opening(this))
    , m_launching(new Launching(this))
    , m_pastRuns(new PastRuns(this, m_list, m_page))
    , m_presentation(new Presentation(this, m_left))
    , m_layout(new WindowLayout(this, m_splitter, m_page, m_tablePage, m_presentation))
    , m_menu(new MainMenu(this, {m_page, m_opening, m_launching, m_pastRuns, m_presentation}))
    , m_news(new RunNews(this))
{
    setWindowTitle(tr("Rankdeck"));
    setWindowIcon(rankdeckIcon());
    makeCentre();
    m_list->offerActions(m_menu->listActions());
    connectParts();
    m_pastRuns->deleteExpired();
    m_control.adopt(m_catalog.get());
    QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::start);
    LinkStatus::addTo(statusBar(), FramePacer::instance());
    m_layout->restore();
}

MainWindow::~MainWindow()
{
    // The page calls objects in the threads, so it must not outlive them.
    delete m_page;
}

void MainWindow::makeCentre()
{
    auto *launch = named(new QPushButton(tr("&Launch…")), "launchButton");
    connect(launch, &QPushButton::clicked, this, &MainWindow::showLaunchForm);
    auto *layout = new QVBoxLayout(m_left);
    layout->setContentsMargins(8, 8, 0, 8);
    addParts(layout, {launch, {m_list, 1}});

    for (QWidget *page : std::initializer_list<QWidget *>{m_empty, m_page, m_tablePage})
        m_stack->addWidget(page);
    m_splitter->addWidget(m_left);
    connect(m_stack, &QStackedWidget::currentChanged, m_stack,
            [stack = m_stack] { giveRoomToCurrent(*stack); });
    giveRoomToCurrent(*m_stack);
    m_splitter->addWidget(m_stack);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setCollapsible(1, false);
    setCentralWidget(m_splitter);
}

void MainWindow::connectParts()
{
    connect(m_list, &RunList::runChosen, this, [this](const QString &directory) { openRun(directory); });
    connect(m_empty, &EmptyPage::launchRequested, this, &MainWindow::showLaunchForm);
    connect(m_empty, &EmptyPage::pasteRequested, this, [this] {
        showLaunchForm();
        m_form->pasteCommandLine();
    });
    connect(m_empty, &EmptyPage::demoRequested, m_launching, &Launching::startDemo);
    connect(m_empty, &EmptyPage::rankTableRequested, this, &MainWindow::chooseRankTable);
    connect(m_empty, &EmptyPage::logsRequested, m_opening, &Opening::chooseLogDirectory);
    connect(m_empty, &EmptyPage::bundleRequested, m_opening, &Opening::chooseLogOrBundle);
    connect(m_empty, &EmptyPage::pathRequested, m_opening, &Opening::open);
    connect(m_opening, &Opening::runFound, this, [this](const QString &directory) { openRun(directory); });
    connect(m_opening, &Opening::rankTableFound, m_tablePage, &RankTablePage::openTable);
    connect(m_opening, &Opening::logsFound, this, [this](const QString &path, RunSession::Source source) {
        showPage(m_page);
        showSession(path, source, false);
    });
    connect(m_launching, &Launching::launched, this,
            [this](const QString &directory) { openRun(directory, true); });
    connect(m_page, &RunPage::stateChanged, this, &MainWindow::takeState);
    connect(m_page, &RunPage::runAgainRequested, this, &MainWindow::runAgain);
    connect(m_page, &RunPage::message, this, &MainWindow::showMessage);
    connect(m_page, &RunPage::openRequested, m_opening, &Opening::chooseLogOrBundle);
    connect(m_presentation, &Presentation::viewRequested, m_page, &RunPage::goToView);
    connect(m_presentation, &Presentation::said, this, &MainWindow::showMessage);
    connect(m_page, &RunPage::replayCloseRequested, this, &MainWindow::endReplay);
    connect(m_page, &RunPage::closeRequested, this, [this] { forget({m_page->directory()}); });
    connect(m_tablePage, &RankTablePage::opened, this, [this] { showPage(m_tablePage); });
    connect(m_tablePage, &RankTablePage::closeRequested, this, [this] {
        m_tablePage->closeTable();
        showRunPage();
    });
    connect(m_tablePage, &RankTablePage::launchRequested, this, [this](const QString &path) {
        showLaunchForm();
        m_form->setRankTable(path);
    });
    connect(m_pastRuns, &PastRuns::deleted, this, &MainWindow::forget);
    connect(m_pastRuns, &PastRuns::renamed, m_catalog.get(), &RunCatalog::refresh);
    connect(m_pastRuns, &PastRuns::message, this, &MainWindow::showMessage);
    connect(m_catalog.get(), &RunCatalog::runsChanged, this, &MainWindow::takeRuns);
}

void MainWindow::openRun(const QString &directory, bool launchedHere)
{
    if (launchedHere) {
        m_launchedHere.insert(directory);
        QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::refresh);
    }
    m_list->setCurrentRun(directory);
    m_stack->setCurrentWidget(m_page);
    if (m_page->directory() != directory || m_page->isReplay())
        showSession(directory, RunSession::Source::Run, launchedHere);
    showTitle(); // The title of the page that was shown before is still there.
}

void MainWindow::openReplay(const QString &path, std::optional<double> speed)
{
    m_list->setCurrentRun(path);
    showPage(m_page);
    showSession(path, RunSession::Source::Replay, false, speed);
}

void MainWindow::replayRun()
{
    const QString run = m_list->currentRun();
    const QString path = run.isEmpty() ? m_page->directory() : run;
    if (!path.isEmpty())
        openReplay(path, ReplayClock::leastSpeed);
}

void MainWindow::endReplay()
{
    const QString path = m_page->directory();
    forget({path});
    openRecorded(path);
}

void MainWindow::showSession(const QString &path, RunSession::Source source, bool watched,
                             std::optional<double> speed)
{
    takeState({});
    auto session = std::make_unique<RunSession>(path, source, m_control, m_logs);
    if (speed)
        session->setSpeed(*speed);
    m_page->setSession(std::move(session), watched);
    showTitle();
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
    const QList<RunSummary> before = m_list->runs();
    m_news->take(before, runs, m_launchedHere + QSet{m_page->directory()});
    for (const QString &name : endedRuns(before, runs, m_launchedHere - QSet{m_page->directory()}))
        showMessage(tr("%1 has ended.").arg(name));
    m_list->setRuns(runs);
    if (std::exchange(m_isFirstList, false) && m_page->directory().isEmpty() && !m_launching->isBusy() &&
        (m_stack->currentWidget() == m_empty || m_stack->currentWidget() == m_page)) {
        // A new window shows the run that is live, as one that was lost did.
        const auto live = std::ranges::find_if(runs, [](const RunSummary &run) { return isLive(run.phase); });
        if (live != runs.cend())
            openRun(live->directory);
    }
}

void MainWindow::takeState(const RunState &state)
{
    m_menu->setState(state);
    // The list polls; refreshed now, it agrees with the page.
    if (std::exchange(m_shownPhase, state.phase) != state.phase)
        QMetaObject::invokeMethod(m_catalog.get(), &RunCatalog::refresh);
    showTitle();
}

void MainWindow::showTitle()
{
    const QString shown = m_stack->currentWidget() == m_tablePage ? QFileInfo(m_tablePage->path()).fileName()
                          : m_preflighting && m_stack->currentWidget() == m_preflighting->page()
                              ? tr("Preflight")
                          : m_page->isReplay() ? tr("Replay of %1").arg(shownName(m_page->state()))
                                               : shownName(m_page->state());
    setWindowTitle(shown.isEmpty() ? tr("Rankdeck") : tr("%1 - Rankdeck").arg(shown));
}

void MainWindow::makePreflight()
{
    auto *page = new PreflightPage;
    m_stack->addWidget(page);
    giveRoomToCurrent(*m_stack);
    m_preflighting = new Preflighting(page, this);
    connect(m_preflighting, &Preflighting::launchRequested, this, [this](const LaunchSpec &spec) {
        if (m_form)
            m_form->remember(spec);
        closePreflight();
        startLaunch(spec);
    });
    connect(m_preflighting, &Preflighting::changed, this, [this](const LaunchSpec &spec) {
        if (m_form)
            m_form->setSpec(spec);
    });
    connect(page, &PreflightPage::changeRequested, this, &MainWindow::showLaunchForm);
    connect(page, &PreflightPage::closeRequested, this, &MainWindow::closePreflight);
}

void MainWindow::startPreflight(const LaunchSpec &spec)
{
    if (!m_preflighting)
        makePreflight();
    m_menu->setPreflight(true);
    showPreflight();
    m_preflighting->start(spec);
}

void MainWindow::showPreflight()
{
    showPage(m_preflighting->page());
}

void MainWindow::closePreflight()
{
    m_preflighting->stop();
    m_menu->setPreflight(false);
    showRunPage();
}

void MainWindow::generateRankTable()
{
    showPage(m_tablePage);
    m_tablePage->generate();
}

void MainWindow::showPage(QWidget *page)
{
    m_stack->setCurrentWidget(page);
    m_list->setCurrentRun({});
    showTitle();
}

void MainWindow::showRunPage()
{
    m_stack->setCurrentWidget(m_page->directory().isEmpty() ? static_cast<QWidget *>(m_empty) : m_page);
    m_list->setCurrentRun(m_page->directory());
    showTitle();
}

void MainWindow::showLaunchForm()
{
    if (!m_form) {
        m_form = new LaunchForm(this);
        connect(m_form, &LaunchForm::launched, this,
                [this](const QString &directory) { openRun(directory, true); });
        connect(m_form, &LaunchForm::showTableRequested, this, &MainWindow::openRankTable);
        connect(m_form, &LaunchForm::preflightRequested, this, &MainWindow::startPreflight);
    }
    m_form->show();
    m_form->raise();
    m_form->activateWindow();
}

void MainWindow::runAgain()
{
    if (const auto spec = m_page->state().spec)
        m_launching->start(withEndCommand(*spec, Preferences::load()), LaunchWhen::OnceFree);
}

void MainWindow::runAgainChanged()
{
    if (const auto spec = m_page->state().spec) {
        showLaunchForm();
        m_form->setSpec(*spec);
    }
}

QStringList MainWindow::liveDirectories() const
{
    QStringList live;
    // The page learns of the end of the run it shows before the list does.
    for (const RunSummary &run : m_list->runs()) {
        if (m_launchedHere.contains(run.directory) && run.directory != m_page->directory() &&
            isLive(run.phase))
            live.append(run.directory);
    }
    if (m_page->state().plan && m_page->state().isLiveNow())
        live.prepend(m_page->directory());
    return live;
}

QStringList MainWindow::liveRuns() const
{
    return listOf(liveDirectories(), [&](const QString &directory) { return directory.section('/'_L1, -1); });
}

bool MainWindow::isBusy() const
{
    return m_launching->isBusy() || m_preflighting || (m_form && m_form->isVisible());
}

void MainWindow::takeOver(const MainWindow &other)
{
    other.m_layout->save();
    m_layout->restore();
    setGeometry(other.geometry());
    m_launchedHere = other.m_launchedHere;
    if (const QString shown = other.m_page->directory(); !shown.isEmpty())
        openRecorded(shown);
    if (!other.m_tablePage->path().isEmpty() && other.m_stack->currentWidget() == other.m_tablePage)
        openRankTable(other.m_tablePage->path());
}

/// Gets the keys that nothing with the focus took.
void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (m_stack->currentWidget() != m_page || !m_page->pressLogKey(*event))
        QMainWindow::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_closing->isConfirmed() || liveDirectories().isEmpty() || !Preferences::load().asksToClose) {
        m_layout->save();
        event->accept();
        return;
    }
    event->ignore();
    m_closing->ask(liveRuns());
}

} // namespace rankdeck
