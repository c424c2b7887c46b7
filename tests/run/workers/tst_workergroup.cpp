#include "launch/plan/launchplan.h"
#include "run/record/runevent.h"
#include "support/shellworkers.h"
#include "support/testmain.h"

#include <cerrno>
#include <csignal>

#include <sys/ptrace.h>

namespace tst_workergroup
{

using namespace rankdeck;

/// How workers are started and what is told of them.
class WorkerGroupTest : public ShellWorkers
{
    Q_OBJECT

private Q_SLOTS:
    void init() { reset(); }
    void everyWorkerRunsInASessionOfItsOwnWithItsVariables();
    void exitCodesAndSignalsAreTold();
    void bothStreamsGoToTheLogInOrder();
    void standardInputIsEmpty();
    void aMissingProgramStartsNothingFurther();
    void aProgramThatCannotBeLoadedEndsThoseBesideIt();
    void theScratchDirectoryIsSharedAndRemoved();
    void workersOfOtherNodesAreLeftAlone();
    void aTracedWorkerIsNotToldWhileOurToolsLook();
    void aWorkerIsStartedAgainBehindItsLog();
    void theLastWorkerIsStartedAgainOnceItHasEnded();
    void aProgramThatIsGoneEndsNobodyElse();
    void nothingIsStartedAgainOnceTheEndHasBegun();
};

void WorkerGroupTest::everyWorkerRunsInASessionOfItsOwnWithItsVariables()
{
    for (int rank = 0; rank < 3; ++rank)
        add(u"echo rank $RANK_ID pid $$ session $(cut -d' ' -f6 /proc/$$/stat)"_s);
    start();
    QVERIFY(waitForEnd());
    const auto started = events<events::ProcessStarted>();
    QCOMPARE(started.size(), 3);
    for (const auto &event : started) {
        const QByteArray expected = "rank " + QByteArray::number(event.process) + " pid " +
                                    QByteArray::number(event.pid) + " session " +
                                    QByteArray::number(event.pid) + '\n';
        QCOMPARE(log(event.process), expected);
    }
}

void WorkerGroupTest::exitCodesAndSignalsAreTold()
{
    add(u"exit 7"_s);
    add(u"kill -SEGV $$"_s);
    add(u"exit 0"_s);
    start();
    QVERIFY(waitForEnd());
    QMap<int, ExitStatus> statuses;
    for (const auto &event : events<events::ProcessExited>())
        statuses.insert(event.process, *event.status);
    QVERIFY((statuses[0] == ExitStatus{ExitStatus::Kind::Exited, 7}));
    QVERIFY((statuses[1] == ExitStatus{ExitStatus::Kind::Signalled, SIGSEGV}));
    QVERIFY(statuses[2].isSuccess());
}

void WorkerGroupTest::bothStreamsGoToTheLogInOrder()
{
    add(u"echo one; echo two >&2; echo three"_s);
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(log(0), QByteArray("one\ntwo\nthree\n"));
}

void WorkerGroupTest::standardInputIsEmpty()
{
    add(u"read line && echo got $line || echo nothing"_s);
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(log(0), QByteArray("nothing\n"));
}

void WorkerGroupTest::aMissingProgramStartsNothingFurther()
{
    add(u"sleep 1000"_s);
    add(u"true"_s);
    m_plan.processes[1].argv = {u"no-such-program"_s};
    add(u"sleep 1000"_s);
    start();
    QVERIFY(waitForEnd());
    const auto notStarted = events<events::ProcessNotStarted>();
    QCOMPARE(notStarted.size(), 1);
    QCOMPARE(notStarted.first().process, 1);
    QVERIFY((*notStarted.first().status == ExitStatus{ExitStatus::Kind::NotStarted, ENOENT}));
    QCOMPARE(events<events::ProcessStarted>().size(), 1);
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::aProgramThatCannotBeLoadedEndsThoseBesideIt()
{
    // It may be executed, so only the attempt shows that its interpreter is missing, when others start
    // already.
    QFile script(m_home->filePath(u"script"_s));
    QVERIFY(script.open(QIODevice::WriteOnly) && script.write("#!/no/such/interpreter\n") > 0);
    script.close();
    QVERIFY(script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    for (int rank = 0; rank < 4; ++rank)
        add(u"sleep 60"_s);
    m_plan.processes[1].argv = {script.fileName()};
    start();
    QVERIFY(waitForEnd());
    const auto notStarted = events<events::ProcessNotStarted>();
    QCOMPARE(notStarted.size(), 1);
    QCOMPARE(notStarted.first().process, 1);
    QVERIFY2(notStarted.first().text.text().contains(script.fileName()), qPrintable(notStarted.first().text));
    QCOMPARE(events<events::ProcessExited>().size(), events<events::ProcessStarted>().size());
    const auto swept = events<events::Swept>();
    QVERIFY2(swept.isEmpty(), swept.isEmpty() ? "" : qPrintable(swept.first().text));
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::theScratchDirectoryIsSharedAndRemoved()
{
    m_plan.scratch = ScratchDirectory{u"CACHE"_s, {u"/no/such/place"_s, m_home->path()}};
    add(u"touch $CACHE/x; echo $CACHE"_s);
    add(u"echo $CACHE"_s);
    start();
    QVERIFY(waitForEnd());
    const QString path = QString::fromUtf8(log(0).trimmed());
    QVERIFY(path.startsWith(m_home->path()));
    QCOMPARE(log(1), log(0));
    QVERIFY(!QDir(path).exists());
}

void WorkerGroupTest::workersOfOtherNodesAreLeftAlone()
{
    add(u"echo here"_s);
    add(u"echo there"_s, "there");
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(events<events::ProcessStarted>().size(), 1);
}

void WorkerGroupTest::aTracedWorkerIsNotToldWhileOurToolsLook()
{
    for (int rank = 0; rank < 2; ++rank)
        add(u"sleep 1000"_s);
    start();
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessStarted>().size(), 2, 30000);
    const auto traced = static_cast<pid_t>(events<events::ProcessStarted>().at(0).pid);
    const auto paused = static_cast<pid_t>(events<events::ProcessStarted>().at(1).pid);
    m_group->setLookedAt(true);
    if (::ptrace(PTRACE_SEIZE, traced, nullptr, nullptr) != 0)
        QSKIP("this place permits no ptrace");
    QCOMPARE(::ptrace(PTRACE_INTERRUPT, traced, nullptr, nullptr), 0);
    QTRY_COMPARE_WITH_TIMEOUT(readProcess(traced)->state, 't', 30000);
    // The other one shows that all have been looked at, more than once.
    ::kill(paused, SIGSTOP);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessHeld>().size(), 1, 30000);
    ::kill(paused, SIGCONT);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessReleased>().size(), 1, 30000);
    QCOMPARE(events<events::ProcessHeld>().size(), 1);
    QCOMPARE(events<events::ProcessHeld>().first().pid, paused);
    m_group->setLookedAt(false);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessHeld>().size(), 2, 30000);
    QCOMPARE(events<events::ProcessHeld>().last().pid, traced);
    QCOMPARE(::ptrace(PTRACE_DETACH, traced, nullptr, nullptr), 0);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessReleased>().size(), 2, 30000);
    m_group->kill();
    QVERIFY(waitForEnd());
}

