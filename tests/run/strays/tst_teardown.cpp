#include "launch/plan/processplan.h"
#include "run/strays/leftovers.h"
#include "run/strays/strays.h"
#include "support/shellworkers.h"
#include "support/testmain.h"

#include <QScopeGuard>
#include <QStandardPaths>

#include <algorithm>

#include <sys/stat.h>

namespace tst_teardown
{

using namespace rankdeck;

/// However workers and what they started resist: in the end nothing is left of them, or it is named.
class TearDownTest : public ShellWorkers
{
    Q_OBJECT

    /// How many processes live that were started with the rank's variables, or without.
    int count(int rank, bool has) const
    {
        const ProcessPlan &plan = m_plan.processes[static_cast<std::size_t>(rank)];
        const auto all = descendants(getpid());
        return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const ProcessInfo &process) {
            return process.state != 'Z' && hasVariablesOf(plan, startEnvironment(process.pid)) == has;
        }));
    }
    /// Variables of a process cannot be seen while it loads its program; here, only rank 0 loads none.
    bool waitForOnlyRank0() const
    {
        return QTest::qWaitFor([&] { return count(0, false) == 0; }, 30000);
    }

private Q_SLOTS:
    void init() { reset(); }
    void aWorkerThatIgnoresSigtermIsKilledAfterTheGrace();
    void aStoppedWorkerIsTornDown();
    void grandchildrenInSessionsOfTheirOwnAreSwept();
    void aChildLeftByASuccessfulWorkerIsSwept();
    void withoutDestroyingAChildIsLeftAlone();
    void aStoppedProcessInASessionOfItsOwnIsTornDown();
    void whatIsStartedWhileDyingIsEndedToo();
    void aLoopOfForksIsEndedAfterTheGrace();
    void aChainOfForksIsCaught();
    void oneOfSeveralEndsWithWhatItStartsWhileDying();
    void oneOfSeveralThatForksInALoopIsEnded();
    void whatMayNotBeKilledIsNamedAndLeft();
    void whyAProcessSurvivesIsSaid_data();
    void whyAProcessSurvivesIsSaid();
};

