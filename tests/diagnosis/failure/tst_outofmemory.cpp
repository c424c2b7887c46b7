#include "diagnosis/failure/outofmemory.h"

#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/diagnose.h"
#include "run/record/runreader.h"
#include "support/memorycgroup.h"
#include "support/recordedrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QProcess>
#include <QTest>

#include <memory>

namespace tst_outofmemory
{

using namespace rankdeck;

namespace
{

const ExitStatus killed{ExitStatus::Kind::Signalled, SIGKILL};

RunEvent started(qint64 pid)
{
    return RunEvent::now(events::ProcessStarted{0, pid});
}

RunEvent ended(qint64 pid, const ExitStatus &status = killed)
{
    return RunEvent::now(events::ProcessExited{0, pid, status});
}

QByteArray kernelLine(qint64 pid)
{
    return "3,423,1266391880,-;Memory cgroup out of memory: Killed process " + QByteArray::number(pid) +
           " (python3) total-vm:211880kB, anon-rss:32512kB, file-rss:6656kB, UID:0 oom_score_adj:0\n";
}

} // namespace

/// Whether the end of a rank by SIGKILL was the kernel's for want of memory.
class OutOfMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theFileThatCountsIsFound_data();
    void theFileThatCountsIsFound();
    void theKernelNamesThePid();
    void whatNamesNoPidOfOursTellsNothing_data();
    void whatNamesNoPidOfOursTellsNothing();
    void aPidThatIsUsedAgainIsAnotherProcess();
    void aCountThatRoseTellsOfOneEndEach();
    void aCountTellsNothingWhereSomebodyMayHaveAsked();
    void aShellThatPassesItOnIsUnderstood();
    void otherEndsAreLeftAlone();
    void withoutAnythingToReadNothingIsTold();
    void theVerdictSaysSo();
    void theKernelIsUnderstoodWhereItKills();

private:
    QString file(const char *name) const { return m_home->path(name); }
    void append(const char *name, const QByteArray &text) const
    {
        QFile to(file(name));
        if (!to.open(QIODevice::Append) || to.write(text) != text.size())
            qFatal("%s cannot be written", name);
    }
    void setCount(int count) const
    {
        QFile to(file("events"));
        if (!to.open(QIODevice::WriteOnly))
            qFatal("the count cannot be written");
        to.write("low 0\nmax 12\noom 3\noom_kill " + QByteArray::number(count) + "\noom_group_kill 0\n");
    }
    /// What it says of an end; empty: nothing.
    static QString told(OutOfMemory &memory, RunEvent event, bool mayBeAsked = false)
    {
        memory.look(event, mayBeAsked);
        const auto status = event.status();
        return status ? status->outOfMemory : QString();
    }

    std::unique_ptr<TestHome> m_home;
};

void OutOfMemoryTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
}

void OutOfMemoryTest::theFileThatCountsIsFound_data()
{
    QTest::addColumn<QByteArray>("cgroups");
    QTest::addColumn<QByteArray>("mounts");
    QTest::addColumn<QString>("path");
    const QByteArray unified = "26 21 0:23 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    const QByteArray old = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
                           "32 31 0:29 / /sys/fs/cgroup/cpu rw shared:5 - cgroup cgroup rw,cpu\n"
                           "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
    QTest::newRow("v2") << QByteArray("0::/user.slice/session-2.scope\n") << unified
                        << u"/sys/fs/cgroup/user.slice/session-2.scope/memory.events"_s;
    QTest::newRow("v2 in a container")
        << QByteArray("0::/\n") << unified << u"/sys/fs/cgroup/memory.events"_s;
    QTest::newRow("v1") << QByteArray("4:memory:/jobs/a:b\n1:cpu:/\n0::/\n") << old
                        << u"/sys/fs/cgroup/memory/jobs/a:b/memory.oom_control"_s;
    QTest::newRow("v1 beside another controller")
        << QByteArray("4:cpu,memory:/\n")
        << QByteArray("35 31 0:32 / /mnt/cm rw - cgroup cgroup rw,cpu,memory\n")
        << u"/mnt/cm/memory.oom_control"_s;
    QTest::newRow("v1 in a container")
        << QByteArray("4:memory:/docker/abc\n")
        << QByteArray("35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n")
        << u"/sys/fs/cgroup/memory/memory.oom_control"_s;
    QTest::newRow("outside of what is mounted")
        << QByteArray("4:memory:/docker/abcd\n")
        << QByteArray("35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n")
        << QString();
    QTest::newRow("above what is seen") << QByteArray("0::/../other\n") << unified << QString();
    QTest::newRow("not mounted") << QByteArray("4:memory:/a\n") << unified << QString();
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QString();
}

