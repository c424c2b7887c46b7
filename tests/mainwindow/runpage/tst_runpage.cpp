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
        const auto *grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
        return cell < grid->cellCount() ? grid->cell(cell).lines[0].right : QString();
    }
    StopQuestion *question() const { return m_window->findChild<StopQuestion *>(); }
    QString shownText() const
    {
        const LogPane *pane = m_window->findChild<LogTiles *>(u"logTiles"_s)->pane(0);
        return pane ? pane->view()->visibleText() : QString();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void TestRunPage::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"test_runpage"_s);
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
    QTRY_COMPARE(shownText(), u"one\ntwo"_s);
    marks.markGaps(run.directory());
    marks.mark();
    run.note(u"There is room again."_s);
    run.print(0, "three\n");
    QTRY_COMPARE(shownText().count('\n'_L1), 3);
    QVERIFY2(shownText().startsWith(u"one\ntwo\n──── lines may be missing here"_s), qPrintable(shownText()));
    QVERIFY(shownText().endsWith(u"\nthree"_s));

    // Whoever opens the run later sees it too.
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_COMPARE(shownText().count('\n'_L1), 3);
}

void TestRunPage::stopAndKillAskFirst_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("how");
    QTest::newRow("stop") << u"stop"_s << u"15 s later, SIGKILL"_s;
    QTest::newRow("kill") << u"kill"_s << u"SIGKILL leaves no time"_s;
}

void TestRunPage::stopAndKillAskFirst()
{
    QFETCH(QString, name);
    QFETCH(QString, how);
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    run.exit(3, {});
    QTRY_COMPARE(word(3), u"succeeded"_s);
    button(qPrintable(name + u"Button"_s))->click();
    QVERIFY(question());
    QCOMPARE(question()->objectName(), name + u"Question"_s);
    QCOMPARE(question()->textFormat(), Qt::PlainText);
    QCOMPARE(question()->defaultButton(), question()->button(QMessageBox::Cancel));
    const QString text = question()->text();
    for (const QString &part : {QDir(run.directory()).dirName(), u"7 of 8 ranks"_s, how})
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
    QTRY_COMPARE(word(7), u"running"_s);
    button("stopButton")->click();
    button("confirmStopButton")->click();
    QVERIFY2(m_window->statusBar()->currentMessage().contains(u"to stop"_s),
             qPrintable(m_window->statusBar()->currentMessage()));
}

void TestRunPage::whereNothingRunsStopAsksNothing()
{
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    run.exitAll();
    QTRY_COMPARE(word(7), u"succeeded"_s);
    button("stopButton")->click();
    QVERIFY(!question());
    QVERIFY(m_window->statusBar()->currentMessage().contains(u"to stop"_s));
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
    QCOMPARE(tabs->tabText(tabs->currentIndex()), u"Log"_s);
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
    QVERIFY(view->title().startsWith(u"Rank 3 failed first"_s));
    view->findChild<QPushButton *>(u"openLogButton"_s)->click();
    QVERIFY(!view->isVisible());
    QCOMPARE(tabs->tabText(tabs->currentIndex()), u"Log"_s);
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains("one"_L1), 30000);
    int places = 0;
    for (const QWidget *const focus : m_window->findChildren<QWidget *>()) {
        if (focus->focusPolicy() == Qt::NoFocus || !focus->isVisible())
            continue;
        ++places;
        QHash<QKeySequence, QString> meanings;
        const auto take = [&](const QKeySequence &key, const QString &meaning) {
            QVERIFY2(!key.isEmpty() && !meanings.contains(key),
                     qPrintable(u"%1 in %2: %3 and %4"_s.arg(key.toString(), focus->objectName(),
                                                             meanings.value(key), meaning)));
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains("two"_L1), 30000);
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    const auto isFindOpen = [this] {
        const auto *const tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
        return tiles->pane(0)->view()->findChild<FindBar *>()->isVisible();
    };
    QVERIFY(!isFindOpen());
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(isFindOpen());
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_window->findChild<FilterView *>());
    // Curves have no text: the log comes first.
    m_window->findChild<QAction *>(u"plotAction"_s)->trigger();
    const auto *const tabs = m_window->findChild<ViewTabs *>();
    QCOMPARE(tabs->currentIndex(), 3);
    m_window->findChild<QAction *>(u"findAction"_s)->trigger();
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
    dialog->findChild<QPushButton *>(u"openLogButton"_s)->click();
    QTRY_VERIFY(covered() < before);
    QVERIFY(room.contains(dialog->geometry()));
}

