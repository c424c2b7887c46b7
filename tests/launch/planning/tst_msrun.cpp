#include "base/fields.h"
#include "base/json.h"
#include "base/numberranges.h"
#include "launch/host/hostfacts.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/planning/planners.h"
#include "support/goldenplan.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_msrun
{

using namespace rankdeck;

namespace
{

QStringList words(const QString &text)
{
    return text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// A host of two addresses and eight cpus, with nothing set.
HostFacts quietHost()
{
    HostFacts facts;
    facts.hostName = QStringLiteral("node1");
    facts.currentDirectory = QStringLiteral("/home/user");
    facts.temporaryDirectory = QStringLiteral("/tmp");
    facts.addresses = {QStringLiteral("127.0.0.1"), QStringLiteral("192.0.2.1")};
    facts.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    facts.routes = {{QStringLiteral("node1"), {QStringLiteral("192.0.2.1"), QStringLiteral("192.0.2.1")}},
                    {QStringLiteral("node9"), {QStringLiteral("192.0.2.9"), QStringLiteral("192.0.2.1")}}};
    return facts;
}

Result<LaunchPlan> planOf(const QString &arguments, const HostFacts &facts = quietHost())
{
    const auto spec = launcherCommandLine(QStringLiteral("msrun"))->parse(words(arguments));
    return spec ? planMsrun(*spec, facts) : Result<LaunchPlan>(spec.error());
}

QString variable(const ProcessPlan &process, const char *name)
{
    return process.setVariables.value(QLatin1String(name), QStringLiteral("(not set)"));
}

} // namespace

class MsrunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePlanIsTheGoldenOne_data();
    void thePlanIsTheGoldenOne();
    void theSchedulerRunsWhereTheMasterIs_data();
    void theSchedulerRunsWhereTheMasterIs();
    void aLoopbackMasterOfSeveralNodesIsNoted_data();
    void aLoopbackMasterOfSeveralNodesIsNoted();
    void aLaterNodeWithALoopbackMasterStartsNoScheduler();
    void aNameThatWasNotLookedUpIsAnError();
    void withoutANodeRankTheRanksAreLeftToMindSpore();
    void aProgramOfMsrunsIsNotRunByPython_data();
    void aProgramOfMsrunsIsNotRunByPython();
    void aScriptIsRunByThePythonOfTheEnvironment();
    void whatAnEarlierLaunchLeftIsReplacedAndNamed();
    void extraVariablesWin();
    void faultToleranceAsksForRecovery_data();
    void faultToleranceAsksForRecovery();
    void aDryRunIsOneProcessUnlessAllAreAskedFor_data();
    void aDryRunIsOneProcessUnlessAllAreAskedFor();
    void aDryRunInTheEnvironmentCounts();
    void tooFewCpusBindNobody();
    void devicesWithoutCpusAreNamed();
    void namedWithoutCpusIsNotBound();
    void processesAreBoundToNumaNodes_data();
    void processesAreBoundToNumaNodes();
    void aNumaNodeThatIsNotHereIsRefused();
    void visibleDevicesNameTheProcesses();
    void memoryIsBoundToNumaNodes_data();
    void memoryIsBoundToNumaNodes();
    void aLogNameStaysInTheLogDirectory();
    void wrongValuesAreRefused_data();
    void wrongValuesAreRefused();
    void everyLauncherIsPlannedThroughOneFunction();
    void namesAreLookedUp();
    void aPlanSurvivesJson();
};

void MsrunTest::thePlanIsTheGoldenOne_data()
{
    QTest::addColumn<QString>("arguments");
    const auto row = [](const char *name, const char *arguments) {
        QTest::newRow(name) << QString::fromUtf8(arguments);
    };
    row("msrun_one_node", "--worker_num=2 --local_worker_num=2 train.py --epochs 3");
    row("msrun_two_nodes_master", "--worker_num=4 --local_worker_num=2 --node_rank=0 --master_addr=node1 "
                                  "--master_port=9000 --log_dir=output/msrun --cluster_time_out=7200 "
                                  "--rank_table_file=hccl.json train.py");
    row("msrun_two_nodes_other",
        "--worker_num=4 --local_worker_num=2 --node_rank=1 --master_addr=node9 train.py");
    row("msrun_bind_core_even", "--worker_num=3 --local_worker_num=3 --bind_core=True train.py");
    row("msrun_bind_core_by_device",
        "--worker_num=2 --local_worker_num=2 "
        "--bind_core={\"device0\":[\"0-1\",\"4-5\"],\"device1\":[\"2-3\"]} train.py");
    row("msrun_sim_level",
        "--worker_num=64 --local_worker_num=2 --sim_level=1 --sim_rank_id=-1 --node_rank=3 train.py");
    row("msrun_sim_rank_id", "--worker_num=64 --local_worker_num=64 --sim_level=0 --sim_rank_id=17 train.py");
    row("msrun_sim_too_many",
        "--worker_num=256 --local_worker_num=256 --sim_level=3 --sim_rank_id=-1 train.py");
    row("msrun_worker_log_name", "--worker_num=1 --local_worker_num=1 --worker_log_name=w_{ip}_{hostname}_x "
                                 "--tail_worker_log=7 --env=GLOG_v=1 pytest -s tests");
}

void MsrunTest::thePlanIsTheGoldenOne()
{
    QFETCH(QString, arguments);
    const auto plan = planOf(arguments);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    compareWithGolden(*plan, QString::fromUtf8(QTest::currentDataTag()));
}

void MsrunTest::theSchedulerRunsWhereTheMasterIs_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<bool>("isHere");
    QTest::newRow("loopback") << "127.0.0.1" << true;
    QTest::newRow("another loopback") << "127.0.1.1" << true;
    QTest::newRow("own address") << "192.0.2.1" << true;
    QTest::newRow("own name") << "node1" << true;
    QTest::newRow("other address") << "192.0.2.2" << false;
    QTest::newRow("other name") << "node9" << false;
}

