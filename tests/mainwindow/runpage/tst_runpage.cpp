#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "logview/canvas/logcanvas.h"
#include "logview/canvas/logstrips.h"
#include "logview/find/filterbar.h"
#include "logview/panes/logtiles.h"
#include "logview/panes/mergedpane.h"
#include "logview/panes/searchpanel.h"
#include "logview/view/filterstack.h"
#include "logview/view/logview.h"
#include "mainwindow/runactions/rankactions.h"
#include "mainwindow/runlogs/runlogs.h"
#include "mainwindow/runpage/lowerhalf.h"
#include "mainwindow/runpage/runheader.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/rankgroups.h"
#include "preflight/pairs/selftestview.h"
#include "progressplot/progressplot.h"
#include "run/record/growthmarks.h"
#include "support/recordedrun.h"
#include "support/windowtest.h"

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QScreen>
#include <QSettings>
#include <QShortcut>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_runpage
{

using namespace rankdeck;

/// One run in the window.
class TestRunPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whereAFullDiskLeftAGapTheLogSaysSo();
    void stopAndKillAskFirst_data();
    void stopAndKillAskFirst();
    void aYesIsPassedOn();
    void whereNothingRunsStopAsksNothing();
    void eachViewHasATab();
    void theErrorHasATab();
    void noKeyHasTwoMeanings();
    void keysOfLogsWorkEverywhere();
    void theDialogGivesWayToTheLog();
    void theQuestionGoesWithTheRun();
    void runningRanksAreCounted();
    void allLogsAreMergedIntoOne();
    void bothStreamsOfARankAreOneLog();
    void filteredLinesAreFilteredAgain();
    void anEnlargedTileGoesBackToItsPlace();
    void allRanksAreSearched();
    void theCellOfAFailedRankShowsItsException();
    void tiledLogsHoldChosenAndFailedRanks();
    void screenReadersHearHowTheRunEnded();
    void theGridFitsManyRanks();
    void withoutTheGridLogsHaveItsPlace();
    void whatCellsShowIsChosenAndRemembered();
    void ranksAreSortedAndFilteredByAShortcut();
    void progressIsShownAndPlotted();
    void aSelfTestIsShownAsPictures();
    void aRunThatIsNoSelfTestShowsItsLog();

private:
    QPushButton *button(const char *name) const
    {
        return m_window->findChild<QPushButton *>(QLatin1String(name));
    }
    QString word(int cell) const
    {
        const auto *grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
        return cell < grid->cellCount() ? grid->cell(cell).lines[0].right : QString();
    }
    StopQuestion *question() const { return m_window->findChild<StopQuestion *>(); }
    QString shownText() const
    {
        const LogPane *pane = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"))->pane(0);
        return pane ? pane->view()->visibleText() : QString();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void TestRunPage::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(QStringLiteral("state")).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationName(QStringLiteral("test_runpage"));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
}

void TestRunPage::cleanup()
{
    m_window.reset();
    m_directory.reset();
}

void TestRunPage::whereAFullDiskLeftAGapTheLogSaysSo()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one\ntwo\n");
    const QString log = run.plan().processes.front().logFile;
    GrowthMarks marks(growthFolder(run.directory(), run.plan(), 0), {log});
    m_window->openRun(run.directory());
    QTRY_COMPARE(shownText(), QStringLiteral("one\ntwo"));
    marks.markGaps(run.directory());
    marks.mark();
    run.note(QStringLiteral("There is room again."));
    run.print(0, "three\n");
    QTRY_COMPARE(shownText().count(QLatin1Char('\n')), 3);
    QVERIFY2(shownText().startsWith(QStringLiteral("one\ntwo\n──── lines may be missing here")),
             qPrintable(shownText()));
    QVERIFY(shownText().endsWith(QStringLiteral("\nthree")));

    // Whoever opens the run later sees it too.
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_COMPARE(shownText().count(QLatin1Char('\n')), 3);
}

