#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/saidsentences.h"
#include "support/testmain.h"

#include <csignal>
#include <memory>

namespace tst_stop
{

using namespace rankdeck;

/// Parts of a live run are ended on purpose while the others go on.
class StopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aStoppedRankLeavesNothingAndTheOthersGoOn();
    void aStoppedRankHasItsGrace();
    void aKilledRankHasNone();
    void aRankThatExitsWith0WhenAskedIsStoppedToo();
    void aKillOvertakesAStop();
    void aFailureAfterAStopIsTheRunsFailure();
    void aStoppedRankIsNotStartedAnew();
    void stoppingANodeStopsAllItsRanks();
    void stoppingWhatHasEndedSaysSo();
    void aRankWhoseHookStillRunsIsEndedOnceStarted();
    void badInputIsOneSentenceAndExitCode2_data();
    void badInputIsOneSentenceAndExitCode2();

private:
    static constexpr int limitMs = 20000;

    /// Four ranks that run `script` in a shell after each has started a child in a session of its own; they
    /// wait for end() afterwards.
    void launch(const QString &script = {}, const QStringList &options = {});
    Outcome stop(const QStringList &options) const
    {
        return ctl(QStringList{u"stop"_s, u"last"_s} + options);
    }
    /// Let the ranks that are left end with 0.
    void end() const
    {
        QFile file(m_home->path("end"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    RunState state() const
    {
        const auto directory = findRun(u"last"_s);
        const auto read = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return read ? *read : RunState();
    }
    int started() const { return state().count(RankPhase::Running); }
    pid_t childOf(int rank) const
    {
        return fileText(m_home->path(u"child.%1"_s.arg(rank))).trimmed().toInt();
    }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(static_cast<pid_t>(pid));
        return process && process->state != 'Z';
    }
    bool areRanksReady() const
    {
        for (int rank = 0; rank < 4; ++rank) {
            if (!QFile::exists(m_home->path(u"ready.%1"_s.arg(rank))))
                return false;
        }
        return true;
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<QProcess> m_ctl;
};

void StopTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void StopTest::cleanup()
{
    if (m_ctl)
        stop({u"--kill"_s});
    m_ctl.reset();
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void StopTest::launch(const QString &script, const QStringList &options)
{
    const QString rank = u"cd '%1'\n"
                         "setsid sleep 1000 & echo $! > child.$RANK\n"
                         "%2\n"
                         "touch ready.$RANK\n"
                         "while [ ! -e end ]; do sleep 0.02; done\n"_s.arg(m_home->path(""), script);
    m_ctl = std::make_unique<QProcess>();
    m_ctl->start(buildPath("bin/rankdeckctl"),
                 QStringList{u"processes"_s, u"--nproc"_s, u"4"_s, u"--master-port"_s,
                             QString::number(freePort()), u"--grace"_s, u"1"_s} +
                     options + QStringList{u"--"_s, u"sh"_s, u"-c"_s, rank});
    QTRY_VERIFY_WITH_TIMEOUT(areRanksReady() && started() == 4, limitMs);
}

void StopTest::aStoppedRankLeavesNothingAndTheOthersGoOn()
{
    launch();
    const Outcome outcome = stop({u"--rank"_s, u"2"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("proc-rank-2") && outcome.err.contains("SIGTERM"), outcome.err.constData());
    RunState run = state();
    QCOMPARE(run.ranks[2].phase, RankPhase::Stopped);
    QVERIFY(!isAlive(run.ranks[2].pid));
    QTRY_VERIFY(!isAlive(childOf(2)));
    for (const int rank : {0, 1, 3}) {
        QVERIFY(isAlive(run.ranks[static_cast<std::size_t>(rank)].pid));
        QVERIFY(isAlive(childOf(rank)));
    }
    QCOMPARE(run.phase, RunPhase::Running);
    QVERIFY(run.notes.contains(u"Stop was requested for rank 2."_s));
    verifySaid(run.directory);

    end();
    const Outcome whole = outcomeOf(*m_ctl);
    QCOMPARE(whole.code, 128 + SIGTERM);
    run = state();
    QCOMPARE(run.phase, RunPhase::Stopped);
    QCOMPARE(run.count(RankPhase::Exited), 3);
    QVERIFY(!run.failure);
}

void StopTest::aStoppedRankHasItsGrace()
{
    launch(u"[ $RANK = 1 ] && trap '' TERM"_s);
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(stop({u"--rank=1"_s}).code, 0);
    QVERIFY(clock.elapsed() >= 1000);
    const RunState run = state();
    QCOMPARE(*run.ranks[1].status, (ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
    QCOMPARE(run.ranks[1].phase, RankPhase::Stopped);
    QCOMPARE(run.count(RankPhase::Running), 3);
}

void StopTest::aKilledRankHasNone()
{
    launch(u"trap '' TERM"_s, {u"--grace=3600"_s});
    QCOMPARE(stop({u"--rank"_s, u"0,3"_s, u"--kill"_s}).code, 0);
    const RunState run = state();
    QCOMPARE(run.count(RankPhase::Stopped), 2);
    QCOMPARE(run.count(RankPhase::Running), 2);
    QTRY_VERIFY(!isAlive(childOf(0)) && !isAlive(childOf(3)));
    end();
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGKILL);
}

void StopTest::aRankThatExitsWith0WhenAskedIsStoppedToo()
{
    launch(u"trap 'exit 0' TERM"_s);
    QCOMPARE(stop({u"--rank=1"_s}).code, 0);
    QCOMPARE(state().ranks[1].phase, RankPhase::Stopped);
    QVERIFY(state().ranks[1].status->isSuccess());
    end();
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGTERM);
}

void StopTest::aKillOvertakesAStop()
{
    launch(u"trap '' TERM"_s, {u"--grace=3600"_s});
    QProcess stopping;
    stopping.start(buildPath("bin/rankdeckctl"), {u"stop"_s, u"last"_s, u"--rank=3"_s});
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[3].stopRequested, limitMs);
    QVERIFY(!state().ranks[3].status);
    QCOMPARE(stop({u"--rank=3"_s, u"--kill"_s}).code, 0);
    QCOMPARE(outcomeOf(stopping).code, 0);
    QCOMPARE(state().count(RankPhase::Running), 3);
}

void StopTest::aFailureAfterAStopIsTheRunsFailure()
{
    launch(u"[ $RANK = 1 ] && trap 'exit 7' USR1"_s);
    QCOMPARE(stop({u"--rank=0"_s}).code, 0);
    ::kill(static_cast<pid_t>(state().ranks[1].pid), SIGUSR1);
    QCOMPARE(outcomeOf(*m_ctl).code, 7);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.failure->rank, Rank(1));
    QCOMPARE(run.ranks[0].phase, RankPhase::Stopped);
}

void StopTest::aStoppedRankIsNotStartedAnew()
{
    launch(u"[ $RANK = 1 ] && trap 'exit 7' USR1"_s, {u"--max-restarts=3"_s});
    QCOMPARE(stop({u"--rank=0"_s}).code, 0);
    QCOMPARE(state().attempt, 0);
    QCOMPARE(state().count(RankPhase::Running), 3);
    // Nor is it when another one fails, as may well be for want of the stopped one.
    ::kill(static_cast<pid_t>(state().ranks[1].pid), SIGUSR1);
    QCOMPARE(outcomeOf(*m_ctl).code, 7);
    QCOMPARE(state().attempt, 0);
    QCOMPARE(state().phase, RunPhase::Failed);
}

void StopTest::stoppingANodeStopsAllItsRanks()
{
    launch();
    const Outcome outcome = stop({u"--node"_s, state().plan->thisNode});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGTERM);
    QCOMPARE(state().count(RankPhase::Stopped), 4);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void StopTest::stoppingWhatHasEndedSaysSo()
{
    launch();
    QCOMPARE(stop({u"--rank=0"_s}).code, 0);
    const Outcome again = stop({u"--rank=0"_s});
    QCOMPARE(again.code, 0);
    QVERIFY2(again.err.contains("had ended already: SIGTERM"), again.err.constData());
    end();
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), limitMs);
    const Outcome whole = stop({});
    QCOMPARE(whole.code, 0);
    QCOMPARE(linesOf(whole.err).size(), 1);
    QVERIFY2(whole.err.contains("had ended already"), whole.err.constData());
}

void StopTest::aRankWhoseHookStillRunsIsEndedOnceStarted()
{
    m_ctl = std::make_unique<QProcess>();
    const QString home = m_home->path("");
    const QString wait = u"while [ ! -e '%1/%2' ]; do sleep 0.02; done"_s.arg(home);
    m_ctl->start(buildPath("bin/rankdeckctl"),
                 {u"processes"_s, u"--nproc=2"_s, u"--master-port"_s, QString::number(freePort()),
                  u"--before"_s, u"sh -c \"%1\""_s.arg(wait.arg(u"hooked"_s)), u"--"_s, u"sh"_s, u"-c"_s,
                  wait.arg(u"end"_s)});
    QTRY_VERIFY_WITH_TIMEOUT(!state().notes.isEmpty(), limitMs); // The hook was started.
    QProcess stopping;
    stopping.start(buildPath("bin/rankdeckctl"), {u"stop"_s, u"last"_s, u"--rank=1"_s});
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[1].stopRequested, limitMs);
    QVERIFY(QFile(m_home->path("hooked")).open(QIODevice::WriteOnly));
    QCOMPARE(outcomeOf(stopping).code, 0);
    QCOMPARE(state().ranks[1].phase, RankPhase::Stopped);
    QTRY_COMPARE(state().ranks[0].phase, RankPhase::Running);
    end();
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGTERM);
}

void StopTest::badInputIsOneSentenceAndExitCode2_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no such rank") << QStringList{u"--rank=4"_s}
                                  << QByteArray("--rank: this run started no rank 4 here");
    QTest::newRow("no number") << QStringList{u"--rank=a"_s} << QByteArray("\"a\" does not name ranks");
    QTest::newRow("no node") << QStringList{u"--node=elsewhere"_s} << QByteArray("Its nodes: ");
    QTest::newRow("no scheduler") << QStringList{u"--scheduler"_s} << QByteArray("started no scheduler");
    QTest::newRow("two choices") << QStringList{u"--rank=0"_s, u"--node=x"_s}
                                 << QByteArray("cannot be combined");
}

void StopTest::badInputIsOneSentenceAndExitCode2()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, words);
    launch();
    const Outcome outcome = stop(options);
    verifyOneSentence(outcome, words);
    QCOMPARE(started(), 4);
}

} // namespace tst_stop

RANKDECK_TEST(tst_stop, StopTest)
#include "tst_stop.moc"
