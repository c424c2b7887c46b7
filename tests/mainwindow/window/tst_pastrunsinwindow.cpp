#include "devicegrid/grid/devicegrid.h"
#include "launchform/form/launchform.h"
#include "logview/panes/logtiles.h"
#include "mainwindow/window/mainwindow.h"
#include "mainwindow/window/pastruns.h"
#include "run/record/runcatalog.h"
#include "run/record/rundeletion.h"
#include "runlist/runlist.h"
#include "support/recordedrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"
#include "widgets/statelook.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLabel>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTest>

namespace tst_pastrunsinwindow
{

using namespace rankdeck;

namespace
{

void trigger(const MainWindow &window, const char *action)
{
    auto *found = window.findChild<QAction *>(QLatin1String(action));
    QVERIFY(found);
    QVERIFY(found->isEnabled());
    found->trigger();
}

} // namespace

/// What the window does with runs that are over, and with logs that others left.
class PastRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRunIsDeletedAfterAQuestion();
    void aRunIsRenamed();
    void deletingCanBeLeft();
    void logsElsewhereAreDeletedOnlyWhenChosen();
    void severalRunsAreDeletedAtOnce();
    void aLiveRunCannotBeDeleted();
    void aRunIsLaunchedAgainWithChangesInTheForm();
    void runsAreKeptForAsLongAsIsChosen();
    void oldRunsGoWhenTheWindowOpens();
    void aDirectoryOfLogsIsShownLikeARun();
    void aDirectoryOfLogsIsFollowed();
    void aDirectoryWithoutLogsIsToldInTheWindow();
    void oneLogOfAllRanksIsSplit();
    void theDirectoryOfARunIsOpenedAsARun();

private:
    /// Choose it in the list, as a click does, once it is there.
    static void choose(const MainWindow &window, const QString &directory)
    {
        auto *list = window.findChild<RunList *>();
        QTRY_VERIFY(list->findChild<QListView *>()->model()->rowCount() > 0);
        list->setCurrentRun(directory);
        QTRY_COMPARE(list->currentRun(), directory);
    }
    void log(const QString &name, const QByteArray &text) const
    {
        QFile file(m_home->path("logs/") + name);
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::Append) ||
            file.write(text) != text.size())
            qFatal("a log cannot be written");
    }

    std::unique_ptr<WindowHome> m_home;
};

void PastRunsTest::init()
{
    m_home = std::make_unique<WindowHome>();
    QCoreApplication::setApplicationName(u"test_pastruns"_s);
}

void PastRunsTest::aRunIsRenamed()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    choose(window, run.directory());
    QTRY_VERIFY(window.findChild<QAction *>(u"renameAction"_s)->isEnabled());
    const auto shown = [&] {
        const auto *list = window.findChild<RunList *>()->findChild<QListView *>();
        return list->model()->index(0, 0).data(RunListModel::TitleRole).toString();
    };
    const QString before = shown();
    const auto rename = [&](const QString &title) {
        trigger(window, "renameAction");
        auto *dialog = window.findChild<QInputDialog *>(u"renameDialog"_s);
        dialog->setTextValue(title);
        dialog->accept();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    };
    rename(u" the good\none "_s);
    QTRY_COMPARE_WITH_TIMEOUT(shown(), u"the good one"_s, 10000);
    QCOMPARE(givenTitle(run.directory()), u"the good one"_s);
    rename({});
    QTRY_COMPARE_WITH_TIMEOUT(shown(), before, 10000);
    trigger(window, "copyRunPathAction");
    QCOMPARE(QGuiApplication::clipboard()->text(), run.directory());
}