void TestRunPage::stopAndKillAskFirst_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("how");
    QTest::newRow("stop") << QStringLiteral("stop") << QStringLiteral("15 s later, SIGKILL");
    QTest::newRow("kill") << QStringLiteral("kill") << QStringLiteral("SIGKILL leaves no time");
}

void TestRunPage::stopAndKillAskFirst()
{
    QFETCH(QString, name);
    QFETCH(QString, how);
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    run.exit(3, {});
    QTRY_COMPARE(word(3), QStringLiteral("succeeded"));
    button(qPrintable(name + QStringLiteral("Button")))->click();
    QVERIFY(question());
    QCOMPARE(question()->objectName(), name + QStringLiteral("Question"));
    QCOMPARE(question()->textFormat(), Qt::PlainText);
    QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel));
    const QString text = question()->text();
    for (const QString &part : {QDir(run.directory()).dirName(), QStringLiteral("7 of 8 ranks"), how})
        QVERIFY2(text.contains(part), qPrintable(text));
    QTest::keyClick(question(), Qt::Key_Escape);
    QVERIFY(m_window->statusBar()->currentMessage().isEmpty());
    QVERIFY(button("stopButton")->isEnabled());
}

void TestRunPage::aYesIsPassedOn()
{
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(7), QStringLiteral("running"));
    button("stopButton")->click();
    button("confirmStopButton")->click();
    QVERIFY2(m_window->statusBar()->currentMessage().contains(QStringLiteral("to stop")),
             qPrintable(m_window->statusBar()->currentMessage()));
}

void TestRunPage::whereNothingRunsStopAsksNothing()
{
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    run.exitAll();
    QTRY_COMPARE(word(7), QStringLiteral("succeeded"));
    button("stopButton")->click();
    QVERIFY(!question());
    QVERIFY(m_window->statusBar()->currentMessage().contains(QStringLiteral("to stop")));
}

void TestRunPage::eachViewHasATab()
{
    RecordedRun run;
    run.startAll();
    auto *const tabs = m_window->findChild<ViewTabs *>();
    m_window->show();
    QVERIFY(!tabs->isEnabled());
    m_window->openRun(run.directory());
    QTRY_VERIFY(tabs->isEnabled());
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Log"));
    QVERIFY(!tabs->isTabVisible(tabs->count() - 1)); // Nothing has failed.
    const auto *const logs = m_window->findChild<RunLogs *>();
    for (int index = tabs->count() - 2; index >= 0; --index) {
        const QWidget *const before = logs->currentWidget();
        tabs->setCurrentIndex(index);
        QCOMPARE(tabs->currentIndex(), index);
        QVERIFY2(logs->currentWidget() != before || index == 0, qPrintable(tabs->tabText(index)));
    }
    // Menu and keys go to the same tabs.
    for (int index = 0; index < tabs->viewActions().size(); ++index) {
        tabs->viewActions()[index]->trigger();
        QCOMPARE(tabs->currentIndex(), index);
        QVERIFY(tabs->tabToolTip(index).contains(
            tabs->viewActions()[index]->shortcut().toString(QKeySequence::NativeText)));
    }
}

