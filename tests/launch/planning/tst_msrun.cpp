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
    return text.split(' '_L1, Qt::SkipEmptyParts);
}

/// A host of two addresses and eight cpus, with nothing set.
HostFacts quietHost()
{
    HostFacts facts;
    facts.hostName = u"node1"_s;
    facts.currentDirectory = u"/home/user"_s;
    facts.temporaryDirectory = u"/tmp"_s;
    facts.addresses = {u"127.0.0.1"_s, u"192.0.2.1"_s};
    facts.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    facts.routes = {{u"node1"_s, {u"192.0.2.1"_s, u"192.0.2.1"_s}},
                    {u"node9"_s, {u"192.0.2.9"_s, u"192.0.2.1"_s}}};
    return facts;
}

Result<LaunchPlan> planOf(const QString &arguments, const HostFacts &facts = quietHost())
{
    const auto spec = launcherCommandLine(u"msrun"_s)->parse(words(arguments));
    return spec ? planMsrun(*spec, facts) : Result<LaunchPlan>(spec.error());
}

/// A rank table: the pod_ip of each server, and the ranks of its devices in their order.
QByteArray tableOf(const std::vector<std::pair<QByteArray, QList<int>>> &servers)
{
    nlohmann::json list = nlohmann::json::array();
    for (const auto &[podIp, ranks] : servers) {
        nlohmann::json devices = nlohmann::json::array();
        for (int at = 0; at < static_cast<int>(ranks.size()); ++at)
            devices.push_back({{"device_id", std::to_string(at)},
                               {"device_ip", "198.51.100." + std::to_string(ranks[at] + 1)},
                               {"rank_id", std::to_string(ranks[at])}});
        list.push_back(
            {{"server_id", podIp.toStdString()}, {"device", devices}, {"pod_ip", podIp.toStdString()}});
    }
    const nlohmann::json table{{"version", "1.0"},
                               {"server_count", std::to_string(servers.size())},
                               {"server_list", list},
                               {"status", "completed"}};
    return QByteArray::fromStdString(table.dump());
}

QString variable(const ProcessPlan &process, const char *name)
{
    return process.setVariables.value(QLatin1String(name), u"(not set)"_s);
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
    void theRankTableNumbersTheRanks();
    void aRankTableThatDoesNotFitIsNoted_data();
    void aRankTableThatDoesNotFitIsNoted();
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
        planOf(u"--worker_num=2 --local_worker_num=1 --node_rank=0 --master_addr=%1 t.py"_s.arg(address));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const bool hasScheduler = plan->processes.front().role == Role::Scheduler;
    QTEST(hasScheduler, "isHere");
    QCOMPARE(plan->processes.size(), std::size_t(hasScheduler ? 2 : 1));
    QCOMPARE(plan->processes.back().role, Role::Worker);
    QVERIFY(!variable(plan->processes.back(), "MS_SCHED_HOST").startsWith("node"_L1));
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
    facts.routes.insert(u"box"_s, {u"127.0.1.1"_s, u"127.0.0.1"_s});
    const auto spec = launcherCommandLine(u"msrun"_s)->parse(words(options + u" t.py"_s));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto plan = planMsrun(*spec, facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const auto problem = problemWithMsrunMaster(*spec, facts);
    QCOMPARE(problem.has_value(), !says.isEmpty());
    if (!problem)
        return;
    QCOMPARE(problem->where, u"--master_addr"_s);
    QVERIFY2(problem->sentence().contains(says), qPrintable(problem->sentence()));
    QVERIFY(textsOf(plan->notes).contains(problem->sentence()));
}

void MsrunTest::aLaterNodeWithALoopbackMasterStartsNoScheduler()
{
    const auto plan = planOf(u"--worker_num=8 --local_worker_num=4 --node_rank=1 t.py"_s);
    QVERIFY(plan);
    QCOMPARE(plan->processes.size(), std::size_t(4));
    QVERIFY(std::ranges::all_of(plan->processes,
                                [](const ProcessPlan &process) { return process.role == Role::Worker; }));
    QCOMPARE(textsOf(plan->notes).filter(u"No scheduler is started here"_s).size(), 1);
    // A later node may be the master by an address of its own.
    const auto master =
        planOf(u"--worker_num=8 --local_worker_num=4 --node_rank=1 --master_addr=node1 t.py"_s);
    QVERIFY(master);
    QCOMPARE(master->processes.front().role, Role::Scheduler);
    QVERIFY(master->notes.isEmpty());
}

void MsrunTest::aNameThatWasNotLookedUpIsAnError()
{
    const auto plan = planOf(u"--master_addr=elsewhere t.py"_s);
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, u"--master_addr"_s);
}