void PastRunsTest::aRunIsDeletedAfterAQuestion()
{
    RecordedRun run;
    run.finish(RunPhase::Failed, 3);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    choose(window, run.directory());
    QTRY_VERIFY(window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
    trigger(window, "deleteAction");
    QTRY_VERIFY(window.findChild<DeleteQuestion *>());
    auto *question = window.findChild<DeleteQuestion *>();
    QVERIFY2(question->text().contains(QFileInfo(run.directory()).fileName()), qPrintable(question->text()));
    QVERIFY(!question->checkBox());
    QVERIFY(QFile::exists(run.directory()));
    question->findChild<QPushButton *>(u"confirmDeleteButton"_s)->click();
    QTRY_VERIFY(!QFile::exists(run.directory()));
    QTRY_VERIFY(window.findChild<QWidget *>(u"emptyPage"_s)->isVisible());
    QTRY_VERIFY(window.findChild<QLabel *>(u"noRunsLabel"_s)->isVisible());
    QVERIFY(!window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
}

void PastRunsTest::deletingCanBeLeft()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    choose(window, run.directory());
    QTRY_VERIFY(window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
    auto *view = window.findChild<QListView *>(u"runListView"_s);
    QVERIFY(QTest::qWaitForWindowActive(&window, 30000));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Delete);
    QTRY_VERIFY(window.findChild<DeleteQuestion *>());
    // Cancel is the default.
    QTest::keyClick(window.findChild<DeleteQuestion *>(), Qt::Key_Return);
    QTRY_VERIFY(!window.findChild<DeleteQuestion *>());
    QVERIFY(QFile::exists(run.directory()));
}

void PastRunsTest::logsElsewhereAreDeletedOnlyWhenChosen()
{
    RecordedRun run;
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    run.logTo(m_home->path("logs"));
    run.print(0, "hello\n");
    run.finish(RunPhase::Succeeded, 0);
    const QString logFile = run.plan().processes[0].logFile;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    choose(window, run.directory());
    QTRY_VERIFY(window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
    trigger(window, "deleteAction");
    QTRY_VERIFY(window.findChild<DeleteQuestion *>());
    auto *question = window.findChild<DeleteQuestion *>();
    QVERIFY(question->checkBox());
    QVERIFY(!question->checkBox()->isChecked());
    question->checkBox()->setChecked(true);
    question->findChild<QPushButton *>(u"confirmDeleteButton"_s)->click();
    QTRY_VERIFY(!QFile::exists(run.directory()));
    QTRY_VERIFY(!QFile::exists(logFile));
}

void PastRunsTest::severalRunsAreDeletedAtOnce()
{
    RecordedRun one;
    one.finish(RunPhase::Succeeded, 0);
    RecordedRun two;
    two.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(one.directory());
    choose(window, one.directory());
    auto *view = window.findChild<QListView *>(u"runListView"_s);
    QTRY_COMPARE(view->model()->rowCount(), 2);
    view->selectAll();
    QTRY_VERIFY(window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
    trigger(window, "deleteAction");
    QTRY_VERIFY(window.findChild<DeleteQuestion *>());
    window.findChild<QPushButton *>(u"confirmDeleteButton"_s)->click();
    QTRY_VERIFY(RunSummaries().read().isEmpty());
}

void PastRunsTest::aLiveRunCannotBeDeleted()
{
    RecordedRun run;
    run.startAll();
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    choose(window, run.directory());
    QTRY_VERIFY(window.findChild<DeviceGrid *>()->cellCount() > 0);
    QVERIFY(!window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
}

void PastRunsTest::aRunIsLaunchedAgainWithChangesInTheForm()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_VERIFY(window.findChild<QAction *>(u"runAgainChangedAction"_s)->isEnabled());
    trigger(window, "runAgainChangedAction");
    auto *form = window.findChild<LaunchForm *>();
    QVERIFY(form);
    QVERIFY(form->isVisible());
    const auto record = readRunRecord(run.directory());
    QCOMPARE(form->spec().launcher, record->spec.launcher);
    QCOMPARE(form->spec().workDir, record->spec.workDir);
}

void PastRunsTest::runsAreKeptForAsLongAsIsChosen()
{
    MainWindow window;
    window.show();
    trigger(window, "keepAction");
    QTRY_VERIFY(window.findChild<KeepDialog *>());
    auto *dialog = window.findChild<KeepDialog *>();
    QCOMPARE(dialog->setting(), KeepSetting());
    dialog->findChild<QRadioButton *>(u"keepLimited"_s)->setChecked(true);
    dialog->findChild<QSpinBox *>(u"keepDays"_s)->setValue(14);
    QVERIFY(dialog->findChild<QLabel *>(u"keepEffect"_s)->text().contains(u"No run is that old yet"_s));
    dialog->accept();
    QTRY_COMPARE(loadKeepSetting()->days, std::optional(14));
}

void PastRunsTest::oldRunsGoWhenTheWindowOpens()
{
    RecordedRun old;
    old.finish(RunPhase::Succeeded, 0);
    auto record = readRunRecord(old.directory());
    record->ended = QDateTime::currentDateTimeUtc().addDays(-8);
    QVERIFY(!writeRunRecord(old.directory(), *record));
    RecordedRun young;
    young.finish(RunPhase::Succeeded, 0);
    QVERIFY(!saveKeepSetting({7}));
    MainWindow window;
    window.show();
    QTRY_VERIFY(!QFile::exists(old.directory()));
    QVERIFY(QFile::exists(young.directory()));
}

void PastRunsTest::aDirectoryOfLogsIsShownLikeARun()
{
    log(u"scheduler.log"_s, "waiting\n");
    log(u"worker_0.log"_s, "step 1\n");
    log(u"worker_1.log"_s, "Traceback (most recent call last):\n  x\nRuntimeError: boom\n");
    MainWindow window;
    window.show();
    window.openRecorded(m_home->path("logs"));
    auto *grid = window.findChild<DeviceGrid *>();
    QTRY_COMPARE(grid->cellCount(), 3);
    const QString title = m_home->path("logs").section('/'_L1, -2);
    QTRY_COMPARE(window.windowTitle(), title + u" - Rankdeck"_s);
    QCOMPARE(grid->cell(2).lines[0].left, u"rank 1"_s);
    QCOMPARE(grid->cell(2).lines[0].right, u"failed"_s);
    QTRY_COMPARE(grid->cell(1).lines[3].left, u"step 1"_s);
    QCOMPARE(window.findChild<LogTiles *>(u"logTiles"_s)->keys(), QList<int>{2});
    QVERIFY(window.findChild<QAction *>(u"showErrorAction"_s)->isEnabled());
    QVERIFY(!window.findChild<QAction *>(u"deleteAction"_s)->isEnabled());
    for (const char *name : {"stopButton", "killButton", "runAgainButton"})
        QVERIFY(!window.findChild<QPushButton *>(QLatin1String(name))->isVisible());
    trigger(window, "showErrorAction");
    QTRY_VERIFY(window.findChild<QLabel *>(u"failureCause"_s));
    QVERIFY(window.findChild<QLabel *>(u"failureCause"_s)->text().contains(u"RuntimeError: boom"_s));
    QVERIFY(window.liveRuns().isEmpty());
}

void PastRunsTest::aDirectoryOfLogsIsFollowed()
{
    log(u"worker_0.log"_s, "step 1\n");
    MainWindow window;
    window.show();
    window.openRecorded(m_home->path("logs"));
    auto *grid = window.findChild<DeviceGrid *>();
    QTRY_COMPARE(grid->cellCount(), 1);
    QCOMPARE(window.findChild<StateBadge *>(u"runState"_s)->text(), u"being written"_s);
    log(u"worker_0.log"_s, "step 2\n");
    QTRY_COMPARE(grid->cell(0).lines[3].left, u"step 2"_s);
    log(u"worker_1.log"_s, "late\n");
    QTRY_COMPARE(grid->cellCount(), 2);
    QTRY_COMPARE(grid->cell(1).lines[3].left, u"late"_s);
}

void PastRunsTest::aDirectoryWithoutLogsIsToldInTheWindow()
{
    MainWindow window;
    window.show();
    window.openRecorded(m_home->path("nothing"));
    auto *note = window.findChild<QLabel *>(u"nothingShownText"_s);
    QTRY_VERIFY(note->isVisible());
    QVERIFY2(note->text().contains(u"file or directory not found"_s), qPrintable(note->text()));
}

void PastRunsTest::oneLogOfAllRanksIsSplit()
{
    const QString path = m_home->path("train.log");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("start\n[rank0]: step 1\n[rank1]: step 1\n[rank1]: Traceback (most recent call last):\n"
               "[rank1]: ValueError: bad\n[rank0]: RuntimeError: Connection closed by peer\n");
    file.close();
    MainWindow window;
    window.show();
    window.openRecorded(path);
    auto *grid = window.findChild<DeviceGrid *>();
    QTRY_COMPARE(grid->cellCount(), 3); // The log itself comes first.
    QTRY_VERIFY(grid->cell(1).spoken().contains("Connection closed by peer"_L1));
    QTRY_VERIFY(grid->cell(2).spoken().contains("ValueError: bad"_L1));
    QVERIFY(!grid->cell(2).spoken().contains("[rank1]"_L1));
}

void PastRunsTest::theDirectoryOfARunIsOpenedAsARun()
{
    RecordedRun run(1, 4);
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRecorded(run.directory());
    QTRY_COMPARE(window.findChild<DeviceGrid *>()->cellCount(), 4);
    QCOMPARE(window.findChild<StateBadge *>(u"runState"_s)->text(), u"succeeded"_s);
}

} // namespace tst_pastrunsinwindow

RANKDECK_WINDOW_TEST(tst_pastrunsinwindow, PastRunsTest)
#include "tst_pastrunsinwindow.moc"
