#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/manynodes.h"
#include "support/programs.h"
#include "support/testmain.h"
#include "support/toldevents.h"

#include <QScopeGuard>
#include <QSet>

#include <csignal>

namespace tst_manynodes
{

using namespace rankdeck;

/// A run of many nodes, its ranks real processes, an agent for every node. With a window beside it:
/// bench_largerun.
class ManyNodesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyRunAtOnceAndNothingIsLeft();
    void everyNodesAgentDumpsItsStacks();

private:
#ifdef __SANITIZE_ADDRESS__
    static constexpr int nodes = 16; // Every agent then takes tens of megabytes.
#else
    static constexpr int nodes = 128;
#endif
    static constexpr int ranks = 8;

    static RunState stateOf(const QString &directory)
    {
        const auto state = RunReader(directory).open();
        return state ? *state : RunState();
    }
};

void ManyNodesTest::theyRunAtOnceAndNothingIsLeft()
{
    const TestHome home;
    const auto killAll = qScopeGuard([&home] {
        for (const qint64 pid : processesOf(home.path("state")))
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    });
    const QString directory = makeManyNodes(nodes, ranks, 300);
    QProcess supervisor;
    superviseRun(supervisor, buildPath("bin/rankdeckctl"), directory);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(directory).count(RankPhase::Running), nodes * ranks, 60000);

    QSet<QString> seen;
    for (const auto &event : toldOf<events::AgentStarted>(journalOf(directory)))
        seen.insert(event.node);
    QCOMPARE(seen.size(), nodes);
    const LaunchPlan plan = *stateOf(directory).plan;
    for (const ProcessPlan &process : plan.processes)
        QTRY_COMPARE_WITH_TIMEOUT(fileText(process.logFile),
                                  "rank " + QByteArray::number(process.rank.value) + " is up\n", 30000);

    QTRY_VERIFY_WITH_TIMEOUT(ctl({u"list"_s}).out.contains("running"), 30000);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(supervisor.state() == QProcess::NotRunning, 60000);
    const RunState ended = stateOf(directory);
    QCOMPARE(ended.phase, RunPhase::Stopped);
    QCOMPARE(ended.count(RankPhase::Ended), nodes * ranks);
    QTRY_COMPARE_WITH_TIMEOUT(processesOf(home.path("state")), QList<qint64>(), 30000);
}

void ManyNodesTest::everyNodesAgentDumpsItsStacks()
{
    const TestHome home;
    const auto killAll = qScopeGuard([&home, path = qgetenv("PATH")] {
        qputenv("PATH", path);
        for (const qint64 pid : processesOf(home.path("state")))
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    });
    QVERIFY(QDir().mkpath(home.path("bin")));
    QFile tool(home.path("bin/gdb")); // Which agent called it stands in the file.
    QVERIFY(tool.open(QIODevice::WriteOnly) && tool.write("#!/bin/sh\necho \"#0 called by $PPID\"\n") > 0);
    QVERIFY(tool.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    tool.close();
    qputenv("PATH", (home.path("bin:") + qEnvironmentVariable("PATH")).toLocal8Bit());
    const QString directory = makeManyNodes(3, 4, 300);
    QProcess supervisor;
    superviseRun(supervisor, buildPath("bin/rankdeckctl"), directory);
    QTRY_COMPARE_WITH_TIMEOUT(stateOf(directory).count(RankPhase::Running), 12, 60000);
    const Outcome dumped = ctl({u"dump"_s, u"last"_s, u"--json"_s});
    QVERIFY2(dumped.code == 0, dumped.err.constData());
    const RunState run = stateOf(directory);
    QMap<QString, QSet<QByteArray>> callers;
    for (const StackDump &dump : run.dumps) {
        const QByteArray text = fileText(directory + '/'_L1 + dump.file);
        const ProcessPlan &process = run.plan->processes.at(std::size_t(dump.process));
        QVERIFY2(text.startsWith("rank " + QByteArray::number(process.rank.value) + ", process " +
                                 QByteArray::number(run.ranks.at(std::size_t(dump.process)).pid)),
                 text.constData());
        callers[process.node].insert(text.mid(text.indexOf("called by ")));
    }
    QCOMPARE(run.dumps.size(), 12);
    QCOMPARE(callers.size(), 3);
    QSet<QByteArray> all;
    for (const QSet<QByteArray> &ofNode : callers) {
        QCOMPARE(ofNode.size(), 1);
        all += ofNode;
    }
    QCOMPARE(all.size(), 3);
    QCOMPARE(ctl({u"stop"_s, u"last"_s, u"--kill"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(supervisor.state() == QProcess::NotRunning, 60000);
}

} // namespace tst_manynodes

RANKDECK_TEST(tst_manynodes, ManyNodesTest)
#include "tst_manynodes.moc"
