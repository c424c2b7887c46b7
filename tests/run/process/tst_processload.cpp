#include "run/process/processload.h"
#include "run/process/processtree.h"
#include "support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <unistd.h>

namespace tst_processload
{

using namespace rankdeck;

namespace
{

constexpr int longest = 30000;

TreeRoot rootOf(const QProcess &process)
{
    const auto info = readProcess(static_cast<pid_t>(process.processId()));
    return {static_cast<pid_t>(process.processId()), info ? info->startTime : 0};
}

/// A shell that says when it is where the script says "ready".
void start(QProcess &process, const QString &script)
{
    process.start(u"/bin/sh"_s, {u"-c"_s, script});
    QTRY_VERIFY_WITH_TIMEOUT(process.canReadLine(), longest);
}

void end(QProcess &process)
{
    for (const ProcessInfo &below : descendants(static_cast<pid_t>(process.processId())))
        ::kill(below.pid, SIGKILL);
    process.kill();
    QVERIFY(process.waitForFinished(longest));
}

} // namespace

class ProcessLoadTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBusyTreeUsesACore();
    void whatIsWrittenIsCounted();
    void processesThatComeAndGoAreCounted();
    void anOrphanStaysInItsTree();
    void aStrangersPidIsNoRoot();
    void oneTreeBelowAnotherCountsOnItsOwn();
    void aRootThatComesLaterCountsOnItsOwn();
};

void ProcessLoadTest::aBusyTreeUsesACore()
{
    QProcess busy;
    start(busy, u"(while :; do :; done) & echo ready; wait"_s);
    QProcess idle;
    start(idle, u"sleep 1000 & sleep 1000 & echo ready; wait"_s);
    ProcessLoad sampler;
    const std::vector<TreeRoot> roots{rootOf(busy), rootOf(idle)};
    const auto first = sampler.sample(roots);
    QCOMPARE(first.size(), 2U);
    QVERIFY(first[0] && first[1]);
    QCOMPARE(first[0]->processes, 2);
    QCOMPARE(first[1]->processes, 3);
    QVERIFY(first[1]->residentBytes > 3 * 4096);
    QVERIFY(!first[0]->cpuPercent && !first[0]->readBytesPerSecond);
    // However little of the machine it gets, it gets more than one that sleeps.
    double most = 0;
    std::optional<double> asleep;
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
                                 const auto loads = sampler.sample(roots);
                                 most = std::max(most, loads[0]->cpuPercent.value_or(0));
                                 asleep = loads[1]->cpuPercent;
                                 return most > 5;
                             }()),
                             longest);
    QVERIFY(asleep);
    QVERIFY2(*asleep < most, qPrintable(QString::number(*asleep)));
    end(busy);
    end(idle);
}

void ProcessLoadTest::whatIsWrittenIsCounted()
{
    const QTemporaryDir folder;
    QProcess shell;
    start(shell, u"echo ready; read go; i=0; while [ $i -lt 100 ]; do printf %0100000d 0; "
                 "i=$((i+1)); done >'%1/file'; echo done; read stay"_s.arg(folder.path()));
    shell.readLine();
    ProcessLoad sampler;
    const std::vector<TreeRoot> roots{rootOf(shell)};
    sampler.sample(roots);
    const auto before = sampler.sample(roots);
    QVERIFY(before[0]);
    if (!before[0]->writtenBytesPerSecond)
        QSKIP("the kernel does not count what processes write");
    QCOMPARE(*before[0]->writtenBytesPerSecond, 0.0);
    shell.write("go\n");
    QTRY_VERIFY_WITH_TIMEOUT(shell.canReadLine(), longest);
    const auto after = sampler.sample(roots);
    QVERIFY(after[0] && after[0]->writtenBytesPerSecond);
    QFile io(u"/proc/%1/io"_s.arg(shell.processId()));
    QVERIFY(io.open(QIODevice::ReadOnly));
    // A file system in memory counts nothing as written.
    const bool isCounted = !io.readAll().contains("\nwrite_bytes: 0\n");
    QCOMPARE(*after[0]->writtenBytesPerSecond > 0, isCounted);
    QCOMPARE(sampler.sample(roots)[0]->writtenBytesPerSecond, 0.0);
    end(shell);
}

