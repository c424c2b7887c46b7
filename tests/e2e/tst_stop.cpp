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
        return ctl(QStringList{QStringLiteral("stop"), QStringLiteral("last")} + options);
    }
    /// Let the ranks that are left end with 0.
    void end() const
    {
        QFile file(m_home->path("end"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    RunState state() const
    {
        const auto directory = findRun(QStringLiteral("last"));
        const auto read = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return read ? *read : RunState();
    }
    int started() const { return state().count(RankPhase::Running); }
    pid_t childOf(int rank) const
    {
        return fileText(m_home->path(QStringLiteral("child.%1").arg(rank))).trimmed().toInt();
    }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(static_cast<pid_t>(pid));
        return process && process->state != 'Z';
    }
    bool areRanksReady() const
    {
        for (int rank = 0; rank < 4; ++rank) {
            if (!QFile::exists(m_home->path(QStringLiteral("ready.%1").arg(rank))))
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
        stop({QStringLiteral("--kill")});
    m_ctl.reset();
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void StopTest::launch(const QString &script, const QStringList &options)
{
    const QString rank = QStringLiteral("cd '%1'\n"
                                        "setsid sleep 1000 & echo $! > child.$RANK\n"
                                        "%2\n"
                                        "touch ready.$RANK\n"
                                        "while [ ! -e end ]; do sleep 0.02; done\n")
                             .arg(m_home->path(""), script);
    m_ctl = std::make_unique<QProcess>();
    m_ctl->start(buildPath("bin/rankdeckctl"),
                 QStringList{QStringLiteral("processes"), QStringLiteral("--nproc"), QStringLiteral("4"),
                             QStringLiteral("--master-port"), QString::number(freePort()),
                             QStringLiteral("--grace"), QStringLiteral("1")} +
                     options +
                     QStringList{QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"), rank});
    QTRY_VERIFY_WITH_TIMEOUT(areRanksReady() && started() == 4, limitMs);
}

void StopTest::aStoppedRankLeavesNothingAndTheOthersGoOn()
{
    launch();
    const Outcome outcome = stop({QStringLiteral("--rank"), QStringLiteral("2")});
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
    QVERIFY(run.notes.contains(QStringLiteral("Stop was requested for rank 2.")));
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
    launch(QStringLiteral("[ $RANK = 1 ] && trap '' TERM"));
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(stop({QStringLiteral("--rank=1")}).code, 0);
    QVERIFY(clock.elapsed() >= 1000);
    const RunState run = state();
    QCOMPARE(*run.ranks[1].status, (ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
    QCOMPARE(run.ranks[1].phase, RankPhase::Stopped);
    QCOMPARE(run.count(RankPhase::Running), 3);
}

void StopTest::aKilledRankHasNone()
{
    launch(QStringLiteral("trap '' TERM"), {QStringLiteral("--grace=3600")});
    QCOMPARE(stop({QStringLiteral("--rank"), QStringLiteral("0,3"), QStringLiteral("--kill")}).code, 0);
    const RunState run = state();
    QCOMPARE(run.count(RankPhase::Stopped), 2);
    QCOMPARE(run.count(RankPhase::Running), 2);
    QTRY_VERIFY(!isAlive(childOf(0)) && !isAlive(childOf(3)));
    end();
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGKILL);
}

void StopTest::aRankThatExitsWith0WhenAskedIsStoppedToo()
{
    launch(QStringLiteral("trap 'exit 0' TERM"));
    QCOMPARE(stop({QStringLiteral("--rank=1")}).code, 0);
    QCOMPARE(state().ranks[1].phase, RankPhase::Stopped);
    QVERIFY(state().ranks[1].status->isSuccess());
    end();
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGTERM);
}

void StopTest::aKillOvertakesAStop()
{
    launch(QStringLiteral("trap '' TERM"), {QStringLiteral("--grace=3600")});
    QProcess stopping;
    stopping.start(buildPath("bin/rankdeckctl"),
                   {QStringLiteral("stop"), QStringLiteral("last"), QStringLiteral("--rank=3")});
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks[3].stopRequested, limitMs);
    QVERIFY(!state().ranks[3].status);
    QCOMPARE(stop({QStringLiteral("--rank=3"), QStringLiteral("--kill")}).code, 0);
    QCOMPARE(outcomeOf(stopping).code, 0);
    QCOMPARE(state().count(RankPhase::Running), 3);
}

void StopTest::aFailureAfterAStopIsTheRunsFailure()
{
    launch(QStringLiteral("[ $RANK = 1 ] && trap 'exit 7' USR1"));
    QCOMPARE(stop({QStringLiteral("--rank=0")}).code, 0);
    ::kill(static_cast<pid_t>(state().ranks[1].pid), SIGUSR1);
    QCOMPARE(outcomeOf(*m_ctl).code, 7);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.failure->rank, Rank(1));
    QCOMPARE(run.ranks[0].phase, RankPhase::Stopped);
}

void StopTest::aStoppedRankIsNotStartedAnew()
{
    launch(QStringLiteral("[ $RANK = 1 ] && trap 'exit 7' USR1"), {QStringLiteral("--max-restarts=3")});
    QCOMPARE(stop({QStringLiteral("--rank=0")}).code, 0);
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
    const Outcome outcome = stop({QStringLiteral("--node"), state().plan->thisNode});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcomeOf(*m_ctl).code, 128 + SIGTERM);
    QCOMPARE(state().count(RankPhase::Stopped), 4);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void StopTest::stoppingWhatHasEndedSaysSo()
{
    launch();
    QCOMPARE(stop({QStringLiteral("--rank=0")}).code, 0);
    const Outcome again = stop({QStringLiteral("--rank=0")});
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
    const QString wait = QStringLiteral("while [ ! -e '%1/%2' ]; do sleep 0.02; done").arg(home);
    m_ctl->start(buildPath("bin/rankdeckctl"),
                 {QStringLiteral("processes"), QStringLiteral("--nproc=2"), QStringLiteral("--master-port"),
                  QString::number(freePort()), QStringLiteral("--before"),
                  QStringLiteral("sh -c \"%1\"").arg(wait.arg(QStringLiteral("hooked"))),
                  QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"),
                  wait.arg(QStringLiteral("end"))});
    QTRY_VERIFY_WITH_TIMEOUT(!state().notes.isEmpty(), limitMs); // The hook was started.
    QProcess stopping;
    stopping.start(buildPath("bin/rankdeckctl"),
                   {QStringLiteral("stop"), QStringLiteral("last"), QStringLiteral("--rank=1")});
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
    QTest::newRow("no such rank") << QStringList{QStringLiteral("--rank=4")}
                                  << QByteArray("--rank: this run started no rank 4 here");
    QTest::newRow("no number") << QStringList{QStringLiteral("--rank=a")}
                               << QByteArray("\"a\" does not name ranks");
    QTest::newRow("no node") << QStringList{QStringLiteral("--node=elsewhere")} << QByteArray("Its nodes: ");
    QTest::newRow("no scheduler") << QStringList{QStringLiteral("--scheduler")}
                                  << QByteArray("started no scheduler");
    QTest::newRow("two choices") << QStringList{QStringLiteral("--rank=0"), QStringLiteral("--node=x")}
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