void MsrunTest::withoutANodeRankTheRanksAreLeftToMindSpore()
{
    const auto plan = planOf(u"--worker_num=4 --local_worker_num=2 t.py"_s);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const ProcessPlan &worker = plan->processes.back();
    QCOMPARE(worker.logFile, u"/home/user/worker_1.log"_s);
    for (const char *name : {"RANK_ID", "MS_NODE_ID"}) {
        QVERIFY2(!worker.setVariables.contains(QLatin1String(name)), name);
        QVERIFY2(worker.removeVariables.contains(QLatin1String(name)), name);
    }
    QCOMPARE(plan->worldSize(), 4);
    QCOMPARE(textsOf(plan->notes).filter(u"--node_rank is not given"_s).size(), 1);
}

void MsrunTest::theRankTableNumbersTheRanks()
{
    HostFacts facts = quietHost();
    facts.rankTableText = tableOf({{"192.0.2.9", {0, 1}}, {"192.0.2.1", {3, 2}}});
    const auto plan = planOf(u"--worker_num=4 --local_worker_num=2 --master_addr=node9 "
                             "--rank_table_file=hccl.json train.py"_s,
                             facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes.size(), std::size_t(2));
    QCOMPARE(plan->processes[0].rank, Rank(3));
    QCOMPARE(plan->processes[0].startedAs, 0);
    QCOMPARE(plan->processes[1].rank, Rank(2));
    QCOMPARE(plan->processes[1].device, DeviceId(1));
    QVERIFY(!plan->processes[1].isRankOpen);
    QVERIFY(!textsOf(plan->notes).join(' '_L1).contains("rank table"_L1));
}

void MsrunTest::aRankTableThatDoesNotFitIsNoted_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QString>("note");
    QTest::newRow("two devices for four workers")
        << tableOf({{"192.0.2.1", {0, 1}}}) << u"the rank table has 2 devices, and --worker_num is 4"_s;
    QTest::newRow("another host") << tableOf({{"192.0.2.8", {0, 1, 2, 3}}})
                                  << u"no server of the rank table has the pod_ip 192.0.2.1"_s;
    QTest::newRow("fewer of this host")
        << tableOf({{"192.0.2.1", {0}}, {"192.0.2.9", {1, 2, 3}}})
        << u"the rank table has 1 devices for this host, and --local_worker_num is 2"_s;
}