void MsrunTest::theSchedulerRunsWhereTheMasterIs()
{
    QFETCH(QString, address);
    const auto plan =
        planOf(QStringLiteral("--worker_num=2 --local_worker_num=1 --node_rank=0 --master_addr=%1 t.py")
                   .arg(address));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const bool hasScheduler = plan->processes.front().role == Role::Scheduler;
    QTEST(hasScheduler, "isHere");
    QCOMPARE(plan->processes.size(), std::size_t(hasScheduler ? 2 : 1));
    QCOMPARE(plan->processes.back().role, Role::Worker);
    QVERIFY(!variable(plan->processes.back(), "MS_SCHED_HOST").startsWith(QLatin1String("node")));
}

void MsrunTest::aLoopbackMasterOfSeveralNodesIsNoted_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("says"); // Empty: no note.
    QTest::newRow("default")
        << "--local_worker_num=4"
        << "127.0.0.1 means the local node everywhere, so the other nodes cannot reach the scheduler. To run "
           "the scheduler here, give an address of this node, the same on every node: 192.0.2.1.";
    QTest::newRow("default on node 0") << "--local_worker_num=4 --node_rank=0"
                                       << "the same on every node: 192.0.2.1.";
    QTest::newRow("default on node 1") << "--local_worker_num=4 --node_rank=1"
                                       << "Give an address of node 0 that the other nodes can reach";
    QTest::newRow("a name of this host") << "--local_worker_num=4 --node_rank=0 --master_addr=box"
                                         << "the host \"box\" is 127.0.1.1 here";
    QTest::newRow("one node") << ""
                              << "";
    QTest::newRow("another address") << "--local_worker_num=4 --node_rank=1 --master_addr=node9"
                                     << "";
    QTest::newRow("dry run") << "--local_worker_num=4 --sim_level=1"
                             << "";
}