void TearDownTest::aWorkerThatIgnoresSigtermIsKilledAfterTheGrace()
{
    m_plan.graceSeconds = 1;
    add(u"trap '' TERM; echo ready; while :; do sleep 100; done"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    QElapsedTimer elapsed;
    elapsed.start();
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(elapsed.elapsed() >= 1000);
    QVERIFY((*events<events::ProcessExited>().first().status ==
             ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
    QVERIFY(nothingIsLeft());
}

void TearDownTest::aStoppedWorkerIsTornDown()
{
    add(u"echo ready; kill -STOP $$; sleep 100"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY((*events<events::ProcessExited>().first().status ==
             ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}));
}

void TearDownTest::grandchildrenInSessionsOfTheirOwnAreSwept()
{
    add(u"(setsid sh -c 'trap \"\" HUP; echo child; sleep 1000' &) ; echo ready; sleep 1000"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    QVERIFY(waitForLog(0, "child"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
    QVERIFY(!events<events::Swept>().isEmpty());
}

void TearDownTest::aChildLeftByASuccessfulWorkerIsSwept()
{
    add(u"setsid sleep 1000 & exit 0"_s);
    start();
    QVERIFY(waitForEnd());
    QVERIFY(events<events::ProcessExited>().first().status->isSuccess());
    QVERIFY(nothingIsLeft());
}

void TearDownTest::withoutDestroyingAChildIsLeftAlone()
{
    m_plan.destroyWhenFinished = false;
    add(u"sleep 1000 & echo $!; exit 0"_s);
    start();
    QVERIFY(waitForEnd());
    const auto child = static_cast<pid_t>(log(0).trimmed().toInt());
    QVERIFY(child > 0);
    QVERIFY(readProcess(child));
    QVERIFY(events<events::Note>().last().text.text().contains(u"(pid %1) continues"_s.arg(child)));
    QCOMPARE(::kill(child, SIGKILL), 0);
    QTRY_VERIFY(readProcess(child)->state == 'Z');
    listStrays(Reach::Children, {});
    QVERIFY(nothingIsLeft());
}

void TearDownTest::aStoppedProcessInASessionOfItsOwnIsTornDown()
{
    add(u"(setsid sh -c 'echo child; kill -STOP $$; sleep 1000' &); sleep 1000"_s);
    start();
    QVERIFY(waitForLog(0, "child"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
}

void TearDownTest::whatIsStartedWhileDyingIsEndedToo()
{
    // Whoever looks only once, or only for its own children, leaves these.
    add(u"trap '(setsid sleep 1000 &); echo late; exit 0' TERM; echo ready; "
        "while :; do sleep 0.05; done"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY2(log(0).endsWith("late\n"), log(0)); // A shell may also say that its sleep was terminated.
    QVERIFY(nothingIsLeft());
}

void TearDownTest::aLoopOfForksIsEndedAfterTheGrace()
{
    m_plan.graceSeconds = 1;
    add(u"(setsid sh -c 'trap \"\" TERM; echo ready; for i in $(seq 5000); do (setsid sleep 60 &); done' &); "
        "sleep 1000"_s);
    start();
    QVERIFY(waitForLog(0, "ready"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
}

void TearDownTest::aChainOfForksIsCaught()
{
    // Each is gone before anybody has read all of /proc, but it is this program's child for a moment.
    add(QStringLiteral("exec python3 -c '\n"
                       "import os, time\n"
                       "end = time.monotonic() + 60\n" // Should nobody end it.
                       "print(\"ready\", flush=True)\n"
                       "while time.monotonic() < end:\n"
                       "    if os.fork():\n"
                       "        os._exit(0)\n"
                       "    os.setsid()\n"
                       "'"));
    start();
    QVERIFY(waitForEnd());
    QVERIFY(log(0).contains("ready"));
    QVERIFY(nothingIsLeft());
}

void TearDownTest::oneOfSeveralEndsWithWhatItStartsWhileDying()
{
    add(u"(setsid sleep 1000 &); echo ready; sleep 1000"_s);
    add(u"trap '(setsid sleep 1000 &); echo late; exit 0' TERM; echo ready; "
        "while :; do sleep 0.05; done"_s);
    start();
    QVERIFY(waitForLog(0, "ready") && waitForLog(1, "ready"));
    m_group->endWorkers({1}, false);
    QVERIFY(waitForOnlyRank0());
    QVERIFY2(log(1).endsWith("late\n"), log(1));
    QVERIFY(count(0, true) >= 2); // The shell and what it started.
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
}

void TearDownTest::oneOfSeveralThatForksInALoopIsEnded()
{
    m_plan.graceSeconds = 1;
    add(u"echo ready; exec sleep 1000"_s);
    add(u"trap '' TERM; (setsid sh -c 'trap \"\" TERM; echo ready; "
        "for i in $(seq 1000); do (setsid sleep 60 &); done' &); sleep 1000"_s);
    start();
    QVERIFY(waitForLog(0, "ready") && waitForLog(1, "ready"));
    m_group->endWorkers({1}, false);
    QVERIFY(waitForOnlyRank0());
    QCOMPARE(count(0, true), 1);
    m_group->kill();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
}

void TearDownTest::whatMayNotBeKilledIsNamedAndLeft()
{
    // A user's rank that has become another user's, as with sudo.
    if (geteuid() != 0)
        QSKIP("only root can make a program that changes its user");
    constexpr uid_t user = 65534;
    const QString program = m_home->filePath(u"setpriv"_s);
    if (!QFile::copy(QStandardPaths::findExecutable(u"setpriv"_s), program))
        QSKIP("setpriv (util-linux) is not installed");
    QCOMPARE(chmod(QFile::encodeName(program).constData(), 04755), 0);
    QCOMPARE(chown(QFile::encodeName(m_home->path()).constData(), user, user), 0);
    m_plan.graceSeconds = 0;
    add(u"exec ./setpriv --reuid 0 sh -c 'echo ready; exec sleep 1000'"_s);
    QCOMPARE(setresuid(user, user, 0), 0);
    const auto rootAgain = qScopeGuard([] { setresuid(0, 0, 0); });
    start();
    if (!waitForLog(0, "ready"))
        QSKIP("programs here cannot change their user");
    const auto rank = static_cast<pid_t>(events<events::ProcessStarted>().first().pid);
    m_group->kill();
    QVERIFY(waitForEnd());
    QVERIFY(!events<events::Survived>().isEmpty());
    QCOMPARE(events<events::Survived>().last().process, 0);
    const QString note = events<events::Survived>().last().text;
    QVERIFY2(note.contains(u"(pid %1) could not be killed: it runs as another user"_s.arg(rank)),
             qPrintable(note));
    QElapsedTimer elapsed;
    elapsed.start();
    m_group.reset();
    QVERIFY2(elapsed.elapsed() < 10000, "its end was waited for");
    QCOMPARE(setresuid(0, 0, 0), 0);
    QVERIFY(readProcess(rank));
    QCOMPARE(::kill(rank, SIGKILL), 0);
    QTRY_VERIFY(nothingIsLeft());
}

void TearDownTest::whyAProcessSurvivesIsSaid_data()
{
    QTest::addColumn<Survival>("survival");
    QTest::addColumn<QString>("sentence");
    QTest::addRow("another user's") << Survival{true, u"do_wait"_s, {}}
                                    << u"python3 (pid 4711) could not be killed: it runs as another user."_s;
    QTest::addRow("in the kernel, where") << Survival{false, u"nfs_wait_bit_killable"_s, {}}
                                          << u"python3 (pid 4711) could not be killed: it hangs in the "
                                             "kernel, in nfs_wait_bit_killable (state D)."_s;
    QTest::addRow("in the kernel") << Survival{false, u"0"_s, {}}
                                   << u"python3 (pid 4711) could not be killed: it hangs in the kernel "
                                      "(state D)."_s;
    QTest::addRow("with a device")
        << Survival{false, {}, {u"/dev/davinci3"_s, u"/dev/davinci4"_s}}
        << u"python3 (pid 4711) could not be killed: it hangs in the kernel (state D). It keeps "
           "/dev/davinci3, /dev/davinci4."_s;
}

void TearDownTest::whyAProcessSurvivesIsSaid()
{
    QFETCH(Survival, survival);
    QFETCH(QString, sentence);
    ProcessInfo process;
    process.pid = 4711;
    process.state = 'D';
    process.name = u"python3"_s;
    QCOMPARE(survivalText(process, survival), sentence);
}

} // namespace tst_teardown

RANKDECK_TEST(tst_teardown, TearDownTest)
#include "tst_teardown.moc"