void WorkerGroupTest::aWorkerIsStartedAgainBehindItsLog()
{
    add(u"echo life; [ -e second ] || exit 5; sleep 1000"_s);
    add(u"sleep 1000"_s);
    start();
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessExited>().size(), 1, 60000);
    QFile second(m_home->filePath(u"second"_s));
    QVERIFY(second.open(QIODevice::WriteOnly));
    QVERIFY(!m_group->startAgain(2));
    QVERIFY(m_group->startAgain(0));
    QTRY_COMPARE_WITH_TIMEOUT(log(0), QByteArray("life\nlife\n"), 60000);
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessStarted>().size(), 3, 60000);
    const auto started = events<events::ProcessStarted>().last();
    QCOMPARE(started.process, 0);
    QCOMPARE(started.logged, QList<qint64>{5});
    QCOMPARE(m_group->pidOf(0), started.pid);
    m_group->kill();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::theLastWorkerIsStartedAgainOnceItHasEnded()
{
    add(u"trap 'sleep 0.2; echo saved; exit 0' TERM; echo life; while :; do sleep 0.02; done"_s);
    start();
    QVERIFY(waitForLog(0, "life"));
    QVERIFY(m_group->startAgain(0));
    QVERIFY(m_group->startAgain(0)); // Once is enough.
    const auto lives = [this] {
        return log(0).replace("Terminated\n", QByteArray()); // The shell may say so of its sleep.
    };
    QTRY_COMPARE_WITH_TIMEOUT(lives(), QByteArray("life\nsaved\nlife\n"), 60000);
    QVERIFY(!m_done);
    m_group->endWorkers({0}, true); // Its second life can be ended like the first.
    QVERIFY(waitForEnd());
    QCOMPARE(events<events::ProcessStarted>().size(), 2);
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::aProgramThatIsGoneEndsNobodyElse()
{
    QFile script(m_home->filePath(u"script"_s));
    QVERIFY(script.open(QIODevice::WriteOnly) && script.write("#!/bin/sh\nexit 5\n") > 0);
    script.close();
    QVERIFY(script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    add(QString());
    m_plan.processes[0].argv = {script.fileName()};
    add(u"sleep 1000"_s);
    start();
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessExited>().size(), 1, 60000);
    QVERIFY(script.remove());
    QVERIFY(m_group->startAgain(0));
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessNotStarted>().size(), 1, 60000);
    QVERIFY(m_group->pidOf(1) > 0);
    m_group->kill();
    QVERIFY(waitForEnd());
}

void WorkerGroupTest::nothingIsStartedAgainOnceTheEndHasBegun()
{
    add(u"exit 5"_s);
    add(u"trap '' TERM; echo up; while :; do sleep 0.02; done"_s);
    start();
    QVERIFY(waitForLog(1, "up"));
    QTRY_COMPARE_WITH_TIMEOUT(events<events::ProcessExited>().size(), 1, 60000);
    m_group->tearDown();
    QVERIFY(!m_group->startAgain(0));
    m_group->kill();
    QVERIFY(waitForEnd());
    QVERIFY(!m_group->startAgain(0));
    QCOMPARE(events<events::ProcessStarted>().size(), 2);
}

} // namespace tst_workergroup

RANKDECK_TEST(tst_workergroup, WorkerGroupTest)
#include "tst_workergroup.moc"