void MsrunTest::aLoopbackMasterOfSeveralNodesIsNoted()
{
    QFETCH(QString, options);
    QFETCH(QString, says);
    HostFacts facts = quietHost();
    facts.routes.insert(QStringLiteral("box"), {QStringLiteral("127.0.1.1"), QStringLiteral("127.0.0.1")});
    const auto spec =
        launcherCommandLine(QStringLiteral("msrun"))->parse(words(options + QStringLiteral(" t.py")));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto plan = planMsrun(*spec, facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const auto problem = problemWithMsrunMaster(*spec, facts);
    QCOMPARE(problem.has_value(), !says.isEmpty());
    if (!problem)
        return;
    QCOMPARE(problem->where, QStringLiteral("--master_addr"));
    QVERIFY2(problem->sentence().contains(says), qPrintable(problem->sentence()));
    QVERIFY(textsOf(plan->notes).contains(problem->sentence()));
}

void MsrunTest::aLaterNodeWithALoopbackMasterStartsNoScheduler()
{
    const auto plan = planOf(QStringLiteral("--worker_num=8 --local_worker_num=4 --node_rank=1 t.py"));
    QVERIFY(plan);
    QCOMPARE(plan->processes.size(), std::size_t(4));
    QVERIFY(std::ranges::all_of(plan->processes,
                                [](const ProcessPlan &process) { return process.role == Role::Worker; }));
    QCOMPARE(textsOf(plan->notes).filter(QStringLiteral("No scheduler is started here")).size(), 1);
    // A later node may be the master by an address of its own.
    const auto master =
        planOf(QStringLiteral("--worker_num=8 --local_worker_num=4 --node_rank=1 --master_addr=node1 t.py"));
    QVERIFY(master);
    QCOMPARE(master->processes.front().role, Role::Scheduler);
    QVERIFY(master->notes.isEmpty());
}

void MsrunTest::aNameThatWasNotLookedUpIsAnError()
{
    const auto plan = planOf(QStringLiteral("--master_addr=elsewhere t.py"));
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, QStringLiteral("--master_addr"));
}

void MsrunTest::withoutANodeRankTheRanksAreLeftToMindSpore()
{
    const auto plan = planOf(QStringLiteral("--worker_num=4 --local_worker_num=2 t.py"));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const ProcessPlan &worker = plan->processes.back();
    QCOMPARE(worker.logFile, QStringLiteral("/home/user/worker_1.log"));
    for (const char *name : {"RANK_ID", "MS_NODE_ID"}) {
        QVERIFY2(!worker.setVariables.contains(QLatin1String(name)), name);
        QVERIFY2(worker.removeVariables.contains(QLatin1String(name)), name);
    }
    QCOMPARE(plan->worldSize(), 4);
    QCOMPARE(textsOf(plan->notes).filter(QStringLiteral("--node_rank is not given")).size(), 1);
}

void MsrunTest::aProgramOfMsrunsIsNotRunByPython_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("argv");
    QTest::newRow("script") << "train.py -x"
                            << "python3 train.py -x";
    QTest::newRow("python") << "python -u train.py"
                            << "python -u train.py";
    QTest::newRow("python3") << "python3 -m train"
                             << "python3 -m train";
    QTest::newRow("pytest") << "pytest -s"
                            << "pytest -s";
    QTest::newRow("anything else") << "train"
                                   << "python3 train";
}

void MsrunTest::aProgramOfMsrunsIsNotRunByPython()
{
    QFETCH(QString, command);
    QFETCH(QString, argv);
    const auto plan = planOf(command);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes)
        QCOMPARE(process.argv, words(argv));
}

void MsrunTest::aScriptIsRunByThePythonOfTheEnvironment()
{
    HostFacts facts = quietHost();
    const QStringList script = words(QStringLiteral("t.py --a"));
    const auto argvOf = [&](const QString &line) {
        const auto plan = planOf(line, facts);
        return plan ? plan->processes.front().argv : QStringList{plan.error().sentence()};
    };
    QCOMPARE(argvOf(QStringLiteral("t.py --a")), QStringList{QStringLiteral("python3")} + script);
    facts.environmentPython = QStringLiteral("/venv/bin/python");
    QCOMPARE(argvOf(QStringLiteral("t.py --a")), QStringList{QStringLiteral("/venv/bin/python")} + script);
    QCOMPARE(argvOf(QStringLiteral("python3 t.py --a")), QStringList{QStringLiteral("python3")} + script);
    // A conda environment that the launch names goes before the one that it is started in.
    facts.condaEnvironments = {
        {QStringLiteral("ms"), QStringLiteral("/conda/envs/ms"), words(QStringLiteral("python python3"))},
        {QStringLiteral("old"), QStringLiteral("/conda/envs/old"), words(QStringLiteral("python3"))}};
    QCOMPARE(argvOf(QStringLiteral("--conda-env=ms t.py --a")),
             QStringList{QStringLiteral("python")} + script);
    QCOMPARE(argvOf(QStringLiteral("--conda-env=old t.py --a")),
             QStringList{QStringLiteral("python3")} + script);
}