void TestRunPage::theErrorHasATab()
{
    RecordedRun run(1, 8, false);
    run.startAll();
    auto *const tabs = m_window->findChild<ViewTabs *>();
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_VERIFY(tabs->isEnabled());
    const int error = tabs->count() - 1;
    run.fail(3, {ExitStatus::Kind::Exited, 3});
    QTRY_VERIFY(tabs->isTabVisible(error));
    QCOMPARE(tabs->currentIndex(), 0);
    // Where room is scarce, long words are cut rather than tabs hidden.
    constexpr int missing = 40;
    tabs->resize(tabs->sizeHint() - QSize(missing, 0));
    QVERIFY(tabs->tabRect(error).right() <= tabs->width());
    tabs->showError();
    auto *const view = m_window->findChild<FailureView *>();
    QVERIFY(view && view->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(view->isDiagnosed(), 30000);
    QCOMPARE(tabs->currentIndex(), error); // What the verdict shows anew does not turn the page.
    QVERIFY(view->title().startsWith(QStringLiteral("Rank 3 failed first")));
    view->findChild<QPushButton *>(QStringLiteral("openLogButton"))->click();
    QVERIFY(!view->isVisible());
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Log"));
    RecordedRun other;
    m_window->openRun(other.directory());
    QVERIFY(!tabs->isTabVisible(error));
}

/// Whether a shortcut of `owner` acts while `focus` has the focus.
static bool isActive(Qt::ShortcutContext context, const QWidget *owner, const QWidget *focus)
{
    if (context == Qt::WidgetShortcut)
        return owner == focus;
    if (context == Qt::WidgetWithChildrenShortcut)
        return owner == focus || owner->isAncestorOf(focus);
    return true;
}

void TestRunPage::noKeyHasTwoMeanings()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one\n");
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(QLatin1String("one")), 30000);
    int places = 0;
    for (const QWidget *const focus : m_window->findChildren<QWidget *>()) {
        if (focus->focusPolicy() == Qt::NoFocus || !focus->isVisible())
            continue;
        ++places;
        QHash<QKeySequence, QString> meanings;
        const auto take = [&](const QKeySequence &key, const QString &meaning) {
            QVERIFY2(!key.isEmpty() && !meanings.contains(key),
                     qPrintable(QStringLiteral("%1 in %2: %3 and %4")
                                    .arg(key.toString(), focus->objectName(), meanings.value(key), meaning)));
            meanings.insert(key, meaning);
        };
        for (const QAction *const action : m_window->findChildren<QAction *>()) {
            const QObjectList owners = action->associatedObjects();
            if (std::ranges::any_of(owners, [&](QObject *owner) {
                    const auto *const widget = qobject_cast<QWidget *>(owner);
                    return widget && isActive(action->shortcutContext(), widget, focus);
                })) {
                for (const QKeySequence &key : action->shortcuts())
                    take(key, action->text());
            }
        }
        for (const QShortcut *const shortcut : m_window->findChildren<QShortcut *>()) {
            if (isActive(shortcut->context(), qobject_cast<QWidget *>(shortcut->parent()), focus))
                take(shortcut->key(), shortcut->parent()->objectName());
        }
    }
    QVERIFY(places > 8);
}

void TestRunPage::keysOfLogsWorkEverywhere()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one\ntwo\n");
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(QLatin1String("two")), 30000);
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    const auto isFindOpen = [this] {
        const auto *const tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
        return tiles->pane(0)->view()->findChild<FindBar *>()->isVisible();
    };
    QVERIFY(!isFindOpen());
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(isFindOpen());
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_window->findChild<FilterView *>());
    // Curves have no text: the log comes first.
    m_window->findChild<QAction *>(QStringLiteral("plotAction"))->trigger();
    const auto *const tabs = m_window->findChild<ViewTabs *>();
    QCOMPARE(tabs->currentIndex(), 3);
    m_window->findChild<QAction *>(QStringLiteral("findAction"))->trigger();
    QCOMPARE(tabs->currentIndex(), 0);
    QVERIFY(isFindOpen());
}

void TestRunPage::theDialogGivesWayToTheLog()
{
    RecordedRun run;
    run.startAll();
    run.fail(3, {ExitStatus::Kind::Exited, 3});
    m_window->setGeometry(100, 60, 1000, 820);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->openRun(run.directory());
    QTRY_VERIFY(button("showErrorButton")->isEnabled());
    button("showErrorButton")->click();
    auto *const dialog = m_window->findChild<FailureDialog *>();
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(dialog->isDiagnosed(), 30000);
    const QRect room = dialog->screen()->availableGeometry();
    QVERIFY(room.contains(dialog->geometry()));
    const auto covered = [&] {
        const auto *const logs = m_window->findChild<RunLogs *>();
        const QRect common =
            QRect(logs->mapToGlobal(QPoint()), logs->size()).intersected(dialog->frameGeometry());
        return common.width() * common.height();
    };
    const int before = covered();
    QVERIFY(before > 0);
    dialog->findChild<QPushButton *>(QStringLiteral("openLogButton"))->click();
    QTRY_VERIFY(covered() < before);
    QVERIFY(room.contains(dialog->geometry()));
}

