#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/window/mainwindow.h"
#include "support/recordedrun.h"
#include "support/tickmeter.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QAction>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <memory>

namespace tst_largerun
{

using namespace rankdeck;

namespace
{

constexpr int patienceMs = 30'000;
constexpr int servers = 128;
constexpr int devices = 8;
constexpr int ranks = servers * devices;

DeviceGrid *grid(const MainWindow &window)
{
    return window.findChild<DeviceGrid *>(u"deviceGrid"_s);
}

QAction *action(const MainWindow &window, const char *name)
{
    return window.findChild<QAction *>(QLatin1String(name));
}

} // namespace

/// The window with a run of 1,024 ranks on 128 servers.
class TestLargeRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itsWindowHasLittleToDo();
    void whoseLastLinesAreSeenTheyAreFollowed();
    void theOrderOfServersIsChosenInTheMenuAndRemembered();
    void serversFoldAndUnfoldFromTheMenu();
    void aRunOfOneServerHasNothingToFold();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestLargeRun::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(u"state"_s).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"test_largerun"_s);
}

void TestLargeRun::itsWindowHasLittleToDo()
{
    RecordedRun run(servers, devices, false, servers);
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    TickMeter meter;
    meter.start();
    window.openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cellCount(), ranks, patienceMs);
    const QString details = window.findChild<ElidedLabel *>(u"runDetails"_s)->text();
    QVERIFY2(details.contains(u"1024 ranks on 128 servers"_s), qPrintable(details));

    const std::unique_ptr<QThread> supervisor(QThread::create([&run] {
        run.startAll();
        for (int rank = 0; rank < ranks; ++rank)
            run.print(rank, "loss is 2.3\n");
        run.fail(700, {ExitStatus::Kind::Exited, 3});
        for (int rank = 0; rank < ranks; ++rank) {
            if (rank != 700)
                run.exit(rank, {ExitStatus::Kind::Signalled, SIGTERM});
        }
        run.finish(RunPhase::Failed, 3);
    }));
    supervisor->start();
    QTRY_COMPARE_WITH_TIMEOUT(grid(window)->summary(0).counts, u"8 stopped"_s, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!grid(window)->cellRect(700).isEmpty(), patienceMs);
    QCOMPARE(grid(window)->cell(700).lines[0].right, u"failed"_s);
    QTRY_VERIFY_WITH_TIMEOUT(meter.ticks() >= 200, patienceMs);
    QVERIFY(supervisor->wait(patienceMs));
    // Of its own: how late it gets on a machine that does other things too is a matter of luck.
#ifdef __SANITIZE_ADDRESS__
    constexpr double mostMs = 100;
#else
    constexpr double mostMs = 20;
#endif
    QVERIFY2(meter.work(0.99) <= mostMs, qPrintable(QString::number(meter.work(0.99))));
}

void TestLargeRun::whoseLastLinesAreSeenTheyAreFollowed()
{
    RecordedRun run(servers, devices, false, servers);
    run.startAll();
    for (const int rank : {0, 1016})
        run.print(rank, "loss is " + QByteArray::number(rank) + '\n');
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 30000));
    window.openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cellCount(), ranks, patienceMs);
    action(window, "gridCellsAction")->trigger();
    grid(window)->setAllFolded(false);
    for (const int rank : {1016, 0, 1016}) {
        grid(window)->reveal(rank);
        QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cell(rank).lines[3].left, u"loss is %1"_s.arg(rank),
                                  patienceMs);
    }
}

void TestLargeRun::theOrderOfServersIsChosenInTheMenuAndRemembered()
{
    RecordedRun run(servers, devices, false, servers);
    run.startAll();
    run.fail(700, {ExitStatus::Kind::Exited, 3});
    for (const bool worstFirst : {true, false}) {
        MainWindow window;
        window.show();
        window.openRun(run.directory());
        QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cellCount(), ranks, patienceMs);
        QCOMPARE(action(window, "worstFirstAction")->isChecked(), worstFirst);
        QCOMPARE(grid(window)->groups().shown().constFirst(), worstFirst ? 700 / devices : 0);
        if (worstFirst)
            action(window, "worstFirstAction")->trigger();
        QCOMPARE(grid(window)->groups().shown().constFirst(), 0);
    }
}

void TestLargeRun::serversFoldAndUnfoldFromTheMenu()
{
    RecordedRun run(servers, devices, false, servers);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cellCount(), ranks, patienceMs);
    // Tiles have no headings.
    QVERIFY(!action(window, "foldAllAction")->isEnabled());
    action(window, "gridCellsAction")->trigger();
    action(window, "unfoldAllAction")->trigger();
    QVERIFY(!grid(window)->groups().isFolded(127));
    action(window, "foldAllAction")->trigger();
    QVERIFY(grid(window)->groups().isFolded(127));
}

void TestLargeRun::aRunOfOneServerHasNothingToFold()
{
    RecordedRun run;
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_COMPARE_WITH_TIMEOUT(grid(window)->cellCount(), 8, patienceMs);
    for (const char *name : {"worstFirstAction", "foldAllAction", "unfoldAllAction"})
        QVERIFY(!action(window, name)->isEnabled());
}

} // namespace tst_largerun

RANKDECK_WINDOW_TEST(tst_largerun, TestLargeRun)
#include "tst_largerun.moc"
