#include "run/record/runphase.h"
#include "support/liverun.h"
#include "support/testmain.h"

#include <QStandardPaths>

namespace tst_windowfaults
{

using namespace rankdeck;

/// The window that launched a run is killed, or its X server is: the run goes on whole.
class WindowFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void killingTheWindowChangesNothing();
    void losingTheXServerChangesNothing();
    void aDisplayThatIsGoneIsTold();
    void helpNeedsNoDisplayAndNoRightOptions();

private:
    void verifyThatTheRunGoesOn()
    {
        QVERIFY(m_window->waitForFinished(programLimitMs));
        QVERIFY(m_run->goesOnWhole());
        QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), LiveRun::limitMs);
        QCOMPARE(m_run->state().phase, RunPhase::Stopped);
    }

    std::unique_ptr<QProcess> m_display; ///< An X server of its own, to be killed.
    std::unique_ptr<LiveRun> m_run;
    std::unique_ptr<QProcess> m_window;
};

void WindowFaultsTest::init()
{
    const QString program = QStandardPaths::findExecutable(u"Xvfb"_s);
    if (program.isEmpty())
        QSKIP("Xvfb is not installed");
    m_display = std::make_unique<QProcess>();
    m_display->start(program, {u"-displayfd"_s, u"1"_s, u"-nolisten"_s, u"tcp"_s});
    QTRY_VERIFY_WITH_TIMEOUT(m_display->canReadLine(), programLimitMs);
    const QString display = ':'_L1 + QString::fromUtf8(m_display->readLine().trimmed());

    m_run = std::make_unique<LiveRun>();
    m_window = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"DISPLAY"_s, display);
    environment.insert(u"QT_QPA_PLATFORM"_s, u"xcb"_s);
    environment.insert(u"XDG_CONFIG_HOME"_s, m_run->home().path("config"));
    environment.remove(u"WAYLAND_DISPLAY"_s);
    m_window->setProcessEnvironment(environment);
    m_window->start(buildPath("bin/rankdeck"), m_run->arguments());
    QVERIFY(m_run->isUp());
}

void WindowFaultsTest::cleanup()
{
    m_window.reset(); // Kills what is still there.
    m_run.reset();
    m_display.reset();
}

void WindowFaultsTest::killingTheWindowChangesNothing()
{
    m_window->kill();
    verifyThatTheRunGoesOn();
}

void WindowFaultsTest::losingTheXServerChangesNothing()
{
    m_display->kill();
    verifyThatTheRunGoesOn();
}

// As after ssh -X was interrupted: DISPLAY still names what the connection had.
void WindowFaultsTest::aDisplayThatIsGoneIsTold()
{
    m_window->kill();
    QVERIFY(m_window->waitForFinished(programLimitMs));
    m_display->kill();
    QVERIFY(m_display->waitForFinished());
    const QString launched = *findRun(u"last"_s);
    for (const QStringList &arguments : {QStringList(), m_run->arguments()}) {
        m_window->start(m_window->program(), arguments);
        QVERIFY(m_window->waitForFinished(programLimitMs));
        QCOMPARE(m_window->exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_window->exitCode(), 2);
        QCOMPARE(QString::fromUtf8(m_window->readAllStandardError()),
                 u"rankdeck: %1: the display does not answer. Log in with ssh -X, or use "
                 "rankdeckctl, which needs no display.\n"_s.arg(
                     m_window->processEnvironment().value(u"DISPLAY"_s)));
    }
    QCOMPARE(*findRun(u"last"_s), launched); // Nothing more was.
}

void WindowFaultsTest::helpNeedsNoDisplayAndNoRightOptions()
{
    m_window->kill();
    QVERIFY(m_window->waitForFinished(programLimitMs));
    m_display->kill();
    QVERIFY(m_display->waitForFinished());
    for (const char *line : {"-h", "msrun -h", "torchrun --nonsense --help", "--nonsense -h"}) {
        m_window->start(m_window->program(), QString::fromLatin1(line).split(' '_L1));
        QVERIFY(m_window->waitForFinished(programLimitMs));
        QCOMPARE(m_window->exitCode(), 0);
        QVERIFY2(m_window->readAllStandardOutput().startsWith("Usage: rankdeck "), line);
    }
}

} // namespace tst_windowfaults

RANKDECK_TEST(tst_windowfaults, WindowFaultsTest)
#include "tst_windowfaults.moc"