void TestRunPage::theQuestionGoesWithTheRun()
{
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(7), QStringLiteral("running"));
    button("stopButton")->click();
    QVERIFY(question());
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    QTRY_VERIFY(!question());
}

void TestRunPage::runningRanksAreCounted()
{
    QCOMPARE(runningRanks(running(handMadeRun())), QStringLiteral("All 8 ranks are running."));
    QCOMPARE(runningRanks(running(handMadeRun(1, 1))), QStringLiteral("Its rank is running."));
    QCOMPARE(runningRanks(handMadeRun()), QStringLiteral("0 of 8 ranks are running."));
}

void TestRunPage::bothStreamsOfARankAreOneLog()
{
    RecordedRun run;
    run.keepErrorsApart();
    run.startAll();
    const ProcessPlan &plan = run.plan().processes.front();
    GrowthMarks marks(growthFolder(run.directory(), run.plan(), 0), {plan.logFile}, {{0, plan.stderrFile}});
    // Each mark has its own time.
    const auto mark = [&marks] {
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        marks.mark();
        QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > before + 1);
    };
    run.print(0, "step 1\n");
    mark();
    run.printError(0, "warning: slow\n");
    mark();
    run.print(0, "step 2\n");
    mark();
    m_window->openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), QStringLiteral("step 1\nwarning: slow\nstep 2"), 30000);

    run.printError(0, "Traceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: boom\n");
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(QStringLiteral("RuntimeError: boom")), 30000);
    // The third line of the standard error is the fifth here.
    auto *const logs = m_window->findChild<RunLogs *>();
    logs->showLine(0, true, 2);
    LogView *const view = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"))->pane(0)->view();
    QTRY_COMPARE_WITH_TIMEOUT(view->markedLine(), std::optional<qint64>(4), 30000);
}

void TestRunPage::filteredLinesAreFilteredAgain()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "step 1 loss 5\nstep 2 loss 4\nother\nstep 3 acc 5\n");
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(QStringLiteral("acc 5")), 30000);
    LogPane *const pane = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"))->pane(0);
    Q_EMIT pane->view()->filterWanted(QStringLiteral("step"), false);
    const auto filters = [pane] {
        return pane->findChildren<FilterView *>();
    };
    QCOMPARE(filters().size(), 1);
    FilterView *const outer = filters()[0];
    QTRY_COMPARE_WITH_TIMEOUT(outer->view()->visibleText(),
                              QStringLiteral("step 1 loss 5\nstep 2 loss 4\nstep 3 acc 5"), 30000);
    outer->findChild<QToolButton *>(QStringLiteral("filterAgain"))->click();
    QCOMPARE(filters().size(), 2);
    FilterView *const inner = filters()[filters()[0] == outer ? 1 : 0];
    inner->bar()->add(QStringLiteral("5"), false);
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), QStringLiteral("step 1 loss 5\nstep 3 acc 5"),
                              30000);
    inner->bar()->add(QStringLiteral("acc"), true);
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), QStringLiteral("step 1 loss 5"), 30000);
    // What the first one shows decides.
    outer->bar()->setContent({{}, QStringLiteral("step 2 || other")});
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), QStringLiteral("No matching lines yet."), 30000);
    inner->bar()->setContent({});
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), QStringLiteral("step 2 loss 4\nother"), 30000);
    QTest::mouseClick(inner->view()->findChild<LogCanvas *>(), Qt::LeftButton, Qt::NoModifier, {60, 5});
    QTRY_COMPARE_WITH_TIMEOUT(pane->view()->markedLine(), std::optional<qint64>(1), 30000);
    QTest::keyClick(outer->view()->findChild<LogCanvas *>(), Qt::Key_Escape);
    QTRY_VERIFY(filters().isEmpty());
}