void MsrunTest::aRankTableThatDoesNotFitIsNoted()
{
    QFETCH(QByteArray, table);
    QFETCH(QString, note);
    HostFacts facts = quietHost();
    facts.rankTableText = table;
    const auto plan = planOf(u"--worker_num=4 --local_worker_num=2 --node_rank=0 --master_addr=node1 "
                             "--rank_table_file=hccl.json train.py"_s,
                             facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const QString notes = textsOf(plan->notes).join(' '_L1);
    QVERIFY2(notes.contains(note, Qt::CaseInsensitive), qPrintable(notes));
    QCOMPARE(plan->processes.back().rank, Rank(1));
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
    const QStringList script = words(u"t.py --a"_s);
    const auto argvOf = [&](const QString &line) {
        const auto plan = planOf(line, facts);
        return plan ? plan->processes.front().argv : QStringList{plan.error().sentence()};
    };
    QCOMPARE(argvOf(u"t.py --a"_s), QStringList{u"python3"_s} + script);
    facts.environmentPython = u"/venv/bin/python"_s;
    QCOMPARE(argvOf(u"t.py --a"_s), QStringList{u"/venv/bin/python"_s} + script);
    QCOMPARE(argvOf(u"python3 t.py --a"_s), QStringList{u"python3"_s} + script);
    // A conda environment that the launch names goes before the one that it is started in.
    facts.condaEnvironments = {{u"ms"_s, u"/conda/envs/ms"_s, words(u"python python3"_s)},
                               {u"old"_s, u"/conda/envs/old"_s, words(u"python3"_s)}};
    QCOMPARE(argvOf(u"--conda-env=ms t.py --a"_s), QStringList{u"python"_s} + script);
    QCOMPARE(argvOf(u"--conda-env=old t.py --a"_s), QStringList{u"python3"_s} + script);
}

void MsrunTest::whatAnEarlierLaunchLeftIsReplacedAndNamed()
{
    HostFacts facts = quietHost();
    for (const char *name : {"MS_ROLE", "MS_NODE_ID", "MS_ENABLE_RECOVERY", "HOME"})
        facts.environment.insert(QLatin1String(name), u"left"_s);
    const auto plan = planOf(u"t.py"_s, facts);
    QVERIFY(plan);
    QCOMPARE(plan->notes.size(), 2);
    QVERIFY(textsOf(plan->notes)[0].contains("MS_NODE_ID, MS_ROLE"_L1));
    QVERIFY(textsOf(plan->notes)[1].contains("MS_ENABLE_RECOVERY"_L1));
    QVERIFY(!textsOf(plan->notes)[1].contains("HOME"_L1));
    QVERIFY(plan->processes.front().removeVariables.contains("MS_NODE_ID"_L1));
}

void MsrunTest::extraVariablesWin()
{
    const auto plan = planOf(u"--env=MS_TOPO_TIMEOUT=9 --env=MS_NODE_ID=x --env=K=v t.py"_s);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes) {
        QCOMPARE(variable(process, "MS_TOPO_TIMEOUT"), u"9"_s);
        QCOMPARE(variable(process, "MS_NODE_ID"), u"x"_s);
        QCOMPARE(variable(process, "K"), u"v"_s);
        QVERIFY(!process.removeVariables.contains("MS_NODE_ID"_L1));
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
        facts.environment.insert(u"MS_ENABLE_TFT"_s, tolerance);
    const auto plan = planOf(u"--worker_num=1 --local_worker_num=1 train.py"_s, facts);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes)
        QCOMPARE(variable(process, "MS_ENABLE_RECOVERY"), asks ? u"1"_s : u"(not set)"_s);
    QCOMPARE(!textsOf(plan->notes).filter(u"taskd plugin"_s).isEmpty(), asks);
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
    facts.environment.insert(u"RANK_ID"_s, u"7"_s);
    const auto plan = planOf(options + u" t.py"_s, facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QTEST(int(plan->processes.size()), "processes");
    QTEST(variable(plan->processes.front(), "RANK_ID"), "firstRank");
    QCOMPARE(!textsOf(plan->notes).filter(u"--sim_rank_id=-1"_s).isEmpty(),
             !options.contains("--sim_rank_id"_L1));
}

void MsrunTest::aDryRunInTheEnvironmentCounts()
{
    HostFacts facts = quietHost();
    facts.environment.insert(u"MS_SIMULATION_LEVEL"_s, u"2"_s);
    facts.environment.insert(u"RANK_ID"_s, u"5"_s);
    facts.environment.insert(u"RANK_SIZE"_s, u"1024"_s);
    const auto plan = planOf(u"t.py"_s, facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes.size(), std::size_t(1));
    QCOMPARE(variable(plan->processes[0], "RANK_ID"), u"5"_s);
    QCOMPARE(variable(plan->processes[0], "RANK_SIZE"), u"1024"_s);
    QCOMPARE(variable(plan->processes[0], "MS_SIMULATION_LEVEL"), u"2"_s);
    QCOMPARE(plan->worldSize(), 1024);

    facts.environment.insert(u"RANK_ID"_s, u"0,1"_s);
    const auto wrong = planOf(u"t.py"_s, facts);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().where, u"RANK_ID"_s);
}

void MsrunTest::tooFewCpusBindNobody()
{
    HostFacts facts = quietHost();
    facts.cpus = {0, 1};
    const auto plan = planOf(u"--bind_core=True t.py"_s, facts);
    QVERIFY(plan);
    for (const ProcessPlan &process : plan->processes) {
        QVERIFY(process.cpus.isEmpty());
        QCOMPARE(variable(process, "MSRUN_CPU_LIST"), u"(not set)"_s);
    }
    QVERIFY(textsOf(plan->notes).value(0).contains("are not enough"_L1));
}

void MsrunTest::devicesWithoutCpusAreNamed()
{
    const auto plan =
        planOf(u"--worker_num=3 --local_worker_num=3 --bind_core={\"device1\":[\"0-7\"]} t.py"_s);
    QVERIFY(plan);
    QVERIFY(textsOf(plan->notes).value(0).contains("device 0, 2"_L1));
    QCOMPARE(plan->processes[2].cpus.size(), 8);
}