void ProcessLoadTest::processesThatComeAndGoAreCounted()
{
    QProcess shell;
    start(shell, u"echo ready; read a; sleep 1000 & echo ready; read b; kill $!; wait; echo ready; read c"_s);
    shell.readLine();
    ProcessLoad sampler;
    const std::vector<TreeRoot> roots{rootOf(shell)};
    QCOMPARE(sampler.sample(roots)[0]->processes, 1);
    shell.write("a\n");
    QTRY_VERIFY_WITH_TIMEOUT(shell.canReadLine(), longest);
    shell.readLine();
    QCOMPARE(sampler.sample(roots)[0]->processes, 2);
    shell.write("b\n");
    QTRY_VERIFY_WITH_TIMEOUT(shell.canReadLine(), longest);
    QCOMPARE(sampler.sample(roots)[0]->processes, 1);
    end(shell);
    QVERIFY(!sampler.sample(roots)[0]);
}

void ProcessLoadTest::anOrphanStaysInItsTree()
{
    QProcess shell;
    start(shell, u"exec 3<&0; (sleep 1000 & echo $!; read a <&3) & wait $!; echo orphan; read b"_s);
    const auto orphan = static_cast<pid_t>(shell.readLine().trimmed().toInt());
    ProcessLoad sampler;
    const std::vector<TreeRoot> roots{rootOf(shell)};
    QCOMPARE(sampler.sample(roots)[0]->processes, 3);
    shell.write("a\n");
    QTRY_VERIFY_WITH_TIMEOUT(shell.canReadLine(), longest);
    QVERIFY(readProcess(orphan)->parent != shell.processId());
    QCOMPARE(sampler.sample(roots)[0]->processes, 2);
    ::kill(orphan, SIGKILL);
    end(shell);
}

void ProcessLoadTest::aStrangersPidIsNoRoot()
{
    ProcessLoad sampler;
    const auto self = readProcess(getpid());
    QVERIFY(self);
    const auto loads =
        sampler.sample({{getpid(), self->startTime + 1}, {999999999, 1}, {getpid(), self->startTime}});
    QVERIFY(!loads[0] && !loads[1]);
}

void ProcessLoadTest::oneTreeBelowAnotherCountsOnItsOwn()
{
    QProcess shell;
    start(shell, u"sh -c 'sleep 1000 & wait' & echo $!; wait"_s);
    const auto inner = static_cast<pid_t>(shell.readLine().trimmed().toInt());
    QTRY_COMPARE_WITH_TIMEOUT(descendants(inner).size(), 1U, longest);
    ProcessLoad sampler;
    const std::vector<TreeRoot> roots{rootOf(shell), {inner, readProcess(inner)->startTime}};
    auto loads = sampler.sample(roots);
    QCOMPARE(loads[0]->processes, 1);
    QCOMPARE(loads[1]->processes, 2);
    // Asked for the outer one alone, all of them are below it.
    loads = sampler.sample({roots[0]});
    QCOMPARE(loads[0]->processes, 3);
    end(shell);
}

/// Ranks are found below a launcher that is sampled already.
void ProcessLoadTest::aRootThatComesLaterCountsOnItsOwn()
{
    QProcess launcher;
    start(launcher, u"(sh -c 'sleep 1000 & echo ready; wait') & wait"_s);
    ProcessLoad sampler;
    const TreeRoot top = rootOf(launcher);
    std::vector<ProcessInfo> below;
    auto sleeper = below.cend();
    const auto isAsleep = [&] { // Between fork and exec it is one more "sh".
        below = descendants(top.pid);
        sleeper = std::ranges::find(below, u"sleep"_s, &ProcessInfo::name);
        return sleeper != below.cend();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAsleep(), longest);
    const int all = sampler.sample({top})[0]->processes;
    const auto loads = sampler.sample({top, {sleeper->pid, sleeper->startTime}});
    QVERIFY(loads[0] && loads[1]);
    QCOMPARE(loads[0]->processes, all - 1);
    QCOMPARE(loads[1]->processes, 1);
    QVERIFY(loads[1]->residentBytes > 0);
    // The launcher was sampled before, and has used nothing since.
    QVERIFY(loads[0]->cpuPercent && *loads[0]->cpuPercent < 100);
    QVERIFY(!loads[1]->cpuPercent);
    end(launcher);
}

} // namespace tst_processload

RANKDECK_TEST(tst_processload, ProcessLoadTest)
#include "tst_processload.moc"