void TestRunPage::anEnlargedTileGoesBackToItsPlace()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one\n");
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(QLatin1String("one")), 30000);
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    auto *const tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    Q_EMIT grid->ranksChosen({1, 2, 3});
    QCOMPARE(tiles->keys(), QList<int>({1, 2, 3}));
    QWidget *const heading = tiles->pane(2)->findChild<QLabel *>();
    QTest::mouseDClick(heading, Qt::LeftButton);
    QCOMPARE(tiles->keys(), QList<int>({2}));
    Q_EMIT tiles->activated(2);
    QCOMPARE(tiles->keys(), QList<int>({1, 2, 3}));
    // Another rank was not among them.
    Q_EMIT tiles->activated(2);
    Q_EMIT grid->ranksChosen({5});
    Q_EMIT tiles->activated(5);
    QCOMPARE(tiles->keys().size(), 8);
}

void TestRunPage::allRanksAreSearched()
{
    RecordedRun run;
    run.keepErrorsApart();
    run.startAll();
    run.print(0, "one\n");
    run.print(5, "one\ntwo\nneedle\n");
    run.printError(6, "needle\n");
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(QLatin1String("one")), 30000);
    auto *const panel = m_window->findChild<SearchPanel *>();
    QVERIFY(!panel->isVisible());
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(panel->isVisible());
    auto *const edit = panel->findChild<QLineEdit *>();
    QTest::keyClicks(edit, QStringLiteral("needle"));
    QTest::keyClick(edit, Qt::Key_Return);
    auto *const tree = panel->findChild<QTreeWidget *>();
    QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, 30000);
    QCOMPARE(tree->topLevelItem(0)->text(0), QStringLiteral("rank 5"));
    Q_EMIT tree->itemActivated(tree->topLevelItem(0)->child(0), 0);
    const auto *const tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    QCOMPARE(tiles->keys(), QList<int>{5});
    QTRY_COMPARE_WITH_TIMEOUT(tiles->pane(5)->view()->markedLine(), std::optional<qint64>(2), 30000);
    tree->topLevelItem(1)->setExpanded(true);
    Q_EMIT tree->itemActivated(tree->topLevelItem(1)->child(0), 0);
    QTRY_COMPARE_WITH_TIMEOUT(tiles->pane(6)->view()->markedLine(), std::optional<qint64>(0), 30000);
}

void TestRunPage::theCellOfAFailedRankShowsItsException()
{
    RecordedRun run;
    run.keepErrorsApart();
    run.startAll();
    run.print(2, "epoch 1\n");
    m_window->openRun(run.directory());
    const auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QTRY_VERIFY_WITH_TIMEOUT(grid->cellCount() == 8, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(2).lines[3].left, QStringLiteral("epoch 1"), 30000);
    run.printError(2, "Traceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: boom\n");
    run.fail(2, {ExitStatus::Kind::Exited, 1});
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(2).lines[3].left, QStringLiteral("RuntimeError: boom"), 30000);
    // What it prints later says less.
    run.print(2, "bye |\u2588\u2588  | 1/2\n");
    run.print(1, "half |\u2588\u2588  | 1/2\n");
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(1).lines[3].left, QStringLiteral("half  1/2"), 30000);
    QCOMPARE(grid->cell(2).lines[3].left, QStringLiteral("RuntimeError: boom"));
}

