#include "run/record/runstate.h"
#include "support/liverun.h"
#include "support/testmain.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_faultsignals
{

using namespace rankdeck;

/// Signals that end or stop a process of a live run in other ways than SIGKILL does.
class FaultSignalsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = std::make_unique<LiveRun>(); }
    void cleanup() { m_run.reset(); }
    void aLostTerminalChangesNothing();
    void aStoppedAgentIsContinued();
    void aStoppedSupervisorIsContinued();
    void aStoppedAgentTearsDownWhenTheSupervisorIsKilled();
    void aStoppedGuardianIsContinued();
    void aStoppedGuardianAndSupervisorAreContinued();
    void whatIsStoppedIsContinuedForTheEnd();
    void aStoppedKeeperOfAKilledGuardianEnds();
    void aStoppedRankIsTornDown();
    void sigtermStopsTheRun_data();
    void sigtermStopsTheRun();
    void aSignalToTheAgentStopsTheRun_data();
    void aSignalToTheAgentStopsTheRun();

private:
    void stopAndVerify()
    {
        QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), LiveRun::limitMs);
        QCOMPARE(m_run->state().phase, RunPhase::Stopped);
        QCOMPARE(m_run->record().phase, RunPhase::Stopped);
    }

    std::unique_ptr<LiveRun> m_run;
};

void FaultSignalsTest::aLostTerminalChangesNothing()
{
    const QByteArrayList arguments = [this] {
        QByteArrayList bytes{buildPath("bin/rankdeckctl").toUtf8()};
        for (const QString &argument : m_run->arguments())
            bytes << QFile::encodeName(argument);
        return bytes;
    }();
    std::vector<char *> argv;
    for (const QByteArray &argument : arguments)
        argv.push_back(const_cast<char *>(argument.constData()));
    argv.push_back(nullptr);
    int terminal = -1;
    const pid_t launcher = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (launcher == 0) {
        execv(argv[0], argv.data());
        _exit(127);
    }
    QVERIFY(launcher > 0);
    QVERIFY(m_run->isUp());
    QCOMPARE(close(terminal), 0);
    int status = 0;
    const auto hasEnded = [&] {
        return waitpid(launcher, &status, WNOHANG) == launcher;
    };
    QVERIFY(QTest::qWaitFor(hasEnded, LiveRun::limitMs));
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    QVERIFY(m_run->goesOnWhole());
    stopAndVerify();
}

void FaultSignalsTest::aStoppedAgentIsContinued()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    QCOMPARE(::kill(m_run->agent(), SIGSTOP), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->journalSays(u"The agent of "_s), LiveRun::limitMs);
    QVERIFY(readProcess(m_run->agent())->state != 'T');
    QVERIFY(m_run->goesOnWhole());
    stopAndVerify();
}

void FaultSignalsTest::aStoppedSupervisorIsContinued()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    QCOMPARE(::kill(m_run->supervisor(), SIGSTOP), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->journalSays(u"The supervisor was paused"_s), LiveRun::limitMs);
    QVERIFY(readProcess(m_run->supervisor())->state != 'T');
    QVERIFY(m_run->goesOnWhole());
    stopAndVerify();
}

void FaultSignalsTest::aStoppedAgentTearsDownWhenTheSupervisorIsKilled()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    const pid_t agent = m_run->agent();
    const pid_t supervisor = m_run->supervisor();
    // Who is stopped continues nobody, and the agent cannot have ended before it is stopped.
    QCOMPARE(::kill(supervisor, SIGSTOP), 0);
    QCOMPARE(::kill(agent, SIGSTOP), 0);
    QCOMPARE(::kill(supervisor, SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), LiveRun::limitMs);
    QCOMPARE(m_run->record().phase, RunPhase::Lost);
}

void FaultSignalsTest::aStoppedGuardianIsContinued()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    const pid_t guardian = m_run->guardian();
    QCOMPARE(::kill(guardian, SIGSTOP), 0);
    QVERIFY(m_run->goesOnWhole());
    QVERIFY(readProcess(guardian)->state != 'T');
    stopAndVerify();
}

