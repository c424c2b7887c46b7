#include "devicegrid/grid/devicegrid.h"
#include "failure/failuredialog.h"
#include "launchform/form/launchform.h"
#include "logview/canvas/logcanvas.h"
#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "mainwindow/runpage/runpage.h"
#include "mainwindow/window/mainwindow.h"
#include "mainwindow/window/windowclosing.h"
#include "ranktable/page/ranktablepage.h"
#include "runlist/runlist.h"
#include "support/recordedrun.h"
#include "support/testpaths.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QLabel>
#include <QListView>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_mainwindow
{

using namespace rankdeck;

namespace
{

const ExitStatus exitCode3{ExitStatus::Kind::Exited, 3};

DeviceGrid *grid(const MainWindow &window)
{
    return window.findChild<DeviceGrid *>(u"deviceGrid"_s);
}

QList<int> shownLogs(const MainWindow &window)
{
    return window.findChild<LogTiles *>(u"logTiles"_s)->keys();
}

QPushButton *button(const QWidget &window, const char *name)
{
    return window.findChild<QPushButton *>(QLatin1String(name));
}

FailureDialog *failureDialog(const MainWindow &window)
{
    return window.findChild<FailureDialog *>(u"failureDialog"_s);
}

RankTablePage *tablePage(const MainWindow &window)
{
    return window.findChild<RankTablePage *>(u"rankTablePage"_s);
}

void drop(MainWindow &window, const QString &path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

QString word(const MainWindow &window, int cell)
{
    return cell < grid(window)->cellCount() ? grid(window)->cell(cell).lines[0].right : QString();
}

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itFitsOnASmallScreenWithLargeText();
    void init();
    void cleanup();
    void withoutARunItOffersLaunchAndDemo();
    void aLiveRunShowsItsRanksAndTheirLastLines();
    void aRestartedRunShowsItsNewestAttempt();
    void aRunFromTheListIsShown();
    void aNewWindowShowsTheRunThatIsLive();
    void tabGoesFromTheRunsToTheirButtonsToTheDevices();
    void notesOfTheRunCanBeRead();
    void errorButtonIsEnabledExactlyWhenThereIsAFailure();
    void failureOfAWatchedRunOpensTheDialogOnce();
    void anOpenDialogShowsWhichRankFailedFirstAfterAll();
    void standardErrorHasAPaneOfItsOwnOnDemand();
    void anEmptyLogSaysWhetherMoreMayCome();
    void dialogStaysAwayWhenRaiseOnFailureIsOff();
    void anOldFailedRunOpensWithoutTheDialog();
    void aRunLaunchedHereThatFailedBeforeTheWindowLookedOpensTheDialog();
    void theFailedRanksLogIsShownUnlessTheUserChose();
    void chosenRanksAreTiled();
    void allLogsAreAtMostSixteen();
    void howLogsAreShownIsRemembered();
    void closingWithoutALiveRunAsksNothing();
    void closingWhileARunIsLiveAsks();
    void stoppingFromTheQuestionClosesOnceTheRunIsStopping();
    void aDirectoryThatIsNoRunIsToldInTheWindow();
    void severalLiveRunsAreCountedInTheQuestion();
    void aDroppedRankTableIsShownUntilItIsClosed();
    void f11FillsTheScreen();
    void droppedLogsAreOpenedAndRemembered();
    void aRunThatIsChosenTakesThePlaceOfARankTable();
    void launchingARankTableFillsTheForm();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestMainWindow::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"test_mainwindow"_s);
}

void TestMainWindow::cleanup()
{
    m_directory.reset();
}

void TestMainWindow::withoutARunItOffersLaunchAndDemo()
{
    MainWindow window;
    window.show();
    QVERIFY(button(window, "emptyLaunchButton")->isVisible());
    QVERIFY(button(window, "demoButton-training")->isVisible());
    for (const int size : {16, 32, 256})
        QVERIFY(window.windowIcon().availableSizes().contains(QSize(size, size)));
    QVERIFY(window.findChild<QLabel *>(u"noRunsLabel"_s)->isVisible());
    QVERIFY(!window.findChild<QAction *>(u"showErrorAction"_s)->isEnabled());
}

void TestMainWindow::aLiveRunShowsItsRanksAndTheirLastLines()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE(grid(window)->cellCount(), 8);
    QCOMPARE(word(window, 0), u"waiting"_s);
    run.startAll();
    QTRY_COMPARE(word(window, 7), u"running"_s);
    QVERIFY(button(window, "stopButton")->isEnabled());
    QVERIFY(button(window, "killButton")->isEnabled());
    QCOMPARE(shownLogs(window), QList<int>{0});

    run.print(4, "epoch: 1 step: 1, loss is 2.3\n");
    QTRY_COMPARE(grid(window)->cell(4).lines[3].left, u"epoch: 1 step: 1, loss is 2.3"_s);

    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    QTRY_COMPARE(word(window, 3), u"succeeded"_s);
    QTRY_VERIFY(!button(window, "stopButton")->isEnabled());
    QVERIFY(!button(window, "killButton")->isEnabled());
    QVERIFY(button(window, "runAgainButton")->isEnabled());
}