void MsrunTest::whatAnEarlierLaunchLeftIsReplacedAndNamed()
{
    HostFacts facts = quietHost();
    for (const char *name : {"MS_ROLE", "MS_NODE_ID", "MS_ENABLE_RECOVERY", "HOME"})
        facts.environment.insert(QLatin1String(name), QStringLiteral("left"));
    const auto plan = planOf(QStringLiteral("t.py"), facts);
    QVERIFY(plan);
    QCOMPARE(plan->notes.size(), 2);
    QVERIFY(textsOf(plan->notes)[0].contains(QLatin1String("MS_NODE_ID, MS_ROLE")));
    QVERIFY(textsOf(plan->notes)[1].contains(QLatin1String("MS_ENABLE_RECOVERY")));
    QVERIFY(!textsOf(plan->notes)[1].contains(QLatin1String("HOME")));
    QVERIFY(plan->processes.front().removeVariables.contains(QLatin1String("MS_NODE_ID")));
}

void MsrunTest::extraVariablesWin()
{
    const auto plan = planOf(QStringLiteral("--env=MS_TOPO_TIMEOUT=9 --env=MS_NODE_ID=x --env=K=v t.py"));
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes) {
        QCOMPARE(variable(process, "MS_TOPO_TIMEOUT"), QStringLiteral("9"));
        QCOMPARE(variable(process, "MS_NODE_ID"), QStringLiteral("x"));
        QCOMPARE(variable(process, "K"), QStringLiteral("v"));
        QVERIFY(!process.removeVariables.contains(QLatin1String("MS_NODE_ID")));
    }
}

void MsrunTest::faultToleranceAsksForRecovery_data()
{
    QTest::addColumn<QString>("tolerance");
    QTest::addColumn<bool>("asks");
    QTest::newRow("last words") << "{TTP:1,UCE:0}" << true;
    QTest::newRow("memory errors") << "{UCE:1}" << true;
    QTest::newRow("rescheduling") << "{TTP:0, ARF:1}" << true;
    QTest::newRow("pauses only") << "{TSP:1}" << false;
    QTest::newRow("off") << "{TTP:0}" << false;
    QTest::newRow("not set") << "" << false;
}

void MsrunTest::faultToleranceAsksForRecovery()
{
    QFETCH(QString, tolerance);
    QFETCH(bool, asks);
    HostFacts facts = quietHost();
    if (!tolerance.isEmpty())
        facts.environment.insert(QStringLiteral("MS_ENABLE_TFT"), tolerance);
    const auto plan = planOf(QStringLiteral("--worker_num=1 --local_worker_num=1 train.py"), facts);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes)
        QCOMPARE(variable(process, "MS_ENABLE_RECOVERY"),
                 asks ? QStringLiteral("1") : QStringLiteral("(not set)"));
    QCOMPARE(!textsOf(plan->notes).filter(QStringLiteral("taskd plugin")).isEmpty(), asks);
}

void MsrunTest::aDryRunIsOneProcessUnlessAllAreAskedFor_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("processes");
    QTest::addColumn<QString>("firstRank");
    QTest::newRow("default") << "--sim_level=1" << 1 << "0";
    QTest::newRow("several nodes") << "--worker_num=64 --local_worker_num=8 --node_rank=2 --sim_level=0" << 1
                                   << "0";
    QTest::newRow("a rank") << "--sim_level=1 --sim_rank_id=5" << 1 << "5";
    QTest::newRow("all") << "--sim_level=1 --sim_rank_id=-1" << 8 << "0";
}

