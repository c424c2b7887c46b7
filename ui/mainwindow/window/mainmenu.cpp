#include "mainwindow/window/mainmenu.h"

#include "base/language.h"
#include "help/helpdialogs.h"
#include "help/manualwindow.h"
#include "launch/options/launchers.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "mainwindow/window/pastruns.h"
#include "mainwindow/window/presentation.h"
#include "preferences/preferencesdialog.h"
#include "widgets/labels.h"

#include <QApplication>
#include <QMenuBar>
#include <QStyle>
#include <QToolBar>

namespace rankdeck
{

constexpr Qt::Modifiers ctrl = Qt::CTRL;
constexpr Qt::Modifiers ctrlShift = Qt::CTRL | Qt::SHIFT;

/// @param name object name; empty for none.
template <typename Receiver, typename Slot>
static QAction *addTo(QMenu *menu, const QString &text, const char *name, const QKeySequence &shortcut,
                      Receiver *receiver, Slot slot)
{
    QAction *action = named(menu->addAction(text), name);
    action->setShortcut(shortcut);
    QObject::connect(action, &QAction::triggered, receiver, slot);
    return action;
}

MainMenu::MainMenu(MainWindow *window, const Parts &parts)
    : QObject(window)
    , m_window(window)
    , m_page(parts.page)
{
    makeFileMenu(parts.launching, parts.opening);
    makeEditMenu();
    makeRunMenu(parts.pastRuns);
    makeViewMenu(parts.presentation->action());
    makeHelpMenu();
    makeToolBar();
    setState({});
    qApp->installEventFilter(this);
}

void MainMenu::makeFileMenu(Launching *launching, Opening *opening)
{
    QMenu *file = m_window->menuBar()->addMenu(tr("&File"));
    m_launch =
        addTo(file, tr("&Launch…"), "launchAction", ctrl | Qt::Key_L, m_window, &MainWindow::showLaunchForm);
    QMenu *demoMenu = file->addMenu(tr("Run &demo"));
    for (const DemoEntry &entry : demos()) {
        const QByteArray name = "demoAction-" + entry.word.toLatin1();
        addTo(demoMenu, entry.title, name.constData(), {}, launching, [launching, demo = entry.demo] {
            launching->startDemo(demo);
        })->setToolTip(entry.summary);
    }
    demoMenu->setToolTipsVisible(true);
    file->addSeparator();
    m_openTable = addTo(file, tr("&Open rank table…"), "openRankTableAction", ctrlShift | Qt::Key_O, m_window,
                        &MainWindow::chooseRankTable);
    m_openLogs = addTo(file, tr("Open l&og directory…"), "openLogDirectoryAction", ctrl | Qt::Key_O, opening,
                       &Opening::chooseLogDirectory);
    addTo(file, tr("Open log or report &bundle…"), "openBundleAction", ctrl | Qt::Key_B, opening,
          &Opening::chooseLogOrBundle);
    addTo(file, tr("&Generate rank table…"), "generateRankTableAction", {}, m_window,
          &MainWindow::generateRankTable);
    file->addSeparator();
    addTo(file, tr("&Quit"), "", ctrl | Qt::Key_Q, m_window, &MainWindow::close);
}

void MainMenu::makeEditMenu()
{
    QMenu *edit = m_window->menuBar()->addMenu(tr("&Edit"));
    edit->addActions(m_page->findActions());
    edit->addSeparator();
    addTo(edit, tr("Prefere&nces…"), "preferencesAction", ctrl | Qt::Key_Comma, m_window,
          [this] { (new PreferencesDialog(launcherNames(), translationLanguages(), m_window))->open(); });
}

void MainMenu::makeRunMenu(PastRuns *pastRuns)
{
    QMenu *run = m_window->menuBar()->addMenu(tr("&Run"));
    m_stop = addTo(run, tr("&Stop…"), "stopAction", {}, m_page, &RunPage::stop);
    m_kill = addTo(run, tr("&Kill…"), "", {}, m_page, &RunPage::kill);
    run->addSeparator();
    run->addActions(m_page->rankActions());
    run->addSeparator();
    m_runAgain =
        addTo(run, tr("Run &again"), "runAgainAction", ctrl | Qt::Key_R, m_window, &MainWindow::runAgain);
    m_runAgainChanged = addTo(run, tr("Run again with &changes…"), "runAgainChangedAction",
                              ctrlShift | Qt::Key_R, m_window, &MainWindow::runAgainChanged);
    QMenu *replay = run->addMenu(tr("Rep&lay"));
    m_replay = addTo(replay, tr("&Replay this run"), "replayAction", {}, m_window, &MainWindow::replayRun);
    replay->addActions(m_page->replayActions());
    run->addSeparator();
    m_showError =
        addTo(run, tr("Show &error…"), "showErrorAction", ctrl | Qt::Key_E, m_page, &RunPage::showError);
    m_saveBundle = addTo(run, tr("Save &bundle…"), "saveBundleAction", ctrlShift | Qt::Key_B, m_page,
                         &RunPage::saveBundle);
    run->addSeparator();
    m_rename = addTo(run, tr("Rena&me…"), "renameAction", Qt::Key_F2, pastRuns, &PastRuns::rename);
    m_rename->setShortcutContext(Qt::WidgetWithChildrenShortcut); // Elsewhere it goes to a bookmark.
    m_openDirectory =
        addTo(run, tr("&Open directory"), "openDirectoryAction", {}, pastRuns, &PastRuns::openDirectory);
    m_copyPath = addTo(run, tr("Copy pat&h"), "copyRunPathAction", {}, pastRuns, &PastRuns::copyPath);
    m_delete =
        addTo(run, tr("&Delete…"), "deleteAction", Qt::Key_Delete, pastRuns, &PastRuns::deleteSelected);
    // Only in the list: in a text field the key deletes text.
    m_delete->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_compare = addTo(run, tr("Compare ru&ns…"), "compareAction", {}, pastRuns, &PastRuns::compareSelected);
    addTo(run, tr("Keep &runs…"), "keepAction", {}, pastRuns, &PastRuns::askHowLongToKeep);
}

void MainMenu::makeViewMenu(QAction *presentation)
{
    QMenu *view = m_window->menuBar()->addMenu(tr("&View"));
    m_notes = addTo(view, tr("&Notes…"), "notesAction", {}, m_page, &RunPage::showNotes);
    view->addSeparator();
    QAction *devices = named(view->addAction(tr("D&evice grid")), "deviceGridAction");
    devices->setShortcut(ctrlShift | Qt::Key_D);
    devices->setCheckable(true);
    devices->setChecked(true);
    connect(devices, &QAction::toggled, m_page, &RunPage::setGridShown);
    view->addActions(m_page->gridActions());
    view->addSeparator();
    view->addActions(m_page->viewActions());
    m_preflight = addTo(view, tr("&Preflight"), "preflightAction", ctrlShift | Qt::Key_P, m_window,
                        &MainWindow::showPreflight);
    m_preflight->setEnabled(false);
    view->addSeparator();
    view->addMenu(tr("Te&xt of logs"))->addActions(m_page->logActions());
    QMenu *size = view->addMenu(tr("Si&ze"));
    view->addAction(m_page->captionsAction());
    const auto zoomBy = [](int percent) {
        return [percent] {
            Preferences preferences = Preferences::load();
            preferences.zoom = percent == 0 ? 100
                                            : std::clamp(preferences.zoom + percent, Preferences::leastZoom,
                                                         Preferences::mostZoom);
            preferences.save();
        };
    };
    addTo(size, tr("&Zoom in"), "zoomInAction", {}, m_window, zoomBy(10))
        ->setShortcuts({QKeySequence(ctrl | Qt::Key_Plus), QKeySequence(ctrl | Qt::Key_Equal)});
    addTo(size, tr("Zoom &out"), "zoomOutAction", ctrl | Qt::Key_Minus, m_window, zoomBy(-10));
    addTo(size, tr("Us&ual size"), "zoomResetAction", ctrl | Qt::Key_0, m_window, zoomBy(0));
    size->addAction(presentation);
    addTo(size, tr("&Full screen"), "fullScreenAction", Qt::Key_F11, m_window,
          [this] { m_window->setWindowState(m_window->windowState() ^ Qt::WindowFullScreen); });
}

void MainMenu::makeHelpMenu()
{
    QMenu *help = m_window->menuBar()->addMenu(tr("&Help"));
    m_help = addTo(help, tr("&Manual"), "manualAction", QKeySequence::HelpContents, this,
                   [this] { showManual(QApplication::focusWidget()); });
    addTo(help, tr("&Keyboard shortcuts"), "shortcutsAction", {}, m_window,
          [this] { (new ShortcutsDialog(m_window))->open(); });
    addTo(help, tr("&Explain an error code…"), "explainAction", {}, m_window,
          [this] { (new ExplainDialog(m_window))->open(); });
    help->addSeparator();
    addTo(help, tr("&About Rankdeck"), "aboutAction", {}, m_window,
          [this] { (new AboutBox(m_window))->open(); });
}

void MainMenu::makeToolBar()
{
    QToolBar *bar = named(m_window->addToolBar(tr("Tools")), "toolBar");
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu); // Qt's menu would hide the bar, with no way back.
    adaptToFont(m_window, [this, bar] {
        const int side = std::max(m_window->style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, m_window),
                                  m_window->fontMetrics().height());
        bar->setIconSize({side, side});
    });
    const auto add = [&](QAction *action, const char *icon) {
        adaptToPalette(m_window,
                       [this, action, icon] { action->setIcon(toolIcon(icon, m_window->palette())); });
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        const QString words = withoutMnemonic(action->text());
        action->setToolTip(key.isEmpty() ? words : tr("%1 (%2)", "action, key").arg(words, key));
        bar->addAction(action);
    };
    add(m_launch, "media-playback-start");
    add(m_runAgain, "view-refresh");
    add(m_stop, "media-playback-stop");
    bar->addSeparator();
    add(m_openLogs, "folder-open");
    add(m_openTable, "view-list-details");
    bar->addSeparator();
    add(m_showError, "dialog-error");
    add(m_saveBundle, "document-save");
    bar->addSeparator();
    add(m_help, "help-contents");
}