void TestRunPage::allLogsAreMergedIntoOne()
{
    RecordedRun run;
    run.startAll();
    const auto stamped = [](const char *time, const char *text) {
        return QByteArray("2025-04-07 15:34:") + time + ",000 - root - INFO - " + text + '\n';
    };
    run.print(0, stamped("01", "first") + stamped("03", "third"));
    run.print(1, stamped("02", "second") + stamped("04", "last"));
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(QStringLiteral("third")), 30000);
    m_window->findChild<QAction *>(QStringLiteral("mergedRanksAction"))->trigger();
    auto *const merged = m_window->findChild<MergedPane *>();
    QVERIFY(merged->isVisible());
    const auto words = [&] {
        QByteArrayList all;
        for (const QString &line : merged->view()->visibleText().split(QLatin1Char('\n')))
            all << line.section(QLatin1Char(' '), -1).toUtf8();
        return all.mid(0, 4);
    };
    QTRY_COMPARE_WITH_TIMEOUT(words(), QByteArrayList({"first", "second", "third", "last"}), 30000);
    run.print(0, stamped("05", "live"));
    QTRY_VERIFY_WITH_TIMEOUT(merged->view()->visibleText().contains(QStringLiteral("live")), 30000);

    // A line is opened in its rank's own log.
    auto *const canvas = merged->view()->findChild<LogCanvas *>();
    const int height = canvas->canvas().cellSize().height();
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, {40, height * 3 / 2});
    canvas->setFocus();
    QTest::keyClick(canvas, Qt::Key_Return);
    QVERIFY(!merged->isVisible());
    const auto *tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    QCOMPARE(tiles->keys(), QList<int>{1});
    QCOMPARE(tiles->pane(1)->view()->markedLine(), 0);
}

void TestRunPage::tiledLogsHoldChosenAndFailedRanks()
{
    RecordedRun run(1, 40, false);
    run.startAll();
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    const auto *tiles = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    QTRY_COMPARE(tiles->keys(), QList<int>{0});
    grid->setFocus();
    QTest::keyClicks(grid, QStringLiteral("33"));
    QTest::keyClick(grid, Qt::Key_Return);
    QCOMPARE(tiles->keys(), QList<int>{33});
    m_window->findChild<QAction *>(QStringLiteral("allRanksAction"))->trigger();
    QCOMPARE(tiles->keys().size(), 16);
    QCOMPARE(tiles->keys().mid(0, 3), (QList<int>{33, 0, 1}));
    QCOMPARE(m_window->statusBar()->currentMessage(),
             QStringLiteral("16 of 40 logs are shown: chosen, failed and stalled ranks first."));
    // A rank that fails meanwhile gets a place.
    run.exit(29, ExitStatus{ExitStatus::Kind::Exited, 1});
    QTRY_COMPARE(tiles->keys().mid(0, 3), (QList<int>{33, 29, 0}));
    QCOMPARE(tiles->keys().size(), 16);
    // The merged view has all of them, not the 16.
    m_window->findChild<QAction *>(QStringLiteral("mergedRanksAction"))->trigger();
    auto *const merged = m_window->findChild<MergedPane *>();
    QCOMPARE(merged->strips()->shown().size(), std::size_t(40));
    QCOMPARE(grid->chosen().size(), 40);
}

static QStringList heard;

void TestRunPage::screenReadersHearHowTheRunEnded()
{
    heard.clear();
    const auto before = QAccessible::installUpdateHandler([](QAccessibleEvent *event) {
        if (event->type() == QAccessible::Alert)
            heard << event->accessibleInterface()->text(QAccessible::Name);
    });
    const auto restore = qScopeGuard([&] { QAccessible::installUpdateHandler(before); });
    RecordedRun run;
    run.startAll();
    m_window->openRun(run.directory());
    QTRY_COMPARE(word(3), QStringLiteral("running"));
    QVERIFY(heard.isEmpty());
    run.fail(3, ExitStatus{ExitStatus::Kind::Exited, 1});
    run.finish(RunPhase::Failed, 1);
    const auto *badge = m_window->findChild<QWidget *>(QStringLiteral("runState"));
    QTRY_COMPARE(badge->accessibleName(), QStringLiteral("State: failed"));
    if (!QAccessible::isActive())
        QSKIP("Qt tells nothing where no screen reader could listen.");
    QTRY_VERIFY(!heard.isEmpty() && heard.constLast().contains(QStringLiteral("failed")));
}