void FaultSignalsTest::aStoppedGuardianAndSupervisorAreContinued()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    for (const pid_t pid : {m_run->keeper(), m_run->guardian(), m_run->supervisor()})
        QCOMPARE(::kill(pid, SIGSTOP), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->journalSays(u"The supervisor was paused"_s), LiveRun::limitMs);
    QVERIFY(readProcess(m_run->guardian())->state != 'T');
    QVERIFY(m_run->goesOnWhole());
    stopAndVerify();
}

void FaultSignalsTest::whatIsStoppedIsContinuedForTheEnd()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    for (const pid_t pid : {m_run->keeper(), m_run->guardian(), m_run->supervisor(), m_run->agent()})
        QCOMPARE(::kill(pid, SIGSTOP), 0);
    stopAndVerify();
}

void FaultSignalsTest::aStoppedKeeperOfAKilledGuardianEnds()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    const pid_t keeper = m_run->keeper();
    QCOMPARE(::kill(keeper, SIGSTOP), 0);
    QCOMPARE(::kill(m_run->guardian(), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->journalSays(u"has lost its guardian"_s), LiveRun::limitMs);
    stopAndVerify();
    QTRY_VERIFY_WITH_TIMEOUT(!readProcess(keeper), LiveRun::limitMs);
}

void FaultSignalsTest::aStoppedRankIsTornDown()
{
    m_run->start();
    QVERIFY(m_run->isUp());
    // Stopping a rank is its user's affair, to look at it in a debugger.
    QCOMPARE(::kill(m_run->rank(4), SIGSTOP), 0);
    QTRY_COMPARE(readProcess(m_run->rank(4))->state, 'T');
    stopAndVerify();
}

void FaultSignalsTest::sigtermStopsTheRun_data()
{
    QTest::addColumn<bool>("toGuardian");
    QTest::addRow("to the supervisor") << false;
    QTest::addRow("to the guardian") << true;
}

void FaultSignalsTest::sigtermStopsTheRun()
{
    QFETCH(bool, toGuardian);
    m_run->start();
    QVERIFY(m_run->isUp());
    QCOMPARE(::kill(toGuardian ? m_run->guardian() : m_run->supervisor(), SIGTERM), 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), LiveRun::limitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Stopped);
    QVERIFY(m_run->journalSays(u"The supervisor got SIGTERM."_s));
    QCOMPARE(m_run->state().exitCode, 128 + SIGTERM);
}

void FaultSignalsTest::aSignalToTheAgentStopsTheRun_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<bool>("toRanksToo");
    QTest::addRow("SIGTERM") << SIGTERM << false;
    QTest::addRow("SIGINT") << SIGINT << false;
    QTest::addRow("as a node's shutdown") << SIGTERM << true;
}

void FaultSignalsTest::aSignalToTheAgentStopsTheRun()
{
    QFETCH(int, number);
    QFETCH(bool, toRanksToo);
    m_run->start();
    QVERIFY(m_run->isUp());
    const RunState before = m_run->state();
    QCOMPARE(::kill(m_run->agent(), number), 0);
    for (int rank = 0; toRanksToo && rank < LiveRun::ranks; ++rank)
        ::kill(pid_t(before.ranks[std::size_t(rank)].pid), number); // Gone already, or not.
    QTRY_VERIFY_WITH_TIMEOUT(m_run->alive().isEmpty(), LiveRun::limitMs);
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Stopped);
    QVERIFY(!state.failure);
    QCOMPARE(state.exitCode, 128 + SIGTERM);
    QVERIFY(m_run->journalSays(u" was asked to end (%1)."_s.arg(ExitStatus::signalName(number))));
}

} // namespace tst_faultsignals

RANKDECK_TEST(tst_faultsignals, FaultSignalsTest)
#include "tst_faultsignals.moc"