void MainMenu::showManual(const QWidget *about)
{
    if (!m_manual)
        m_manual = new ManualWindow(m_window);
    m_manual->open(manualPageOf(about));
}

bool MainMenu::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !qobject_cast<QDialog *>(watched) ||
        !static_cast<QKeyEvent *>(event)->matches(QKeySequence::HelpContents))
        return false;
    const auto *dialog = static_cast<QDialog *>(watched);
    showManual(dialog->focusWidget() ? dialog->focusWidget() : dialog);
    return true;
}

void MainMenu::setState(const RunState &state)
{
    const RunAbilities can = RunAbilities::of(state);
    m_stop->setEnabled(can.stop);
    m_kill->setEnabled(can.kill);
    m_runAgain->setEnabled(can.runAgain);
    m_runAgainChanged->setEnabled(can.runAgain);
    m_delete->setEnabled(state.plan && !isLive(state.phase) && !state.seenAt.isValid() &&
                         !hasLogsAlone(state.phase));
    m_showError->setEnabled(can.showError);
    for (QAction *const action : {m_rename, m_openDirectory, m_copyPath})
        action->setEnabled(state.plan && !hasLogsAlone(state.phase));
    m_saveBundle->setEnabled(state.plan && m_page->canSaveBundle());
    m_notes->setEnabled(!state.notes.isEmpty());
    m_replay->setEnabled(state.plan != nullptr);
    for (QAction *const action : m_page->findActions() + m_page->logActions())
        action->setEnabled(state.plan != nullptr);
}

} // namespace rankdeck