void TestRunPage::theQuestionGoesWithTheRun()
{
    RecordedRun run;
    m_window->openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(7), u"running"_s);
    button("stopButton")->click();
    QVERIFY(question());
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    QTRY_VERIFY(!question());
}

void TestRunPage::runningRanksAreCounted()
{
    QCOMPARE(runningRanks(running(handMadeRun())), u"All 8 ranks are running."_s);
    QCOMPARE(runningRanks(running(handMadeRun(1, 1))), u"Its rank is running."_s);
    QCOMPARE(runningRanks(handMadeRun()), u"0 of 8 ranks are running."_s);
}

void TestRunPage::bothStreamsOfARankAreOneLog()
{
    RecordedRun run;
    run.keepErrorsApart();
    run.startAll();
    const ProcessPlan &plan = run.plan().processes.front();
    GrowthMarks marks(growthFolder(run.directory(), run.plan(), 0), {plan.logFile}, {{0, plan.stderrFile}});
    qint64 now = QDateTime::currentMSecsSinceEpoch() - 10'000;
    const auto mark = [&marks, &now] {
        marks.mark(now += 1000);
    };
    run.print(0, "step 1\n");
    mark();
    run.printError(0, "warning: slow\n");
    mark();
    run.print(0, "step 2\n");
    mark();
    m_window->openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), u"step 1\nwarning: slow\nstep 2"_s, 30000);

    run.printError(0, "Traceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: boom\n");
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(u"RuntimeError: boom"_s), 30000);
    // The third line of the standard error is the fifth here.
    auto *const logs = m_window->findChild<RunLogs *>();
    logs->showLine(0, true, 2);
    LogView *const view = m_window->findChild<LogTiles *>(u"logTiles"_s)->pane(0)->view();
    QTRY_COMPARE_WITH_TIMEOUT(view->markedLine(), std::optional<qint64>(4), 30000);
}

void TestRunPage::filteredLinesAreFilteredAgain()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "step 1 loss 5\nstep 2 loss 4\nother\nstep 3 acc 5\n");
    m_window->openRun(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(u"acc 5"_s), 30000);
    LogPane *const pane = m_window->findChild<LogTiles *>(u"logTiles"_s)->pane(0);
    Q_EMIT pane->view()->filterRequested(u"step"_s, false);
    const auto filters = [pane] {
        return pane->findChildren<FilterView *>();
    };
    QCOMPARE(filters().size(), 1);
    FilterView *const outer = filters()[0];
    QTRY_COMPARE_WITH_TIMEOUT(outer->view()->visibleText(), u"step 1 loss 5\nstep 2 loss 4\nstep 3 acc 5"_s,
                              30000);
    outer->findChild<QToolButton *>(u"filterAgain"_s)->click();
    QCOMPARE(filters().size(), 2);
    FilterView *const inner = filters()[filters()[0] == outer ? 1 : 0];
    inner->bar()->add(u"5"_s, false);
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), u"step 1 loss 5\nstep 3 acc 5"_s, 30000);
    inner->bar()->add(u"acc"_s, true);
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), u"step 1 loss 5"_s, 30000);
    // What the first one shows decides.
    outer->bar()->setContent({{}, u"step 2 || other"_s});
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), u"No matching lines yet."_s, 30000);
    inner->bar()->setContent({});
    QTRY_COMPARE_WITH_TIMEOUT(inner->view()->visibleText(), u"step 2 loss 4\nother"_s, 30000);
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains("one"_L1), 30000);
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    auto *const tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains("one"_L1), 30000);
    auto *const panel = m_window->findChild<SearchPanel *>();
    QVERIFY(!panel->isVisible());
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QTest::keyClick(grid, Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(panel->isVisible());
    auto *const edit = panel->findChild<QLineEdit *>();
    QTest::keyClicks(edit, u"needle"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    auto *const tree = panel->findChild<QTreeWidget *>();
    QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, 30000);
    QCOMPARE(tree->topLevelItem(0)->text(0), u"rank 5"_s);
    Q_EMIT tree->itemActivated(tree->topLevelItem(0)->child(0), 0);
    const auto *const tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
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
    const auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QTRY_VERIFY_WITH_TIMEOUT(grid->cellCount() == 8, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(2).lines[3].left, u"epoch 1"_s, 30000);
    run.printError(2, "Traceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: boom\n");
    run.fail(2, {ExitStatus::Kind::Exited, 1});
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(2).lines[3].left, u"RuntimeError: boom"_s, 30000);
    // What it prints later says less.
    run.print(2, "bye |\u2588\u2588  | 1/2\n");
    run.print(1, "half |\u2588\u2588  | 1/2\n");
    QTRY_COMPARE_WITH_TIMEOUT(grid->cell(1).lines[3].left, u"half  1/2"_s, 30000);
    QCOMPARE(grid->cell(2).lines[3].left, u"RuntimeError: boom"_s);
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText().endsWith(u"third"_s), 30000);
    m_window->findChild<QAction *>(u"mergedRanksAction"_s)->trigger();
    auto *const merged = m_window->findChild<MergedPane *>();
    QVERIFY(merged->isVisible());
    const auto words = [&] {
        QByteArrayList all;
        for (const QString &line : merged->view()->visibleText().split('\n'_L1))
            all << line.section(' '_L1, -1).toUtf8();
        return all.mid(0, 4);
    };
    QTRY_COMPARE_WITH_TIMEOUT(words(), QByteArrayList({"first", "second", "third", "last"}), 30000);
    run.print(0, stamped("05", "live"));
    QTRY_VERIFY_WITH_TIMEOUT(merged->view()->visibleText().contains(u"live"_s), 30000);

    // A line is opened in its rank's own log.
    auto *const canvas = merged->view()->findChild<LogCanvas *>();
    const int height = canvas->canvas().cellSize().height();
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, {40, height * 3 / 2});
    canvas->setFocus();
    QTest::keyClick(canvas, Qt::Key_Return);
    QVERIFY(!merged->isVisible());
    const auto *tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
    QCOMPARE(tiles->keys(), QList<int>{1});
    QCOMPARE(tiles->pane(1)->view()->markedLine(), 0);
}