void TestMainWindow::aRestartedRunShowsItsNewestAttempt()
{
    RecordedRun run;
    run.allowRestarts(2);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 7), u"running"_s);
    Q_EMIT grid(window)->ranksChosen({2, 5});
    const auto lastLine = [&](int cell) {
        return grid(window)->cell(cell).lines[3].left;
    };
    run.print(2, "of the first attempt\n");
    run.print(4, "of the first attempt\n");
    QTRY_COMPARE(lastLine(4), u"of the first attempt"_s);

    run.exit(4, exitCode3);
    run.tearDown();
    run.restart(u"Restart 1 of 2. Rank 4 failed first."_s);
    run.startAll();
    QTRY_COMPARE(word(window, 4), u"running"_s);
    const auto *note = window.findChild<ElidedLabel *>(u"runNote"_s);
    QTRY_VERIFY2(note->text().contains("Restart 1 of 2"_L1), qPrintable(note->text()));
    const auto *details = window.findChild<ElidedLabel *>(u"runDetails"_s);
    QVERIFY2(details->text().contains("restart 1 of 2"_L1), qPrintable(details->text()));
    QCOMPARE(lastLine(4), QString());
    QVERIFY(!button(window, "showErrorButton")->isEnabled());
    QVERIFY(!failureDialog(window));
    QCOMPARE(shownLogs(window), (QList<int>{2, 5}));
    run.print(4, "of the second\n");
    QTRY_COMPARE(lastLine(4), u"of the second"_s);
    run.print(2, "shown\n");
    const auto *tiles = window.findChild<LogTiles *>(u"logTiles"_s);
    QTRY_COMPARE(tiles->pane(2)->view()->visibleText().trimmed(), u"shown"_s);
}

void TestMainWindow::aRunFromTheListIsShown()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    auto *view = window.findChild<QListView *>(u"runListView"_s);
    QTRY_COMPARE(view->model()->rowCount(), 1);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                      view->visualRect(view->model()->index(0, 0)).center());
    QTRY_COMPARE(grid(window)->cellCount(), 8);
    QVERIFY(grid(window)->isVisible());
}

void TestMainWindow::aNewWindowShowsTheRunThatIsLive()
{
    RecordedRun live;
    live.startAll();
    RecordedRun ended;
    ended.finish(RunPhase::Stopped, 0);
    MainWindow window;
    window.show();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    QTRY_COMPARE(window.findChild<RunList *>()->currentRun(), live.directory());
}

void TestMainWindow::tabGoesFromTheRunsToTheirButtonsToTheDevices()
{
    MainWindow window;
    QStringList order;
    const QWidget *const first = button(window, "launchButton");
    const QWidget *widget = first;
    do {
        if (widget->focusPolicy() & Qt::TabFocus)
            order << widget->objectName();
        widget = widget->nextInFocusChain();
    } while (widget != first);
    qsizetype before = -1;
    for (const char *name : {"launchButton", "runFilter", "runListView", "stopButton", "killButton",
                             "runAgainButton", "showErrorButton", "deviceGrid"}) {
        const qsizetype at = order.indexOf(QLatin1String(name));
        QVERIFY2(at > before, qPrintable(order.join(' '_L1)));
        before = at;
    }
}

void TestMainWindow::notesOfTheRunCanBeRead()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE(grid(window)->cellCount(), 8);
    auto *action = window.findChild<QAction *>(u"notesAction"_s);
    QVERIFY(!action->isEnabled());
    run.note(u"<i>the cache cannot be written</i>"_s);
    QTRY_VERIFY(action->isEnabled());
    action->trigger();
    const auto *box = window.findChild<QMessageBox *>(u"notesBox"_s);
    QVERIFY(box->text().contains(u"<i>the cache"_s));
    QCOMPARE(box->textFormat(), Qt::PlainText);
}