void MsrunTest::aDryRunIsOneProcessUnlessAllAreAskedFor()
{
    QFETCH(QString, options);
    HostFacts facts = quietHost();
    // An earlier launch left it.
    facts.environment.insert(QStringLiteral("RANK_ID"), QStringLiteral("7"));
    const auto plan = planOf(options + QStringLiteral(" t.py"), facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QTEST(int(plan->processes.size()), "processes");
    QTEST(variable(plan->processes.front(), "RANK_ID"), "firstRank");
    QCOMPARE(!textsOf(plan->notes).filter(QStringLiteral("--sim_rank_id=-1")).isEmpty(),
             !options.contains(QLatin1String("--sim_rank_id")));
}

void MsrunTest::aDryRunInTheEnvironmentCounts()
{
    HostFacts facts = quietHost();
    facts.environment.insert(QStringLiteral("MS_SIMULATION_LEVEL"), QStringLiteral("2"));
    facts.environment.insert(QStringLiteral("RANK_ID"), QStringLiteral("5"));
    facts.environment.insert(QStringLiteral("RANK_SIZE"), QStringLiteral("1024"));
    const auto plan = planOf(QStringLiteral("t.py"), facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes.size(), std::size_t(1));
    QCOMPARE(variable(plan->processes[0], "RANK_ID"), QStringLiteral("5"));
    QCOMPARE(variable(plan->processes[0], "RANK_SIZE"), QStringLiteral("1024"));
    QCOMPARE(variable(plan->processes[0], "MS_SIMULATION_LEVEL"), QStringLiteral("2"));
    QCOMPARE(plan->worldSize(), 1024);

    facts.environment.insert(QStringLiteral("RANK_ID"), QStringLiteral("0,1"));
    const auto wrong = planOf(QStringLiteral("t.py"), facts);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().where, QStringLiteral("RANK_ID"));
}

void MsrunTest::tooFewCpusBindNobody()
{
    HostFacts facts = quietHost();
    facts.cpus = {0, 1};
    const auto plan = planOf(QStringLiteral("--bind_core=True t.py"), facts);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes) {
        QVERIFY(process.cpus.isEmpty());
        QCOMPARE(variable(process, "MSRUN_CPU_LIST"), QStringLiteral("(not set)"));
    }
    QVERIFY(textsOf(plan->notes).value(0).contains(QLatin1String("are not enough")));
}

void MsrunTest::devicesWithoutCpusAreNamed()
{
    const auto plan = planOf(
        QStringLiteral("--worker_num=3 --local_worker_num=3 --bind_core={\"device1\":[\"0-7\"]} t.py"));
    QVERIFY(plan);
    QVERIFY(textsOf(plan->notes).value(0).contains(QLatin1String("device 0, 2")));
    QCOMPARE(plan->processes[2].cpus.size(), 8);
}

void MsrunTest::namedWithoutCpusIsNotBound()
{
    const auto plan = planOf(QStringLiteral("--worker_num=2 --local_worker_num=2 --bind_core={\"scheduler\":"
                                            "[\"0-1\"],\"device0\":[],\"device1\":[\"2-3\"]} t.py"));
    QVERIFY(plan);
    QVERIFY(textsOf(plan->notes).filter(QStringLiteral("--bind_core")).isEmpty());
    QCOMPARE(plan->processes[0].cpus, (QList<int>{0, 1}));
    QCOMPARE(plan->processes[1].cpus, QList<int>());
    QCOMPARE(plan->processes[2].cpus, (QList<int>{2, 3}));
}

void MsrunTest::memoryIsBoundToNumaNodes_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QList<int>>("bound"); // One of each worker; empty: none.
    QTest::addColumn<QString>("note");
    QTest::newRow("not asked") << "" << 2 << QList<int>() << "";
    QTest::newRow("equal shares") << "--bind_numa=True" << 2 << QList<int>{0, 0, 1, 1} << "";
    QTest::newRow("more nodes than workers") << "--bind_numa=true" << 8 << QList<int>{0, 2, 4, 6} << "";
    QTest::newRow("the nodes of their cpus")
        << "--bind_numa=True --bind_core={\"device0\":[\"4-5\"],\"device1\":[\"0-1\"],\"device2\":[\"6-7\"],"
           "\"device3\":[\"2-3\"]}"
        << 2 << QList<int>{1, 0, 1, 0} << "";
    QTest::newRow("one node") << "--bind_numa=True" << 1 << QList<int>() << "only one NUMA node";
    QTest::newRow("JSON") << "--bind_numa={\"device0\":[\"1\"],\"device1\":[\"0\"],\"device2\":[1],"
                             "\"device3\":[\"0\"]}"
                          << 2 << QList<int>{1, 0, 1, 0} << "";
    QTest::newRow("JSON that names one")
        << "--bind_numa={\"device0\":[\"0\"]}" << 1 << QList<int>{0} << "does not name device 1, 2, 3";
}

/// Returns a quiet host with 8 cpus on `nodes` NUMA nodes.
static HostFacts hostWithNodes(int nodes)
{
    HostFacts facts = quietHost();
    for (int node = 0; node < nodes; ++node) {
        NumaNode numa{node, {}};
        for (int cpu = node * 8 / nodes; cpu < (node + 1) * 8 / nodes; ++cpu)
            numa.cpus << cpu;
        facts.numaNodes << numa;
    }
    return facts;
}

