#include "launch/options/launchers.h"
#include "launch/planning/planners.h"
#include "launch/planning/pythonfunction.h"
#include "launch/planning/torchrunrules.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace tst_torchrunrules
{

using namespace rankdeck;

/// What torchrun's options mean on a node.
class TorchrunRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreCounted_data();
    void ranksAreCounted();
    void whatCannotBeCountedIsRefused_data();
    void whatCannotBeCountedIsRefused();
    void aStandaloneLaunchGetsAFreePort();
    void eachRankSeesItsOwnNpu();
    void ranksAreBoundToWhatIsNear_data();
    void ranksAreBoundToWhatIsNear();
    void aBindingThatCannotBeIsRefused_data();
    void aBindingThatCannotBeIsRefused();
    void theKernelSaysWhichCpusAreNear();
    void prefixesAreFilledIn_data();
    void prefixesAreFilledIn();
    void prefixesComeFromOptionsAndVariables();
    void onlyChosenRanksArePrinted();
    void aFunctionIsCalledByPython();

private:
    static HostFacts facts()
    {
        HostFacts facts;
        facts.hostName = u"box"_s;
        facts.currentDirectory = u"/home/user"_s;
        facts.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
        facts.onlineCpus = 8;
        facts.cpuLayout.numaNodes = {{0, 1, 2, 3}, {4, 5, 6, 7}};
        facts.cpuLayout.sockets = {{0, 1, 2, 3, 4, 5, 6, 7}};
        facts.cpuLayout.coreComplexes = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
        return facts;
    }
    static Result<LaunchPlan> planOf(const QString &line, const HostFacts &host = facts())
    {
        const auto spec = launcherCommandLine(u"processes"_s)->parse(line.split(' '_L1));
        return spec ? planProcesses(*spec, host) : Result<LaunchPlan>(spec.error());
    }
    static LaunchPlan made(const QString &line, const HostFacts &host = facts())
    {
        const auto plan = planOf(line, host);
        if (!plan)
            qWarning("%s", qPrintable(plan.error().sentence()));
        return plan ? *plan : LaunchPlan();
    }
};

void TorchrunRulesTest::ranksAreCounted_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("npus");
    QTest::addColumn<QString>("visible");
    QTest::addColumn<int>("ranks");
    const auto row = [](const char *word, int npus, const char *visible, int ranks) {
        QTest::addRow("%s %d %s", word, npus, visible)
            << QString::fromLatin1(word) << npus << QString::fromLatin1(visible) << ranks;
    };
    row("auto", 0, "", 8);
    row("auto", 4, "", 4);
    row("auto", 4, "1,3", 2);
    row("cpu", 4, "", 8);
    row("gpu", 4, "", 4);
    row("npu", 16, "0,1,2", 3);
}

void TorchrunRulesTest::ranksAreCounted()
{
    QFETCH(QString, word);
    QFETCH(int, npus);
    QFETCH(QString, visible);
    HostFacts host = facts();
    host.npuCount = npus;
    if (!visible.isEmpty())
        host.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, visible);
    const LaunchPlan plan = made(u"--nproc-per-node=%1 -- x"_s.arg(word), host);
    QTEST(static_cast<int>(plan.processes.size()), "ranks");
    QCOMPARE(plan.worldSize(), static_cast<int>(plan.processes.size()));
    QVERIFY(!textsOf(plan.notes).filter(u"--nproc %1 means"_s.arg(word)).isEmpty());
}

void TorchrunRulesTest::whatCannotBeCountedIsRefused_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("where");
    QTest::newRow("no NPU") << "--nproc gpu -- x"
                            << "--nproc";
    QTest::newRow("no NPU here") << "--nproc npu -- x"
                                 << "--nproc";
    QTest::newRow("other machines") << "--nproc cpu --nodes a,b -- x"
                                    << "--nproc";
    QTest::newRow("two nodes alone") << "--standalone --nnodes 2 -- x"
                                     << "--standalone";
}

void TorchrunRulesTest::whatCannotBeCountedIsRefused()
{
    QFETCH(QString, line);
    const auto plan = planOf(line);
    QVERIFY(!plan);
    QTEST(plan.error().where, "where");
}