void TestMainWindow::errorButtonIsEnabledExactlyWhenThereIsAFailure()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    const QAction *action = window.findChild<QAction *>(u"showErrorAction"_s);
    QVERIFY(!button(window, "showErrorButton")->isEnabled());
    QVERIFY(!action->isEnabled());

    run.fail(3, exitCode3);
    QTRY_VERIFY(button(window, "showErrorButton")->isEnabled());
    QVERIFY(action->isEnabled());
    QCOMPARE(word(window, 3), u"failed"_s);
    QCOMPARE(grid(window)->cell(3).lines[2].left, u"exit code 3"_s);

    RecordedRun other;
    window.openRun(other.directory());
    QTRY_VERIFY(!button(window, "showErrorButton")->isEnabled());
    QVERIFY(!action->isEnabled());
}

void TestMainWindow::failureOfAWatchedRunOpensTheDialogOnce()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    QVERIFY(!failureDialog(window));

    run.fail(3, exitCode3);
    QTRY_VERIFY(failureDialog(window));
    const auto *headline = failureDialog(window)->findChild<QLabel *>(u"failureHeadline"_s);
    QVERIFY2(headline->text().contains(u"Rank 3"_s), qPrintable(headline->text()));

    failureDialog(window)->close();
    QTRY_VERIFY(!failureDialog(window));
    run.exitAll({ExitStatus::Kind::Signalled, SIGTERM});
    run.finish(RunPhase::Failed, 3);
    QTRY_VERIFY(!button(window, "killButton")->isEnabled());
    QVERIFY(!failureDialog(window));

    button(window, "showErrorButton")->click();
    QVERIFY(failureDialog(window));
}

void TestMainWindow::anOpenDialogShowsWhichRankFailedFirstAfterAll()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    const QDateTime before = QDateTime::currentDateTimeUtc();
    run.fail(3, exitCode3, before.addSecs(1));
    QTRY_VERIFY(failureDialog(window));
    run.fail(5, exitCode3, before);
    QTRY_VERIFY(failureDialog(window) && failureDialog(window)->isDiagnosed() &&
                failureDialog(window)->windowTitle().contains("Rank 5"_L1));
}