void MsrunTest::processesAreBoundToNumaNodes_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("bound"); // Cpus and memory of the scheduler and of two workers.
    QTest::newRow("True binds cpus too") << "--bind_numa=True"
                                         << ""
                                         << "/ 0-1/0 4-5/2";
    QTest::newRow("by process")
        << "--bind_numa={\"scheduler\":[\"0\"],\"device0\":[\"1,2\"],\"device1\":[\"2-3\"]}"
        << ""
        << "0-1/0 2-5/1-2 4-7/2-3";
    QTest::newRow("an empty list binds nothing")
        << "--bind_numa={\"scheduler\":[],\"device0\":[],\"device1\":[\"3\"]}"
        << ""
        << "/ / 6-7/3";
    QTest::newRow("cpus of --bind_core win") << "--bind_numa={\"device0\":[\"0\"],\"device1\":[\"1\"]} "
                                                "--bind_core={\"device0\":[\"5-6\"],\"device1\":[]}"
                                             << ""
                                             << "/ 5-6/0 2-3/1";
    const QString file = QStringLiteral("--bind_numa=bind.json");
    QTest::newRow("file: cpus and memory")
        << file
        << R"({"bind_config":{"bind_cpu_mode":"cpu","bind_memory_mode":"numa","actor_thread_fix_bind":true},
               "bind_cpu":{"scheduler":{"main":"7"},"device0":{"main":"0-1,4","runtime":"2"},"device1":{"runtime":"5"}},
               "bind_memory":{"device0":0,"device1":"1-2","scheduler":"3"}})"
        << "7/3 0-1,4/0 /1-2";
    QTest::newRow("file: nodes for cpus alone")
        << file << R"({"bind_config":{"bind_cpu_mode":"numa","bind_memory_mode":"none"},
               "bind_cpu":{"device0":0,"device1":"1"},"bind_memory":{"device0":3}})"
        << "/ 0-1/ 2-3/";
    QTest::newRow("file: memory alone")
        << file << R"({"bind_config":{"bind_cpu_mode":"none","bind_memory_mode":"numa"},
               "bind_cpu":{"device0":{"main":"0"}},"bind_memory":{"device0":0,"device1":1}})"
        << "/ /0 /1";
}

void MsrunTest::processesAreBoundToNumaNodes()
{
    QFETCH(QString, options);
    QFETCH(QString, file);
    QFETCH(QString, bound);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bind.json"));
    QFile written(path);
    QVERIFY(written.open(QIODevice::WriteOnly) && written.write(file.toUtf8()) == file.size());
    written.close();
    options.replace(QStringLiteral("bind.json"), path);
    const auto plan =
        planOf(QStringLiteral("--worker_num=2 --local_worker_num=2 %1 t.py").arg(options), hostWithNodes(4));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QStringList result;
    for (const ProcessPlan &process : plan->processes)
        result << numberRanges(process.cpus) + QLatin1Char('/') + numberRanges(process.memoryNodes);
    QCOMPARE(result.join(QLatin1Char(' ')), bound);
}

void MsrunTest::aNumaNodeThatIsNotHereIsRefused()
{
    const auto plan = planOf(QStringLiteral("--worker_num=1 --local_worker_num=1 "
                                            "--bind_numa={\"device0\":[\"7\"]} t.py"),
                             hostWithNodes(2));
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, QStringLiteral("--bind_numa"));
    QVERIFY(plan.error().what.contains(QLatin1String("no NUMA node 7, which device0 names")));
}