void TestRunPage::tiledLogsHoldChosenAndFailedRanks()
{
    RecordedRun run(1, 40, false);
    run.startAll();
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    const auto *tiles = m_window->findChild<LogTiles *>(u"logTiles"_s);
    QTRY_COMPARE(tiles->keys(), QList<int>{0});
    grid->setFocus();
    QTest::keyClicks(grid, u"33"_s);
    QTest::keyClick(grid, Qt::Key_Return);
    QCOMPARE(tiles->keys(), QList<int>{33});
    m_window->findChild<QAction *>(u"allRanksAction"_s)->trigger();
    QCOMPARE(tiles->keys().size(), 16);
    QCOMPARE(tiles->keys().mid(0, 3), (QList<int>{33, 0, 1}));
    QCOMPARE(m_window->statusBar()->currentMessage(),
             u"16 of 40 logs are shown: chosen, failed and stalled ranks first."_s);
    // A rank that fails meanwhile gets a place.
    run.exit(29, ExitStatus{ExitStatus::Kind::Exited, 1});
    QTRY_COMPARE(tiles->keys().mid(0, 3), (QList<int>{33, 29, 0}));
    QCOMPARE(tiles->keys().size(), 16);
    // The merged view has all of them, not the 16.
    m_window->findChild<QAction *>(u"mergedRanksAction"_s)->trigger();
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
    QTRY_COMPARE(word(3), u"running"_s);
    QVERIFY(heard.isEmpty());
    run.fail(3, ExitStatus{ExitStatus::Kind::Exited, 1});
    run.finish(RunPhase::Failed, 1);
    const auto *badge = m_window->findChild<QWidget *>(u"runState"_s);
    QTRY_COMPARE(badge->accessibleName(), u"State: failed"_s);
    if (!QAccessible::isActive())
        QSKIP("Qt tells nothing where no screen reader could listen.");
    QTRY_VERIFY(!heard.isEmpty() && heard.constLast().contains(u"failed"_s));
}

void TestRunPage::theGridFitsManyRanks()
{
    m_window->resize(1280, 900);
    const RecordedRun run(64, 8, false, 64);
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QTRY_COMPARE(grid->cellCount(), 512);
    QVERIFY(tileSize(grid->density()) > 0);
    QTRY_VERIFY(grid->rect().contains(grid->cellRect(511)));
    m_window->findChild<QAction *>(u"gridLinesAction"_s)->trigger();
    QCOMPARE(grid->density(), GridDensity::Lines);
    m_window->findChild<QAction *>(u"tileColor_cpu"_s)->trigger();
    QCOMPARE(grid->tileColor(), TileColor::Cpu);
    // Both are remembered.
    m_window = std::make_unique<MainWindow>();
    const auto *other = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QCOMPARE(other->densities(), DensityRange::only(GridDensity::Lines));
    QCOMPARE(other->tileColor(), TileColor::Cpu);
}