void OutOfMemoryTest::theFileThatCountsIsFound()
{
    QFETCH(QByteArray, cgroups);
    QFETCH(QByteArray, mounts);
    QTEST(memoryCountFile(cgroups, mounts), "path");
}

void OutOfMemoryTest::theKernelNamesThePid()
{
    append("kmsg", "6,1,1,-;before\n");
    OutOfMemory memory({file("kmsg"), {}});
    QCOMPARE(told(memory, started(4711)), QString());
    append("kmsg",
           "6,2,2,-;oom-kill:constraint=CONSTRAINT_MEMCG,task=python3,pid=4711,uid=0\n SUBSYSTEM=x\n");
    append("kmsg", kernelLine(4711));
    const QString words = told(memory, ended(4711));
    QVERIFY2(words.startsWith("selected by the kernel's out-of-memory killer: Memory cgroup "
                              "out of memory: Killed process 4711 (python3)"_L1),
             qPrintable(words));
    ExitStatus status = killed;
    status.outOfMemory = words;
    QCOMPARE(describeExit(status), u"ended by signal 9 (SIGKILL); "_s + words);
    QCOMPARE(exitEntry(status), u"system-oom-killer"_s);
    // As the journal keeps it.
    const auto kept = RunEvent::fromLine(ended(4711, status).toLine());
    QVERIFY(kept);
    QCOMPARE(*kept->status(), status);
}

void OutOfMemoryTest::whatNamesNoPidOfOursTellsNothing_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("another pid") << QByteArray() << kernelLine(47110);
    QTest::newRow("before the run") << kernelLine(4711) << QByteArray();
    QTest::newRow("not the kernel") << QByteArray() << QByteArray("14,423,1,-;Killed process 4711 (a)\n");
    QTest::newRow("no record") << QByteArray() << QByteArray("Killed process 4711 (a)\n");
    QTest::newRow("unfinished") << QByteArray() << kernelLine(4711).chopped(1);
    QTest::newRow("other words") << QByteArray() << QByteArray("3,4,1,-;python3[4711]: segfault at 0\n");
}

void OutOfMemoryTest::whatNamesNoPidOfOursTellsNothing()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    append("kmsg", before);
    OutOfMemory memory({file("kmsg"), {}});
    told(memory, started(4711));
    append("kmsg", after);
    QCOMPARE(told(memory, ended(4711)), QString());
}

void OutOfMemoryTest::aPidThatIsUsedAgainIsAnotherProcess()
{
    append("kmsg", {});
    OutOfMemory memory({file("kmsg"), {}});
    append("kmsg", kernelLine(4711));
    told(memory, started(4711));
    QCOMPARE(told(memory, ended(4711)), QString());
}

void OutOfMemoryTest::aCountThatRoseTellsOfOneEndEach()
{
    setCount(2);
    OutOfMemory memory({{}, file("events")});
    QCOMPARE(told(memory, ended(1)), QString());
    setCount(3);
    const QString words = told(memory, ended(2));
    QVERIFY2(words.contains(u"oom_kill in %1 rose from 2 to 3"_s.arg(file("events"))), qPrintable(words));
    QCOMPARE(told(memory, ended(3)), QString());
    setCount(4);
    QVERIFY(told(memory, ended(4)).contains("rose from 3 to 4"_L1));
}

void OutOfMemoryTest::aCountTellsNothingWhereSomebodyMayHaveAsked()
{
    setCount(0);
    append("kmsg", {});
    OutOfMemory memory({file("kmsg"), file("events")});
    setCount(1);
    QCOMPARE(told(memory, ended(1), true), QString());
    append("kmsg", kernelLine(2));
    QVERIFY(!told(memory, ended(2), true).isEmpty());
}