void TestMainWindow::standardErrorHasAPaneOfItsOwnOnDemand()
{
    RecordedRun run;
    run.keepErrorsApart();
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    QCOMPARE(shownLogs(window), QList<int>{0});
    window.findChild<QAction *>(u"allRanksAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 8);
    window.findChild<QAction *>(u"errorsApartAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 16);
    MainWindow other;
    QVERIFY(other.findChild<QAction *>(u"errorsApartAction"_s)->isChecked());
    window.findChild<QAction *>(u"errorsApartAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 8);
}

void TestMainWindow::anEmptyLogSaysWhetherMoreMayCome()
{
    RecordedRun run;
    run.keepErrorsApart();
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    window.findChild<QAction *>(u"errorsApartAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 2);
    const auto errors = [&] {
        const auto *tiles = window.findChild<LogTiles *>();
        return tiles->pane(tiles->keys().last())->view()->visibleText();
    };
    QTRY_COMPARE(errors(), u"No output yet."_s);
    run.exitAll({ExitStatus::Kind::Exited, 0});
    QTRY_COMPARE(errors(), u"No output."_s);
    window.findChild<QAction *>(u"errorsApartAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 1);
    QTRY_COMPARE(errors(), u"No output."_s);
}

void TestMainWindow::dialogStaysAwayWhenRaiseOnFailureIsOff()
{
    RecordedRun run(1, 8, false);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    run.fail(3, exitCode3);
    QTRY_VERIFY(button(window, "showErrorButton")->isEnabled());
    QVERIFY(!failureDialog(window));
}

void TestMainWindow::anOldFailedRunOpensWithoutTheDialog()
{
    RecordedRun run;
    run.startAll();
    run.fail(3, exitCode3);
    run.exitAll({ExitStatus::Kind::Signalled, SIGTERM});
    run.finish(RunPhase::Failed, 3);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_VERIFY(button(window, "showErrorButton")->isEnabled());
    QVERIFY(!failureDialog(window));
    QCOMPARE(shownLogs(window), QList<int>{3});
}

void TestMainWindow::aRunLaunchedHereThatFailedBeforeTheWindowLookedOpensTheDialog()
{
    RecordedRun run;
    run.startAll();
    run.fail(3, exitCode3);
    run.finish(RunPhase::Failed, 3);
    MainWindow window;
    window.show();
    window.openRun(run.directory(), true);
    QTRY_VERIFY(failureDialog(window));
}

void TestMainWindow::theFailedRanksLogIsShownUnlessTheUserChose()
{
    for (const bool userChose : {false, true}) {
        RecordedRun run;
        MainWindow window;
        window.show();
        window.openRun(run.directory());
        run.startAll();
        QTRY_COMPARE(shownLogs(window), QList<int>{0});
        if (userChose) {
            QTest::mouseClick(grid(window), Qt::LeftButton, {}, grid(window)->cellRect(1).center());
            QCOMPARE(shownLogs(window), QList<int>{1});
        }
        run.fail(2, exitCode3);
        QTRY_VERIFY(button(window, "showErrorButton")->isEnabled());
        QCOMPARE(shownLogs(window), QList<int>{userChose ? 1 : 2});
    }
}

void TestMainWindow::chosenRanksAreTiled()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE(grid(window)->cellCount(), 8);
    QTest::mouseClick(grid(window), Qt::LeftButton, {}, grid(window)->cellRect(2).center());
    QTest::mouseClick(grid(window), Qt::LeftButton, Qt::ControlModifier, grid(window)->cellRect(0).center());
    QCOMPARE(shownLogs(window), (QList<int>{0, 2}));
    QCOMPARE(grid(window)->chosen(), (QList<int>{0, 2}));
}

void TestMainWindow::allLogsAreAtMostSixteen()
{
    RecordedRun run(1, 20);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE(grid(window)->cellCount(), 20);
    window.findChild<QAction *>(u"allRanksAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 16);
    window.findChild<QAction *>(u"oneRankAction"_s)->trigger();
    QCOMPARE(shownLogs(window).size(), 1);
}

void TestMainWindow::howLogsAreShownIsRemembered()
{
    RecordedRun run;
    const auto columns = [&run](const char *toTrigger) {
        MainWindow window;
        window.resize(1000, 700);
        window.show();
        window.openRun(run.directory());
        if (!QTest::qWaitFor([&] { return grid(window)->cellCount() == 8; }, 30000))
            return std::pair(0, QSize());
        if (toTrigger)
            window.findChild<QAction *>(QLatin1String(toTrigger))->trigger();
        const LogPane *pane = window.findChild<LogTiles *>(u"logTiles"_s)->pane(0);
        return std::pair(pane->findChild<LogCanvas *>()->columns(),
                         pane->findChild<LogCanvas *>()->canvas().cellSize());
    };
    const auto usual = columns(nullptr);
    QVERIFY(columns("lineNumbersAction").first < usual.first);
    QVERIFY(columns(nullptr).first < usual.first);
    QVERIFY(columns("largerTextAction").second.height() > usual.second.height());
    QVERIFY(columns(nullptr).second.height() > usual.second.height());
    QCOMPARE(columns("normalTextAction").second, usual.second);
    QCOMPARE(columns("lineNumbersAction"), usual);
    QCOMPARE(columns(nullptr), usual);
}

void TestMainWindow::closingWithoutALiveRunAsksNothing()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE(word(window, 0), u"succeeded"_s);
    QVERIFY(window.close());
}

void TestMainWindow::closingWhileARunIsLiveAsks()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);

    QVERIFY(!window.close());
    auto *question = window.findChild<CloseQuestion *>();
    QVERIFY(question);
    QCOMPARE(question->defaultButton(), button(*question, "leaveRunningButton"));
    QVERIFY(question->text().contains(u"train"_s));

    question->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!window.findChild<CloseQuestion *>());
    QVERIFY(window.isVisible());

    QVERIFY(!window.close());
    button(*window.findChild<CloseQuestion *>(), "leaveRunningButton")->click();
    QTRY_VERIFY(!window.isVisible());
}

void TestMainWindow::stoppingFromTheQuestionClosesOnceTheRunIsStopping()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    run.startAll();
    QTRY_COMPARE(word(window, 0), u"running"_s);
    window.close();
    button(*window.findChild<CloseQuestion *>(), "stopRunsButton")->click();
    QTRY_VERIFY(!window.findChild<CloseQuestion *>());
    QVERIFY(window.isVisible());
    run.tearDown();
    QTRY_VERIFY(!window.isVisible());
}

void TestMainWindow::aDirectoryThatIsNoRunIsToldInTheWindow()
{
    MainWindow window;
    window.show();
    window.openRun(m_directory->path());
    const auto *text = window.findChild<QLabel *>(u"nothingShownText"_s);
    QTRY_VERIFY(text->isVisible());
    QVERIFY(text->text().contains(m_directory->path()));
}

void TestMainWindow::severalLiveRunsAreCountedInTheQuestion()
{
    const CloseQuestion question({u"a"_s, u"b"_s, u"c"_s});
    QVERIFY(question.text().contains(u"3"_s));
    QVERIFY(button(question, "stopRunsButton")->text().contains(u"3"_s));
    QCOMPARE(question.defaultButton(), button(question, "leaveRunningButton"));
}

