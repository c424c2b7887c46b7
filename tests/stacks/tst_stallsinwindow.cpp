#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/runactions/rankactions.h"
#include "mainwindow/window/mainwindow.h"
#include "run/control/runserver.h"
#include "stacks/stackdumps.h"
#include "support/recordedrun.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_stallsinwindow
{

using namespace rankdeck;

/// Stalled ranks in the window, and the stacks that it asks for.
class StallsInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aStallIsSaidInTheHeaderAndInTheGrid();
    void putAwayItComesBackWithNews();
    void stopAsksFirst();
    void stacksAreAskedForAndShown();
    void theKeyboardReachesItAll();
    void stacksOfAPastRunAreShown();
    void oneThatWasStoppedIsAnError();

private:
    template <typename T>
    T *find(const char *name) const
    {
        return m_window->findChild<T *>(QLatin1String(name));
    }
    const StallNotice *notice() const { return find<StallNotice>("stallNotice"); }
    QString noticeText() const { return find<ElidedLabel>("stallText")->text(); }
    DeviceCell cell(int index) const
    {
        const auto *grid = find<DeviceGrid>("deviceGrid");
        return index < grid->cellCount() ? grid->cell(index) : DeviceCell();
    }
    void openStalled(RecordedRun &run)
    {
        run.startAll();
        run.stall(m_sentence, {{3, QDateTime::currentMSecsSinceEpoch() - 600'000}});
        m_window->openRun(run.directory());
        QTRY_VERIFY(notice()->isVisible());
    }

    const QString m_sentence = u"No output from rank 3 since 14:02:10; the others continue."_s;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void StallsInWindowTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"test_stalls"_s);
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), 30000));
}

void StallsInWindowTest::cleanup()
{
    m_window.reset();
    m_directory.reset();
}

void StallsInWindowTest::aStallIsSaidInTheHeaderAndInTheGrid()
{
    RecordedRun run;
    run.startAll();
    m_window->openRun(run.directory());
    QTRY_COMPARE(cell(3).lines[0].right, u"running"_s);
    QVERIFY(!notice()->isVisible());
    run.stall(m_sentence, {{3, QDateTime::currentMSecsSinceEpoch()}});
    QTRY_VERIFY(notice()->isVisible());
    QVERIFY2(noticeText().endsWith(u"Stalled: "_s + m_sentence), qPrintable(noticeText()));
    QCOMPARE(cell(3).lines[0].right, u"⚠ stalled"_s);
    QVERIFY(cell(3).lines[2].left.startsWith(u"silent since "_s));
    QCOMPARE(cell(2).lines[0].right, u"running"_s);

    run.endStall(u"Rank 3 continues."_s);
    QTRY_VERIFY(!notice()->isVisible());
    QCOMPARE(cell(3).lines[0].right, u"running"_s);
    QVERIFY(find<ElidedLabel>("runNote")->text().contains(u"Rank 3 continues."_s));
}

void StallsInWindowTest::putAwayItComesBackWithNews()
{
    RecordedRun run;
    openStalled(run);
    find<QPushButton>("stallContinueButton")->click();
    QVERIFY(!notice()->isVisible());
    run.exit(7, {});
    QTRY_COMPARE(cell(7).lines[0].right, u"succeeded"_s);
    QVERIFY(!notice()->isVisible());
    QCOMPARE(cell(3).lines[0].right, u"⚠ stalled"_s);
    const QString more = u"All ranks have been silent since 14:05:00."_s;
    run.stall(more, {{2, 1000}, {3, 1000}});
    QTRY_VERIFY(notice()->isVisible());
    QVERIFY(noticeText().endsWith(more));
}

void StallsInWindowTest::stopAsksFirst()
{
    RecordedRun run;
    openStalled(run);
    find<QPushButton>("stallStopButton")->click();
    const auto *question = m_window->findChild<StopQuestion *>();
    QVERIFY(question);
    QCOMPARE(question->objectName(), u"stopQuestion"_s);
}