void TestRunPage::theGridFitsManyRanks()
{
    m_window->resize(1280, 900);
    const RecordedRun run(64, 8, false, 64);
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QTRY_COMPARE(grid->cellCount(), 512);
    QVERIFY(tileSize(grid->density()) > 0);
    QTRY_VERIFY(grid->rect().contains(grid->cellRect(511)));
    m_window->findChild<QAction *>(QStringLiteral("gridLinesAction"))->trigger();
    QCOMPARE(grid->density(), GridDensity::Lines);
    m_window->findChild<QAction *>(QStringLiteral("tileColor_cpu"))->trigger();
    QCOMPARE(grid->tileColor(), TileColor::Cpu);
    // Both are remembered.
    m_window = std::make_unique<MainWindow>();
    const auto *other = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QCOMPARE(other->densities(), DensityRange::only(GridDensity::Lines));
    QCOMPARE(other->tileColor(), TileColor::Cpu);
}

void TestRunPage::withoutTheGridLogsHaveItsPlace()
{
    const RecordedRun run;
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    const auto *const logs = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"));
    QTRY_VERIFY(grid->isVisible() && grid->cellCount() > 0);
    QCoreApplication::processEvents();
    const int before = logs->height();
    auto *const action = m_window->findChild<QAction *>(QStringLiteral("deviceGridAction"));
    QVERIFY(action && action->isChecked() && !action->shortcut().isEmpty());
    action->trigger();
    QVERIFY(!grid->isVisible());
    QTRY_VERIFY(logs->height() > before);
    action->trigger();
    QVERIFY(grid->isVisible());
    QTRY_COMPARE(logs->height(), before);
}

void TestRunPage::whatCellsShowIsChosenAndRemembered()
{
    const RecordedRun run;
    m_window->openRun(run.directory());
    const auto *grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QCOMPARE(grid->shownSamples(), ShownSamples::Devices);
    QVERIFY(m_window->findChild<QAction *>(QStringLiteral("gridDevicesAction"))->isChecked());
    m_window->findChild<QAction *>(QStringLiteral("gridBothAction"))->trigger();
    QCOMPARE(grid->shownSamples(), ShownSamples::Both);
    const MainWindow another;
    grid = another.findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QCOMPARE(grid->shownSamples(), ShownSamples::Both);
    QVERIFY(another.findChild<QAction *>(QStringLiteral("gridBothAction"))->isChecked());
}

void TestRunPage::ranksAreSortedAndFilteredByAShortcut()
{
    const RecordedRun run;
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    auto *const filter = m_window->findChild<QLineEdit *>(QStringLiteral("rankFilter"));
    QTRY_COMPARE(grid->cellCount(), 8);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), 30'000));
    QVERIFY(!filter->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(filter->isVisible() && filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("rank>4"));
    QTest::keyClick(filter, Qt::Key_Return);
    QCOMPARE(grid->shownCount(), 3);
    QTest::keyClick(filter, Qt::Key_Escape);
    QVERIFY(!filter->isVisible());
    QCOMPARE(grid->shownCount(), 8);
}