void MsrunTest::namedWithoutCpusIsNotBound()
{
    const auto plan = planOf(u"--worker_num=2 --local_worker_num=2 --bind_core={\"scheduler\":"
                             "[\"0-1\"],\"device0\":[],\"device1\":[\"2-3\"]} t.py"_s);
    QVERIFY(plan);
    QVERIFY(textsOf(plan->notes).filter(u"--bind_core"_s).isEmpty());
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
    const QString file = u"--bind_numa=bind.json"_s;
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
    const QString path = folder.filePath(u"bind.json"_s);
    QFile written(path);
    QVERIFY(written.open(QIODevice::WriteOnly) && written.write(file.toUtf8()) == file.size());
    written.close();
    options.replace(u"bind.json"_s, path);
    const auto plan = planOf(u"--worker_num=2 --local_worker_num=2 %1 t.py"_s.arg(options), hostWithNodes(4));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QStringList result;
    for (const ProcessPlan &process : plan->processes)
        result << numberRanges(process.cpus) + '/'_L1 + numberRanges(process.memoryNodes);
    QCOMPARE(result.join(' '_L1), bound);
}

void MsrunTest::aNumaNodeThatIsNotHereIsRefused()
{
    const auto plan = planOf(u"--worker_num=1 --local_worker_num=1 "
                             "--bind_numa={\"device0\":[\"7\"]} t.py"_s,
                             hostWithNodes(2));
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, u"--bind_numa"_s);
    QVERIFY(plan.error().what.contains("no NUMA node 7, which device0 names"_L1));
}

void MsrunTest::visibleDevicesNameTheProcesses()
{
    HostFacts facts = hostWithNodes(4);
    facts.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, u"6,7"_s);
    const auto plan = planOf(u"--worker_num=2 --local_worker_num=2 --bind_core={\"device6\":"
                             "[\"0-1\"],\"device7\":[\"2-3\"]} "
                             "--bind_numa={\"device6\":[\"3\"],\"device7\":[\"2\"]} t.py"_s,
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
    const auto plan = planOf(u"--worker_num=4 --local_worker_num=4 %1 t.py"_s.arg(options), facts);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->processes.front().role, Role::Scheduler);
    QVERIFY(plan->processes.front().memoryNodes.isEmpty());
    for (int worker = 0; worker < 4; ++worker)
        QCOMPARE(plan->processes[static_cast<std::size_t>(worker) + 1].memoryNodes, bound.mid(worker, 1));
    QCOMPARE(textsOf(plan->notes).filter(u"--bind_numa"_s).size(), note.isEmpty() ? 0 : 1);
    QVERIFY(note.isEmpty() || textsOf(plan->notes).join(' '_L1).contains(note));
    const auto again = launchPlanFromJson(nlohmann::json::parse(toJson(*plan).dump()));
    QVERIFY(again && *again == *plan);
}

void MsrunTest::aLogNameStaysInTheLogDirectory()
{
    HostFacts facts = quietHost();
    facts.hostName = u"../../etc/x"_s;
    const auto plan = planOf(u"--log_dir=/logs --worker_log_name={hostname} t.py"_s, facts);
    QVERIFY(plan);
    QCOMPARE(plan->processes.back().logFile, u"/logs/.._.._etc_x_7.log"_s);
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
    const auto spec = launcherCommandLine(u"msrun"_s)->parse({u"t.py"_s});
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
    spec.msrun.masterAddr = u"localhost"_s;
    const auto found = lookUpMaster(spec, facts);
    QVERIFY2(!found, qPrintable(found ? found->sentence() : QString()));
    QCOMPARE(facts.routes.value(u"localhost"_s).address, u"127.0.0.1"_s);
    QCOMPARE(facts.routes.value(u"localhost"_s).source, u"127.0.0.1"_s);

    spec.msrun.masterAddr = u"no-such-host.invalid"_s;
    const auto missing = lookUpMaster(spec, facts);
    QVERIFY(missing);
    QCOMPARE(missing->where, u"--master_addr"_s);
}

void MsrunTest::aPlanSurvivesJson()
{
    const auto plan = planOf(u"--worker_num=16 --node_rank=1 --bind_core=True t.py"_s);
    QVERIFY(plan);
    const auto again = launchPlanFromJson(nlohmann::json::parse(toJson(*plan).dump()));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, *plan);
}

} // namespace tst_msrun

RANKDECK_TEST(tst_msrun, MsrunTest)
#include "tst_msrun.moc"
