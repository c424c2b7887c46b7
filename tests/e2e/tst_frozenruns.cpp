#include "run/record/runstate.h"
#include "support/liverun.h"
#include "support/steadyrun.h"
#include "support/testmain.h"

namespace tst_frozenruns
{

using namespace rankdeck;

/// Processes stand still for longer than any silence may last, as in a paused container, and go on.
class FrozenRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunOfThisNodeGoesOn();
    void aRunOfOtherNodesGoesOn();
    void aFrozenHeadBlamesNoRank();
    void aFrozenNodeBlamesNoRank();

private:
    bool startOverSsh();
    void verifyLost(const QString &reason) const;
    static QList<qint64> familyOf(qint64 pid);
    static void signalAll(const QList<qint64> &pids, int number);
    /// Waits: how long something stands still, or goes on, is what is tested here.
    static bool standStill(int ms)
    {
        const QDeadlineTimer end(ms);
        return QTest::qWaitFor([&] { return end.hasExpired(); }, ms + programLimitMs);
    }

    std::unique_ptr<RemoteRun> m_remote;
    std::unique_ptr<SteadyRun> m_run;
    std::unique_ptr<QProcess> m_ctl;
};

/// The process and those of the run above it. Who would continue another one comes first.
QList<qint64> FrozenRunsTest::familyOf(qint64 pid)
{
    QList<qint64> family;
    for (auto process = readProcess(pid_t(pid)); process; process = readProcess(process->parent)) {
        const bool isOurs = process->name.startsWith("rankdeck"_L1) || process->name == "sh"_L1 ||
                            process->name.startsWith("ssh"_L1);
        if (!isOurs)
            break;
        family.prepend(process->pid);
    }
    return family;
}

void FrozenRunsTest::signalAll(const QList<qint64> &pids, int number)
{
    for (const qint64 pid : pids) // A rank's loop starts a sleep for each line: it may have ended by now.
        QVERIFY(::kill(pid_t(pid), number) == 0 || errno == ESRCH);
}

bool FrozenRunsTest::startOverSsh()
{
    m_run.reset();
    m_remote = std::make_unique<RemoteRun>();
    m_run = std::make_unique<SteadyRun>(*m_remote);
    m_ctl = std::make_unique<QProcess>();
    m_ctl->setStandardOutputFile(QProcess::nullDevice());
    if (!m_remote->startSsh())
        return false;
    m_ctl->start(buildPath("bin/rankdeckctl"), m_run->arguments(m_remote->nodeOptions()));
    return m_run->isUp();
}

void FrozenRunsTest::verifyLost(const QString &reason) const
{
    const RunState state = m_run->state();
    QCOMPARE(state.phase, RunPhase::Failed);
    QCOMPARE(state.failure->rank, Failure::noRank);
    QVERIFY2(state.failure->reason.text().contains(reason), qPrintable(state.failure->reason));
}

void FrozenRunsTest::aRunOfThisNodeGoesOn()
{
    LiveRun run;
    run.start();
    QVERIFY(run.isUp());
    QList<qint64> all = familyOf(run.agent());
    for (const qint64 pid : run.alive()) {
        if (!all.contains(pid))
            all << pid;
    }
    signalAll(all, SIGSTOP);
    QVERIFY(standStill(45000));
    signalAll(all, SIGCONT);
    QVERIFY(run.goesOnWhole());
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(run.alive().isEmpty(), programLimitMs);
    QCOMPARE(run.state().phase, RunPhase::Stopped);
}

void FrozenRunsTest::aRunOfOtherNodesGoesOn()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    QVERIFY(startOverSsh());
    QList<qint64> all = familyOf(m_run->client("alpha"));
    all << m_run->client("beta");
    for (int rank = 0; rank < SteadyRun::ranks; ++rank) {
        for (const qint64 pid : familyOf(m_run->rank(rank))) {
            if (!all.contains(pid))
                all << pid;
        }
    }
    signalAll(all, SIGSTOP);
    QVERIFY(standStill(SteadyRun::nodeTimeout * 1500));
    QList<int> before;
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        before << m_run->lines(rank);
    signalAll(all, SIGCONT);
    // For longer than the limit.
    QVERIFY(standStill(SteadyRun::nodeTimeout * 1500));
    for (int rank = 0; rank < SteadyRun::ranks; ++rank)
        QTRY_VERIFY_WITH_TIMEOUT(m_run->lines(rank) > before[rank] + SteadyRun::nodeTimeout, programLimitMs);
    QVERIFY(!m_run->hasEnded());
    m_run->finish();
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    QCOMPARE(m_run->state().phase, RunPhase::Succeeded);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), programLimitMs);
}

void FrozenRunsTest::aFrozenHeadBlamesNoRank()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    QVERIFY(startOverSsh());
    const QList<qint64> head = familyOf(m_run->client("alpha")) + QList<qint64>{m_run->client("beta")};
    signalAll(head, SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->areGone({0, 1, 2, 3}), programLimitMs);
    signalAll(head, SIGCONT);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    verifyLost(u"ended its processes: no message from the supervisor for 6 s"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), programLimitMs);
}

void FrozenRunsTest::aFrozenNodeBlamesNoRank()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    QVERIFY(startOverSsh());
    QList<qint64> node = familyOf(m_run->rank(2));
    node << m_run->rank(3);
    signalAll(node, SIGSTOP);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->hasEnded(), programLimitMs);
    signalAll(node, SIGCONT);
    verifyLost(u"no answer for 6 s"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_run->isGone(), programLimitMs);
}

} // namespace tst_frozenruns

RANKDECK_TEST(tst_frozenruns, FrozenRunsTest)
#include "tst_frozenruns.moc"