void TestMainWindow::aDroppedRankTableIsShownUntilItIsClosed()
{
    MainWindow window;
    window.show();
    const QString path = sourcePath("tests/data/ranktables/server_list_1.0.json");
    drop(window, path);
    const auto *page = tablePage(window);
    QTRY_VERIFY(page->isVisible() && page->table());
    QCOMPARE(page->path(), path);
    QVERIFY2(window.windowTitle().contains(u"server_list_1.0.json"_s), qPrintable(window.windowTitle()));
    button(window, "closeTableButton")->click();
    QVERIFY(button(window, "emptyRankTableButton")->isVisible());
    QVERIFY(page->path().isEmpty());
    QCOMPARE(window.windowTitle(), u"Rankdeck"_s);
}

void TestMainWindow::f11FillsTheScreen()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window, 30'000));
    QTest::keyClick(&window, Qt::Key_F11);
    QTRY_VERIFY(window.isFullScreen());
    QTest::keyClick(&window, Qt::Key_F11);
    QTRY_VERIFY(!window.isFullScreen());
}

void TestMainWindow::droppedLogsAreOpenedAndRemembered()
{
    const QString logs = m_directory->filePath(u"job12/log"_s);
    QVERIFY(QDir().mkpath(logs));
    QFile log(logs + u"/worker_0.log"_s);
    QVERIFY(log.open(QIODevice::WriteOnly) && log.write("step 1\n") > 0);
    log.close();
    {
        MainWindow window;
        window.show();
        QVERIFY(window.findChild<QWidget *>(u"recentPaths"_s)->findChildren<QToolButton *>().isEmpty());
        drop(window, logs);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<RunPage *>()->state().plan, 30000);
        QVERIFY(!tablePage(window)->isVisible());
    }
    MainWindow window;
    window.show();
    auto *const recent = window.findChild<QWidget *>(u"recentPaths"_s)->findChild<QToolButton *>();
    QVERIFY(recent);
    QCOMPARE(recent->text(), u"job12/log"_s);
    QCOMPARE(recent->toolTip(), logs);
    recent->click();
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<RunPage *>()->state().plan, 30000);
    QCOMPARE(window.findChild<RunPage *>()->directory(), logs);
}

void TestMainWindow::aRunThatIsChosenTakesThePlaceOfARankTable()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRankTable(sourcePath("tests/data/ranktables/server_list_1.0.json"));
    QTRY_VERIFY(tablePage(window)->table());
    QVERIFY(tablePage(window)->isVisible());
    window.openRun(run.directory());
    QTRY_COMPARE(grid(window)->cellCount(), 8);
    QVERIFY(grid(window)->isVisible());
    window.openRankTable(sourcePath("tests/data/ranktables/super_pod_1.2.json"));
    QVERIFY(tablePage(window)->isVisible());
    button(window, "closeTableButton")->click();
    QVERIFY(grid(window)->isVisible());
}

void TestMainWindow::launchingARankTableFillsTheForm()
{
    MainWindow window;
    window.show();
    const QString path = sourcePath("tests/data/ranktables/server_list_1.0.json");
    window.openRankTable(path);
    QTRY_VERIFY(button(window, "launchTableButton")->isEnabled());
    button(window, "launchTableButton")->click();
    auto *form = window.findChild<LaunchForm *>();
    QVERIFY(form && form->isVisible());
    QCOMPARE(form->spec().rankTableFile, path);
    // And back: its Show button opens the table that the form names.
    window.openRankTable(sourcePath("tests/data/ranktables/super_pod_1.2.json"));
    QTRY_VERIFY(button(*form, "showTableButton")->isVisible());
    button(*form, "showTableButton")->click();
    QCOMPARE(tablePage(window)->path(), path);
}

void TestMainWindow::itFitsOnASmallScreenWithLargeText()
{
    MainWindow window;
    QFont large = window.font();
    large.setPointSize(18);
    window.setFont(large);
    window.show();
    const auto fits = [&] {
        const QSize least = window.minimumSizeHint();
        return least.width() <= 1008 && least.height() <= 652;
    };
    QVERIFY(fits());
    window.openRankTable(sourcePath("tests/data/ranktables/super_pod_1.2.json"));
    QTRY_VERIFY(button(window, "launchTableButton")->isEnabled());
    QVERIFY(fits());
}

} // namespace tst_mainwindow

RANKDECK_WINDOW_TEST(tst_mainwindow, TestMainWindow)
#include "tst_mainwindow.moc"