void TorchrunRulesTest::aStandaloneLaunchGetsAFreePort()
{
    HostFacts host = facts();
    host.freePort = 4711;
    const LaunchPlan plan = made(u"--standalone --master-addr other --nproc 2 -- x"_s, host);
    for (const ProcessPlan &process : plan.processes) {
        QCOMPARE(process.setVariables.value(u"MASTER_ADDR"_s), u"127.0.0.1"_s);
        QCOMPARE(process.setVariables.value(u"MASTER_PORT"_s), u"4711"_s);
    }
}

void TorchrunRulesTest::eachRankSeesItsOwnNpu()
{
    const auto seen = [](const LaunchPlan &plan) {
        QStringList values;
        for (const ProcessPlan &process : plan.processes)
            values << process.setVariables.value(u"LOCAL_RANK"_s) + ':'_L1 +
                          process.setVariables.value(u"ASCEND_RT_VISIBLE_DEVICES"_s);
        return values.join(' '_L1);
    };
    const QString line = u"--virtual-local-rank --nproc 2 -- x"_s;
    QCOMPARE(seen(made(line)), u"0:0 0:1"_s);
    HostFacts host = facts();
    host.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, u"4,6,7"_s);
    QCOMPARE(seen(made(line, host)), u"0:4 0:6"_s);
    host.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, u"4"_s);
    const auto plan = planOf(line, host);
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, u"--virtual-local-rank"_s);
}

void TorchrunRulesTest::ranksAreBoundToWhatIsNear_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("cpus");
    QTest::newRow("node") << "--numa-binding node --nproc 2"
                          << "0123 4567";
    QTest::newRow("node, shared") << "--numa-binding node --nproc 4"
                                  << "0123 0123 4567 4567";
    QTest::newRow("one rank") << "--numa-binding node --nproc 1"
                              << "0123";
    QTest::newRow("exclusive") << "--numa-binding exclusive --nproc 4"
                               << "01 23 45 67";
    QTest::newRow("exclusive, uneven") << "--numa-binding exclusive --nproc 3"
                                       << "01 23 4567";
    QTest::newRow("socket") << "--numa-binding socket --nproc 2"
                            << "01234567 01234567";
    QTest::newRow("core-complex") << "--numa-binding core-complex --nproc 4"
                                  << "01 23 45 67";
    QTest::newRow("core-complex, spread") << "--numa-binding core-complex --nproc 2"
                                          << "01 45";
}

void TorchrunRulesTest::ranksAreBoundToWhatIsNear()
{
    QFETCH(QString, options);
    QStringList shares;
    const LaunchPlan plan = made(options + u" -- x"_s);
    for (const ProcessPlan &process : plan.processes) {
        QString share;
        for (const int cpu : process.cpus)
            share += QString::number(cpu);
        shares << share;
    }
    QTEST(shares.join(' '_L1), "cpus");
}

void TorchrunRulesTest::aBindingThatCannotBeIsRefused_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("no such binding") << "--numa-binding near -- x";
    QTest::newRow("two bindings") << "--numa-binding node --bind-core True -- x";
}

void TorchrunRulesTest::aBindingThatCannotBeIsRefused()
{
    QFETCH(QString, line);
    const auto plan = planOf(line);
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, u"--numa-binding"_s);
}

