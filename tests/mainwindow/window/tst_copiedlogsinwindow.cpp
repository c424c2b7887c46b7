#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "mainwindow/window/mainwindow.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/loudrun.h"
#include "support/tickmeter.h"
#include "support/windowtest.h"

#include <QSettings>
#include <QTest>

#include <unistd.h>

namespace tst_copiedlogsinwindow
{

using namespace rankdeck;

/// In the window, logs of nodes that share no folder with this machine and are not copied while they grow.
class CopiedLogsInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theLogThatIsShownIsCopiedWhileTheRunLives();
    void theLogOfAPastRunIsFetched();
    void nodesThatPrint200MegabytesASecondDoNotHoldItUp();
    void cleanup();

private:
    /// The directory of a run whose ranks print "up" and, once the gate is there, "more".
    QString startRun();
    QString path(const char *name) const { return m_remote.home().path(name); }
    QString shownText() const
    {
        const LogPane *pane = m_window->findChild<LogTiles *>(u"logTiles"_s)->pane(0);
        return pane ? pane->view()->visibleText() : QString();
    }
    void openGate() const
    {
        QFile gate(path("gate"));
        QVERIFY(gate.open(QIODevice::WriteOnly));
    }

    RemoteRun m_remote;
    std::unique_ptr<MainWindow> m_window;
};

void CopiedLogsInWindowTest::initTestCase()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    if (geteuid() != 0)
        QSKIP("only root may give a node a file system of its own");
    QVERIFY(m_remote.startSsh());
    QVERIFY(m_remote.standApart());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, path("settings"));
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QCoreApplication::setApplicationName(u"test_copiedlogsinwindow"_s);
}

void CopiedLogsInWindowTest::cleanup()
{
    m_window.reset();
    QFile::remove(path("gate"));
}

QString CopiedLogsInWindowTest::startRun()
{
    const Outcome outcome =
        ctl(QStringList{u"processes"_s} + m_remote.nodeOptions() +
            QStringList{u"--detach"_s, u"--no-mirror"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                        QString::number(freePort()), u"--work-dir"_s, path(""), u"sh"_s, u"-c"_s,
                        u"echo up; while ! test -e %1; do sleep 0.05; done; echo more"_s.arg(path("gate"))});
    return runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed());
}

void CopiedLogsInWindowTest::theLogThatIsShownIsCopiedWhileTheRunLives()
{
    const QString directory = startRun();
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(directory);
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), u"up"_s, programLimitMs);
    openGate();
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), u"up\nmore"_s, programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(RunReader(directory).open()->phase), programLimitMs);
}

void CopiedLogsInWindowTest::theLogOfAPastRunIsFetched()
{
    const QString directory = startRun();
    openGate();
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(RunReader(directory).open()->phase), programLimitMs);
    const QString log = RunReader(directory).open()->plan->processes.front().logFile;
    QVERIFY(!QFile::exists(log));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(directory);
    QTRY_COMPARE_WITH_TIMEOUT(shownText(), u"up\nmore"_s, programLimitMs);
}

void CopiedLogsInWindowTest::nodesThatPrint200MegabytesASecondDoNotHoldItUp()
{
    const QString directory = startLoudRun(m_remote, 2);
    QVERIFY(!directory.isEmpty());
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1280, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), 30000));
    TickMeter meter;
    meter.start();
    m_window->openRun(directory);
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(u"epoch: 1 step: "_s), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(u"50000000 bytes in "_s), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(RunReader(directory).open()->phase), programLimitMs);
    QVERIFY(meter.ticks() >= 100);
    // Of its own: how late it gets on a machine that does other things too is a matter of luck.
#ifdef __SANITIZE_ADDRESS__
    constexpr double mostMs = 100;
#else
    constexpr double mostMs = 20;
#endif
    QVERIFY2(meter.work(0.99) <= mostMs, qPrintable(QString::number(meter.work(0.99))));

    const RunState state = *RunReader(directory).open();
    QCOMPARE(state.phase, RunPhase::Succeeded);
    QCOMPARE(state.plan->processes.size(), size_t(8));
    for (const ProcessPlan &process : state.plan->processes) {
        const QByteArray copy = fileText(process.logFile);
        QVERIFY(copy.size() > 50'000'000);
        QString there = process.copiedFrom.constFirst();
        there.replace(path("state"), path("nodes/state"));
        QVERIFY2(copy == fileText(there), qPrintable(process.logFile));
    }
}

} // namespace tst_copiedlogsinwindow

RANKDECK_WINDOW_TEST(tst_copiedlogsinwindow, CopiedLogsInWindowTest)
#include "tst_copiedlogsinwindow.moc"