void TestRunPage::progressIsShownAndPlotted()
{
    RecordedRun run;
    run.startAll();
    const auto step = [](int number) {
        return QByteArray(" iteration ") + QByteArray::number(number) +
               "/ 5000 | elapsed time per iteration (ms): 1900.0 | lm loss: 2.5E+00 |\n";
    };
    run.print(0, "starting\n");
    run.print(3, step(1199));
    run.print(7, step(1200));
    m_window->openRun(run.directory());
    const auto *const grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    const auto *const line = m_window->findChild<ProgressLine *>(QStringLiteral("runProgress"));
    QVERIFY(!line->isVisible());
    const auto textOf = [&](int cell) {
        return cell < grid->cellCount() ? grid->cell(cell).lines[2].left : QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(textOf(3), QStringLiteral("step 1,199 loss 2.5"), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(textOf(7), QStringLiteral("step 1,200 loss 2.5"), 30000);
    QCOMPARE(grid->cell(7).lines[2].right, QStringLiteral("1.9 s"));
    QVERIFY(textOf(0).isEmpty()); // It printed none, as most ranks of Megatron.
    QVERIFY(line->isVisible());
    QCOMPARE(line->text(), QStringLiteral("step 1,200 of 5,000 · loss 2.5 · 1.9 s/step · 2 h 0 min left"));
    QVERIFY(!line->filledRect().isEmpty());

    m_window->findChild<QAction *>(QStringLiteral("plotAction"))->trigger();
    const auto *const plot = m_window->findChild<ProgressPlot *>();
    QVERIFY(plot->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().size(), 8, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(!plot->isEmpty(), 30000);
    run.print(7, step(1201));
    QTRY_VERIFY_WITH_TIMEOUT(plot->readout().contains(QStringLiteral("rank 7")), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().at(7).loss.size(), 2, 30000);

    // The ranks that are chosen in the grid are those that are shown.
    auto *const chosen = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QTest::mouseClick(chosen, Qt::LeftButton, Qt::NoModifier, chosen->cellRect(7).center());
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().size(), 1, 30000);
    QCOMPARE(plot->curves().first().rank, 7);
    QVERIFY(plot->isVisible());
    m_window->findChild<QAction *>(QStringLiteral("oneRankAction"))->trigger();
    QVERIFY(!plot->isVisible());
}

void TestRunPage::aSelfTestIsShownAsPictures()
{
    RecordedRun run;
    run.startAll();
    const auto told = [&run](const SelfTestEvent &event) {
        run.print(event.rank, event.toLine() + '\n');
    };
    SelfTestEvent event;
    for (event.rank = 0; event.rank < 8; ++event.rank)
        told(event);
    m_window->openRun(run.directory());
    const auto *view = m_window->findChild<RunPage *>()->findChild<SelfTestView *>();
    QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), 30000);
    QCOMPARE(view->groups()->count(), 8);
    QCOMPARE(view->groups()->cell(7).stage, SelfTestStage::Arrived);

    event = {};
    event.kind = SelfTestEvent::Kind::Groups;
    event.groups = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    told(event);
    event = {};
    event.kind = SelfTestEvent::Kind::Pair;
    event.pair = {0, 5, 21, 1000, 900, {}};
    told(event);
    QTRY_COMPARE_WITH_TIMEOUT(view->groups()->cell(6).group, 1, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(view->matrix()->table().cell(0, 5, PairMeasure::Latency).value, 21.0, 30000);

    // A rank that is killed tells nothing of it.
    run.fail(3, {ExitStatus::Kind::Signalled, 9});
    QTRY_COMPARE_WITH_TIMEOUT(view->groups()->cell(3).stage, SelfTestStage::Failed, 30000);
    QVERIFY2(view->groups()->wordsOf(3).contains(QLatin1String("SIGKILL")),
             qPrintable(view->groups()->wordsOf(3)));
    QVERIFY(view->isVisible());

    // A rank that is clicked shows its log; the pictures come back by their action.
    const auto *grid = m_window->findChild<DeviceGrid *>(QStringLiteral("deviceGrid"));
    QTest::mouseClick(m_window->findChild<DeviceGrid *>(), Qt::LeftButton, Qt::NoModifier,
                      grid->cellRect(2).center());
    QVERIFY(!view->isVisible());
    m_window->findChild<QAction *>(QStringLiteral("collectivesAction"))->trigger();
    QVERIFY(view->isVisible());
}

void TestRunPage::aRunThatIsNoSelfTestShowsItsLog()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "starting\n");
    m_window->openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), QStringLiteral("starting"), 30000);
    const auto *view = m_window->findChild<RunPage *>()->findChild<SelfTestView *>();
    QVERIFY(!view->isVisible());
    // What comes late changes nothing that the user chose.
    m_window->findChild<QAction *>(QStringLiteral("oneRankAction"))->trigger();
    run.print(0, SelfTestEvent().toLine() + '\n');
    QTRY_VERIFY_WITH_TIMEOUT(view->results().ranks.size() == 8, 30000);
    QVERIFY(!view->isVisible());
}

} // namespace tst_runpage

RANKDECK_WINDOW_TEST(tst_runpage, TestRunPage)
#include "tst_runpage.moc"