void OutOfMemoryTest::aShellThatPassesItOnIsUnderstood()
{
    setCount(0);
    OutOfMemory memory({{}, file("events")});
    setCount(1);
    RunEvent event = ended(1, {ExitStatus::Kind::Exited, 128 + SIGKILL});
    memory.look(event, false);
    const QString words = describeExit(*event.status());
    QVERIFY2(words.startsWith("exit code 137: "_L1) && words.endsWith("rose from 0 to 1"_L1),
             qPrintable(words));
    QCOMPARE(exitEntry(*event.status()), u"system-oom-killer"_s);
    QCOMPARE(*RunEvent::fromLine(event.toLine())->status(), *event.status());
}

void OutOfMemoryTest::otherEndsAreLeftAlone()
{
    setCount(0);
    append("kmsg", {});
    OutOfMemory memory({file("kmsg"), file("events")});
    setCount(9);
    append("kmsg", kernelLine(1));
    QCOMPARE(told(memory, ended(1, {ExitStatus::Kind::Exited, 1})), QString());
    QCOMPARE(told(memory, ended(1, {ExitStatus::Kind::Signalled, SIGTERM})), QString());
    QCOMPARE(told(memory, RunEvent::now(events::NodeDone())), QString());
}

void OutOfMemoryTest::withoutAnythingToReadNothingIsTold()
{
    OutOfMemory nowhere({{}, {}});
    QCOMPARE(told(nowhere, ended(1)), QString());
    OutOfMemory missing({file("no-kmsg"), file("no-events")});
    QCOMPARE(told(missing, ended(1)), QString());
    setCount(1);
    OutOfMemory gone({{}, file("events")});
    QVERIFY(QFile::remove(file("events")));
    QCOMPARE(told(gone, ended(1)), QString());
}

void OutOfMemoryTest::theVerdictSaysSo()
{
    RecordedRun run;
    run.startAll();
    run.print(2, "[ERROR] something was not as it should be\n");
    ExitStatus status = killed;
    status.outOfMemory = u"selected by the kernel's out-of-memory killer: Killed process 1002"_s;
    run.fail(2, status);
    run.finish(RunPhase::Failed, 137);
    const auto state = RunReader(run.directory()).open();
    QVERIFY(state);
    QCOMPARE(*state->ranks[2].status, status);
    const Verdict verdict = diagnose(*state);
    QCOMPARE(verdict.rank, Rank(2));
    QCOMPARE(verdict.causeId, u"system-oom-killer"_s);
    QCOMPARE(verdict.known.id, verdict.causeId);
    QCOMPARE(verdict.cause, describeExit(status));
    QVERIFY(!verdict.evidence.empty());
    QCOMPARE(verdict.evidence.front().text, describeExit(status));
    QCOMPARE(verdict.evidence.front().entryId, verdict.causeId);
    QCOMPARE(std::count_if(verdict.evidence.begin(), verdict.evidence.end(),
                           [&](const auto &each) { return each.text == describeExit(status); }),
             1);
}

void OutOfMemoryTest::theKernelIsUnderstoodWhereItKills()
{
    const MemoryCgroup cgroup(32 << 20);
    if (!cgroup.isThere())
        QSKIP("a test may not make a memory cgroup here");
    OutOfMemoryPlaces places = OutOfMemoryPlaces::ofThisProcess();
    places.countedFile = cgroup.countedFile();
    OutOfMemory counted({{}, places.countedFile});
    OutOfMemory named({places.kernelLog, {}});
    QStringList command = cgroup.with({u"python3"_s, u"-c"_s, u"bytearray(300_000_000)"_s});
    QProcess process;
    process.start(command.takeFirst(), command);
    QVERIFY(process.waitForStarted());
    const qint64 pid = process.processId();
    told(named, started(pid));
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QVERIFY(told(counted, ended(pid)).contains("rose from 0 to 1"_L1));
    if (places.kernelLog.isEmpty() || !QFileInfo(places.kernelLog).isReadable())
        QSKIP("the kernel log cannot be read here");
    const QString words = told(named, ended(pid));
    QVERIFY2(words.contains(u"Killed process %1 "_s.arg(pid)), qPrintable(words));
}

} // namespace tst_outofmemory

RANKDECK_TEST(tst_outofmemory, OutOfMemoryTest)
#include "tst_outofmemory.moc"