void TorchrunRulesTest::theKernelSaysWhichCpusAreNear()
{
    const QTemporaryDir sys;
    const auto write = [&](const QString &path, const char *text) {
        QVERIFY(QDir().mkpath(sys.filePath(path.section('/'_L1, 0, -2))));
        QFile file(sys.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write(u"node/node0/cpulist"_s, "0-1\n");
    write(u"node/node1/cpulist"_s, "\n"); // Memory alone.
    write(u"node/node10/cpulist"_s, "3\n");
    write(u"node/node2/cpulist"_s, "2\n");
    for (int cpu = 0; cpu < 4; ++cpu) {
        write(u"cpu/cpu%1/topology/physical_package_id"_s.arg(cpu), cpu < 2 ? "0\n" : "36\n");
        write(u"cpu/cpu%1/cache/index3/shared_cpu_list"_s.arg(cpu), cpu < 3 ? "0-2\n" : "3\n");
    }
    const CpuLayout layout = CpuLayout::read(sys.path());
    QCOMPARE(layout.numaNodes, (QList<QList<int>>{{0, 1}, {2}, {3}}));
    QCOMPARE(layout.sockets, (QList<QList<int>>{{0, 1}, {2, 3}}));
    QCOMPARE(layout.coreComplexes, (QList<QList<int>>{{0, 1, 2}, {3}}));
    QCOMPARE(CpuLayout::read(sys.filePath(u"none"_s)), CpuLayout());
    HostFacts host = facts();
    host.cpuLayout = {};
    const LaunchPlan plan = made(u"--numa-binding node -- x"_s, host);
    QVERIFY(plan.processes.at(0).cpus.isEmpty());
    QCOMPARE(plan.notes.size(), 1);
}

void TorchrunRulesTest::prefixesAreFilledIn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("prefix");
    // As string.Template(…).safe_substitute() does it.
    QTest::newRow("torch's own") << ""
                                 << "[n1]:";
    QTest::newRow("all") << "[${role_name}${local_rank}/$rank]: "
                         << "[r1/5]: ";
    QTest::newRow("the host") << "${hostname}:$rank: "
                              << "host-1.lab:5: ";
    QTest::newRow("unknown") << "${host} $x1 "
                             << "${host} $x1 ";
    QTest::newRow("dollars") << "$$rank $ $"
                             << "$rank $ $";
    QTest::newRow("longer name") << "$rank_ ${rank}_"
                                 << "$rank_ 5_";
}

void TorchrunRulesTest::prefixesAreFilledIn()
{
    QFETCH(QString, text);
    QTEST(linePrefix(text, {u"n"_s, u"r"_s, 1, 5, u"host-1.lab"_s}), "prefix");
}

void TorchrunRulesTest::prefixesComeFromOptionsAndVariables()
{
    const auto prefix = [](const QString &line, const HostFacts &host = facts()) {
        return made(line, host).processes.at(0).consolePrefix;
    };
    HostFacts host = facts();
    host.environment.insert(u"TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"_s, u"[rank${rank}]: "_s);
    QCOMPARE(prefix(u"-- x"_s), u"[default0]:"_s);
    QCOMPARE(prefix(u"-- x"_s, host), u"[rank0]: "_s);
    QCOMPARE(prefix(u"--log-line-prefix-template <$rank> -- x"_s, host), u"<0>"_s);
    const auto spec = processesSpecFromJson(
        R"({"entrypoint": "x", "nprocs": 2, "name": "n", "log_line_prefixes": {"1": "[one]"}})");
    QVERIFY(spec);
    const auto plan = planProcesses(*spec, facts());
    QVERIFY(plan);
    QCOMPARE(plan->processes[0].consolePrefix, u"[n0]:"_s);
    QCOMPARE(plan->processes[1].consolePrefix, u"[one]"_s);
}

void TorchrunRulesTest::onlyChosenRanksArePrinted()
{
    const LaunchPlan plan = made(u"--local-ranks-filter 0,2 --nproc 3 --tee 3 -- x"_s);
    QCOMPARE(plan.processes[0].console, Streams::All);
    QCOMPARE(plan.processes[1].console, Streams::None);
    QCOMPARE(plan.processes[2].console, Streams::All);
    QVERIFY(plan.processes[1].logFile.endsWith("/1/stdout.log"_L1));
}

void TorchrunRulesTest::aFunctionIsCalledByPython()
{
    const auto spec = processesSpecFromJson(
        R"({"entrypoint": "pkg.train:main", "args": {"0": [1, "a"], "1": []}, "log_dir": "/l"})");
    QVERIFY(spec);
    const auto plan = planProcesses(*spec, facts());
    QVERIFY(plan);
    QCOMPARE(plan->name, u"train"_s);
    const QStringList &argv = plan->processes[0].argv;
    QCOMPARE(argv.mid(0, 2), (QStringList{u"python3"_s, u"-c"_s}));
    QCOMPARE(argv.mid(3), (QStringList{u"pkg.train:main"_s, u"[1, \"a\"]"_s}));
    QCOMPARE(plan->processes[1].argv.last(), u"[]"_s);
    QCOMPARE(plan->processes[1].setVariables.value(QLatin1String(returnFileVariable)),
             u"{run}/logs/rank-1.return.json"_s);
    QVERIFY(!made(u"-- x"_s).processes[0].setVariables.contains(QLatin1String(returnFileVariable)));
}

} // namespace tst_torchrunrules

RANKDECK_TEST(tst_torchrunrules, TorchrunRulesTest)
#include "tst_torchrunrules.moc"