void TestRunPage::withoutTheGridLogsHaveItsPlace()
{
    const RecordedRun run;
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    const auto *const logs = m_window->findChild<LogTiles *>(u"logTiles"_s);
    QTRY_VERIFY(grid->isVisible() && grid->cellCount() > 0);
    QCoreApplication::processEvents();
    const int before = logs->height();
    auto *const action = m_window->findChild<QAction *>(u"deviceGridAction"_s);
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
    const auto *grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QCOMPARE(grid->shownSamples(), ShownSamples::Devices);
    QVERIFY(m_window->findChild<QAction *>(u"gridDevicesAction"_s)->isChecked());
    m_window->findChild<QAction *>(u"gridBothAction"_s)->trigger();
    QCOMPARE(grid->shownSamples(), ShownSamples::Both);
    const MainWindow another;
    grid = another.findChild<DeviceGrid *>(u"deviceGrid"_s);
    QCOMPARE(grid->shownSamples(), ShownSamples::Both);
    QVERIFY(another.findChild<QAction *>(u"gridBothAction"_s)->isChecked());
}

void TestRunPage::ranksAreSortedAndFilteredByAShortcut()
{
    const RecordedRun run;
    m_window->openRun(run.directory());
    auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    auto *const filter = m_window->findChild<QLineEdit *>(u"rankFilter"_s);
    QTRY_COMPARE(grid->cellCount(), 8);
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), 30'000));
    QVERIFY(!filter->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(filter->isVisible() && filter->hasFocus());
    QTest::keyClicks(filter, u"rank>4"_s);
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
    const auto *const grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    const auto *const line = m_window->findChild<ProgressLine *>(u"runProgress"_s);
    QVERIFY(!line->isVisible());
    const auto textOf = [&](int cell) {
        return cell < grid->cellCount() ? grid->cell(cell).lines[2].left : QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(textOf(3), u"step 1,199 loss 2.5"_s, 30000);
    QTRY_COMPARE_WITH_TIMEOUT(textOf(7), u"step 1,200 loss 2.5"_s, 30000);
    QCOMPARE(grid->cell(7).lines[2].right, u"1.9 s"_s);
    QVERIFY(textOf(0).isEmpty()); // It printed none, as most ranks of Megatron.
    QVERIFY(line->isVisible());
    QCOMPARE(line->text(), u"step 1,200 of 5,000 · loss 2.5 · 1.9 s/step · 2 h 0 min left"_s);
    QVERIFY(!line->filledRect().isEmpty());

    m_window->findChild<QAction *>(u"plotAction"_s)->trigger();
    const auto *const plot = m_window->findChild<ProgressPlot *>();
    QVERIFY(plot->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().size(), 8, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(!plot->isEmpty(), 30000);
    run.print(7, step(1201));
    QTRY_VERIFY_WITH_TIMEOUT(plot->readout().contains(u"rank 7"_s), 30000);
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().at(7).loss.size(), 2, 30000);

    // The ranks that are chosen in the grid are those that are shown.
    auto *const chosen = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QTest::mouseClick(chosen, Qt::LeftButton, Qt::NoModifier, chosen->cellRect(7).center());
    QTRY_COMPARE_WITH_TIMEOUT(plot->curves().size(), 1, 30000);
    QCOMPARE(plot->curves().first().rank, 7);
    QVERIFY(plot->isVisible());
    m_window->findChild<QAction *>(u"oneRankAction"_s)->trigger();
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
    QVERIFY2(view->groups()->wordsOf(3).contains("SIGKILL"_L1), qPrintable(view->groups()->wordsOf(3)));
    QVERIFY(view->isVisible());

    // A rank that is clicked shows its log; the pictures come back by their action.
    const auto *grid = m_window->findChild<DeviceGrid *>(u"deviceGrid"_s);
    QTest::mouseClick(m_window->findChild<DeviceGrid *>(), Qt::LeftButton, Qt::NoModifier,
                      grid->cellRect(2).center());
    QVERIFY(!view->isVisible());
    m_window->findChild<QAction *>(u"collectivesAction"_s)->trigger();
    QVERIFY(view->isVisible());
}

void TestRunPage::aRunThatIsNoSelfTestShowsItsLog()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "starting\n");
    m_window->openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), u"starting"_s, 30000);
    const auto *view = m_window->findChild<RunPage *>()->findChild<SelfTestView *>();
    QVERIFY(!view->isVisible());
    // What comes late changes nothing that the user chose.
    m_window->findChild<QAction *>(u"oneRankAction"_s)->trigger();
    run.print(0, SelfTestEvent().toLine() + '\n');
    QTRY_VERIFY_WITH_TIMEOUT(view->results().ranks.size() == 8, 30000);
    QVERIFY(!view->isVisible());
}

} // namespace tst_runpage

RANKDECK_WINDOW_TEST(tst_runpage, TestRunPage)
#include "tst_runpage.moc"