void StallsInWindowTest::stacksAreAskedForAndShown()
{
    RecordedRun run;
    RunServer server;
    const QString socket = m_directory->filePath(u"socket"_s);
    QVERIFY(server.listen(socket));
    run.setSocket(socket);
    QSignalSpy asked(&server, &RunServer::requested);
    openStalled(run);
    find<QPushButton>("dumpStacksButton")->click();
    const auto *dialog = find<StacksDialog>("stacksDialog");
    QVERIFY(dialog && dialog->isVisible());
    const auto *status = find<QLabel>("stackStatus");
    QCOMPARE(status->textFormat(), Qt::PlainText);
    QCOMPARE(status->text(), u"Waiting for the stacks of ranks 0-7…"_s);
    QVERIFY(!find<QPushButton>("dumpAgainButton")->isEnabled());
    QTRY_COMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].value<Request>(), Request(DumpRequest{{0, 1, 2, 3, 4, 5, 6, 7}}));

    for (int process = 0; process < 7; ++process)
        run.dump(process, process == 3 ? "Thread 1\n    load (train.py:7)\n"
                                       : "Thread 1\n    all_reduce (<b>.py:9)\n");
    run.dumpNothing(7, u"No stacks of rank 7: <i>it has ended</i>."_s);
    server.notify();
    const auto *list = find<QListWidget>("stackGroups");
    // They may come a few at a time.
    const auto lastGroup = [list] {
        return list->count() == 2 ? list->item(1)->text() : QString();
    };
    QTRY_COMPARE(lastGroup(), u"ranks 0-2,4-6: all_reduce (<b>.py:9)"_s);
    QCOMPARE(list->item(0)->text(), u"rank 3: load (train.py:7)"_s);
    const auto *text = find<QPlainTextEdit>("stackText");
    QVERIFY(text->toPlainText().contains(u"load (train.py:7)"_s));
    QTRY_VERIFY2(status->text().endsWith(u"<i>it has ended</i>."_s), qPrintable(status->text()));
    QTest::keyClick(const_cast<QListWidget *>(list), Qt::Key_Down);
    QVERIFY(text->toPlainText().contains(u"all_reduce (<b>.py:9)"_s));

    QVERIFY(find<QPushButton>("dumpAgainButton")->isEnabled());
    find<QPushButton>("dumpAgainButton")->click();
    QTRY_COMPARE(asked.size(), 2);
}

void StallsInWindowTest::theKeyboardReachesItAll()
{
    RecordedRun run;
    openStalled(run);
    for (const char *name : {"dumpStacksButton", "stallContinueButton", "stallStopButton"}) {
        const auto *button = find<QPushButton>(name);
        QVERIFY(button->focusPolicy() & Qt::TabFocus);
        QVERIFY2(!QKeySequence::mnemonic(button->text()).isEmpty(), name);
    }
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get(), 30000));
    QTest::keyClick(m_window.get(), Qt::Key_O, Qt::AltModifier);
    QTRY_VERIFY(!notice()->isVisible());
    QVERIFY(find<QAction>("dumpAllAction")->isEnabled());
    find<QAction>("dumpAllAction")->trigger();
    auto *dialog = find<StacksDialog>("stacksDialog");
    QVERIFY(dialog && dialog->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void StallsInWindowTest::stacksOfAPastRunAreShown()
{
    RecordedRun run;
    run.startAll();
    run.stall(m_sentence, {{3, 1000}});
    run.dump(3, "Thread 1\n    load (train.py:7)\n");
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    m_window->openRun(run.directory());
    QTRY_VERIFY(find<QAction>("showStacksAction")->isEnabled());
    QVERIFY(!notice()->isVisible());
    QVERIFY(!find<QAction>("dumpAllAction")->isEnabled());
    find<QAction>("showStacksAction")->trigger();
    QTRY_COMPARE(find<QListWidget>("stackGroups")->count(), 1);
    QVERIFY(!find<QPushButton>("dumpAgainButton")->isEnabled());
}

/// Whoever opens a run that was stopped while it stood still sees who was out.
void StallsInWindowTest::oneThatWasStoppedIsAnError()
{
    RecordedRun run;
    run.startAll();
    m_window->openRun(run.directory());
    QTRY_COMPARE(cell(3).lines[0].right, u"running"_s);
    QVERIFY(!find<QPushButton>("showErrorButton")->isEnabled());
    run.stall(m_sentence, {{3, QDateTime::currentMSecsSinceEpoch() - 600'000}}, u"3"_s);
    QTRY_VERIFY(notice()->isVisible());
    run.stop();
    // It does not push itself forward: its user has stopped it, and knows.
    QTRY_VERIFY(find<ElidedLabel>("runDetails")->text().contains(u"Rank 3 hung"_s));
    QVERIFY(!find<QWidget>("failureDialog"));
    QVERIFY(find<QPushButton>("showErrorButton")->isEnabled());
    find<QPushButton>("showErrorButton")->click();
    QTRY_VERIFY(find<QWidget>("failureDialog"));
    QVERIFY(find<QLabel>("failureHeadline")->text().contains(u"Rank 3 hung"_s));
    QTRY_VERIFY2(find<QLabel>("failureReason")->text().contains(m_sentence),
                 qPrintable(find<QLabel>("failureReason")->text()));
}

} // namespace tst_stallsinwindow

RANKDECK_WINDOW_TEST(tst_stallsinwindow, StallsInWindowTest)
#include "tst_stallsinwindow.moc"