void MsrunTest::visibleDevicesNameTheProcesses()
{
    HostFacts facts = hostWithNodes(4);
    facts.environment.insert(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"), QStringLiteral("6,7"));
    const auto plan = planOf(QStringLiteral("--worker_num=2 --local_worker_num=2 --bind_core={\"device6\":"
                                            "[\"0-1\"],\"device7\":[\"2-3\"]} "
                                            "--bind_numa={\"device6\":[\"3\"],\"device7\":[\"2\"]} t.py"),
                             facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes[1].cpus, (QList<int>{0, 1}));
    QCOMPARE(plan->processes[1].memoryNodes, QList<int>{3});
    QCOMPARE(plan->processes[2].cpus, (QList<int>{2, 3}));
    QCOMPARE(plan->processes[2].memoryNodes, QList<int>{2});
}

void MsrunTest::memoryIsBoundToNumaNodes()
{
    QFETCH(QString, options);
    QFETCH(int, nodes);
    QFETCH(QList<int>, bound);
    QFETCH(QString, note);
    const HostFacts facts = hostWithNodes(nodes);
    const auto plan =
        planOf(QStringLiteral("--worker_num=4 --local_worker_num=4 %1 t.py").arg(options), facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes.front().role, Role::Scheduler);
    QVERIFY(plan->processes.front().memoryNodes.isEmpty());
    for (int worker = 0; worker < 4; ++worker)
        QCOMPARE(plan->processes[static_cast<std::size_t>(worker) + 1].memoryNodes, bound.mid(worker, 1));
    QCOMPARE(textsOf(plan->notes).filter(QStringLiteral("--bind_numa")).size(), note.isEmpty() ? 0 : 1);
    QVERIFY(note.isEmpty() || textsOf(plan->notes).join(QLatin1Char(' ')).contains(note));
    const auto again = launchPlanFromJson(nlohmann::json::parse(toJson(*plan).dump()));
    QVERIFY(again && *again == *plan);
}

void MsrunTest::aLogNameStaysInTheLogDirectory()
{
    HostFacts facts = quietHost();
    facts.hostName = QStringLiteral("../../etc/x");
    const auto plan = planOf(QStringLiteral("--log_dir=/logs --worker_log_name={hostname} t.py"), facts);
    QVERIFY(plan);
    QCOMPARE(plan->processes.back().logFile, QStringLiteral("/logs/.._.._etc_x_7.log"));
}

void MsrunTest::wrongValuesAreRefused_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("where");
    QTest::newRow("more local workers") << "--worker_num=4 t.py"
                                        << "--local_worker_num";
    QTest::newRow("node rank") << "--worker_num=16 --node_rank=2 t.py"
                               << "--node_rank";
    QTest::newRow("dry-run rank") << "--sim_level=1 --sim_rank_id=8 t.py"
                                  << "--sim_rank_id";
    QTest::newRow("cpu") << "--bind_core={\"device0\":[\"7-8\"]} t.py"
                         << "--bind_core";
}

void MsrunTest::wrongValuesAreRefused()
{
    QFETCH(QString, arguments);
    const auto plan = planOf(arguments);
    QVERIFY(!plan);
    QTEST(plan.error().where, "where");
    QVERIFY(!plan.error().mend.isEmpty());
}

void MsrunTest::everyLauncherIsPlannedThroughOneFunction()
{
    const auto spec = launcherCommandLine(QStringLiteral("msrun"))->parse({QStringLiteral("t.py")});
    QVERIFY(spec);
    QVERIFY(!needsRankTable(*spec));
    const auto plan = planLaunch(*spec, {}, {}, quietHost());
    QVERIFY(plan);
    QCOMPARE(*plan, *planMsrun(*spec, quietHost()));
}

void MsrunTest::namesAreLookedUp()
{
    LaunchSpec spec = msrunDefaults();
    HostFacts facts;
    spec.msrun.masterAddr = QStringLiteral("localhost");
    const auto found = lookUpMaster(spec, facts);
    QVERIFY2(!found, qPrintable(found ? found->sentence() : QString()));
    QCOMPARE(facts.routes.value(QStringLiteral("localhost")).address, QStringLiteral("127.0.0.1"));
    QCOMPARE(facts.routes.value(QStringLiteral("localhost")).source, QStringLiteral("127.0.0.1"));

    spec.msrun.masterAddr = QStringLiteral("no-such-host.invalid");
    const auto missing = lookUpMaster(spec, facts);
    QVERIFY(missing);
    QCOMPARE(missing->where, QStringLiteral("--master_addr"));
}

void MsrunTest::aPlanSurvivesJson()
{
    const auto plan = planOf(QStringLiteral("--worker_num=16 --node_rank=1 --bind_core=True t.py"));
    QVERIFY(plan);
    const auto again = launchPlanFromJson(nlohmann::json::parse(toJson(*plan).dump()));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, *plan);
}

} // namespace tst_msrun

RANKDECK_TEST(tst_msrun, MsrunTest)
#include "tst_msrun.moc"
