#include "launch/options/launchers.h"
#include "launch/planning/planners.h"
#include "preflight/planchecks.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_planchecks
{

using namespace rankdeck;

/// What is said of a plan before any node is asked.
class PlanChecksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFixIsAChangeOfTheLaunch();
    void boundRanksSwitchCpuAffinityOff();
    void aLaunchWithoutATableSkipsThat();
    void aTableThatIsWellPasses();
    void everyFindingOfATableIsACheck();
    void aTableThatCannotBeReadFails();
    void aLoopbackMasterOfSeveralNodesFails();
    void aVariableNamesTheRanksThatHaveIt();
    void aBadListOfDevicesFails();
    void goodVariablesAreNamed();
    void ranksAreNamedBriefly();
    void everyRankOfAPlanIsChosen();
    void ofManyRanksOneOfEachNodeIsChosen();
    void aPlanForOneOfSeveralNodesSaysSo();
    void clocksOfNodesAreCompared();

private:
    using Status = PreflightCheck::Status;

    static LaunchPlan plan(int ranks)
    {
        LaunchPlan plan;
        plan.launcher = u"processes"_s;
        plan.thisNode = u"alpha"_s;
        for (int rank = 0; rank < ranks; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.node = plan.thisNode;
            plan.processes.push_back(process);
        }
        plan.totalRanks = ranks;
        return plan;
    }
    static LaunchSpec processesSpec()
    {
        LaunchSpec spec;
        spec.launcher = u"processes"_s;
        return spec;
    }
    static LaunchSpec tableSpec(const QString &path)
    {
        LaunchSpec spec;
        spec.launcher = u"davincirun"_s;
        spec.rankTableFile = path;
        return spec;
    }
    QString table(const QByteArray &text) const
    {
        const QString path = m_directory.filePath(u"table.json"_s);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
            file.write(text);
        return path;
    }
    static std::vector<PreflightCheck> named(const std::vector<PreflightCheck> &checks, const char *name)
    {
        std::vector<PreflightCheck> found;
        std::copy_if(checks.begin(), checks.end(), std::back_inserter(found),
                     [&](const PreflightCheck &check) { return check.name == QLatin1String(name); });
        return found;
    }

    QTemporaryDir m_directory;
};

void PlanChecksTest::aFixIsAChangeOfTheLaunch()
{
    HostFacts facts;
    facts.environment.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"60"_s);
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().fix, u"HCCL_CONNECT_TIMEOUT=120"_s);
    LaunchSpec spec = processesSpec();
    spec.common.unsetVariables << u"HCCL_CONNECT_TIMEOUT"_s;
    spec.common.rankEnvironment[1].insert(u"HCCL_CONNECT_TIMEOUT"_s, u"7"_s);
    spec = withFix(spec, found.front().fix);
    QCOMPARE(spec.environment.value(u"HCCL_CONNECT_TIMEOUT"_s), u"120"_s);
    QVERIFY(spec.common.unsetVariables.isEmpty());
    QVERIFY(spec.common.rankEnvironment.value(1).isEmpty());
    spec = withFix(spec, u"HCCL_CONNECT_TIMEOUT"_s);
    QVERIFY(spec.environment.isEmpty());
    QCOMPARE(spec.common.unsetVariables, QStringList{u"HCCL_CONNECT_TIMEOUT"_s});
}

void PlanChecksTest::boundRanksSwitchCpuAffinityOff()
{
    HostFacts facts;
    facts.environment.insert(u"CPU_AFFINITY_CONF"_s, u"1"_s);
    LaunchPlan bound = plan(1);
    QCOMPARE(named(planChecks(processesSpec(), bound, facts), "environment").front().status, Status::Pass);
    bound.processes.front().cpus = {0};
    const auto found = named(planChecks(processesSpec(), bound, facts), "environment");
    QCOMPARE(found.front().status, Status::Warn);
    QVERIFY2(found.front().sentence.contains("--bind-core"_L1), qPrintable(found.front().sentence));
    QCOMPARE(found.front().fix, u"CPU_AFFINITY_CONF"_s);
}

void PlanChecksTest::aLaunchWithoutATableSkipsThat()
{
    const auto checks = planChecks(processesSpec(), plan(2), {});
    QCOMPARE(named(checks, "rank-table").front().status, Status::Skipped);
    QVERIFY(named(checks, "plan").front().sentence.contains("world size 2"_L1));
}

void PlanChecksTest::aTableThatIsWellPasses()
{
    const QString path = table(R"({"version":"1.0","status":"completed","server_count":"1","server_list":[
        {"server_id":"10.0.0.1","device":[{"device_id":"0","device_ip":"192.168.1.1","rank_id":"0"}]}]})");
    const auto found = named(planChecks(tableSpec(path), plan(1), {}), "rank-table");
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY2(found.front().status == Status::Pass, qPrintable(found.front().sentence));
}

void PlanChecksTest::everyFindingOfATableIsACheck()
{
    const QString path = table(R"({"version":"1.0","status":"completed","server_count":"1","server_list":[
        {"server_id":"10.0.0.1","device":[
           {"device_id":"0","device_ip":"192.168.1.1","rank_id":"0"},
           {"device_id":"1","device_ip":"192.168.1.1","rank_id":"1"}]}]})");
    const auto found = named(planChecks(tableSpec(path), plan(2), {}), "rank-table");
    const bool hasFailed = std::any_of(found.begin(), found.end(), [&](const PreflightCheck &check) {
        return check.status == Status::Fail && check.subject == "duplicate-device-ip"_L1 &&
               check.sentence.contains(path);
    });
    QVERIFY(hasFailed);
}

void PlanChecksTest::aTableThatCannotBeReadFails()
{
    const auto found = named(planChecks(tableSpec(u"/nowhere.json"_s), plan(1), {}), "rank-table");
    QCOMPARE(found.front().status, Status::Fail);
    QVERIFY(found.front().sentence.contains("/nowhere.json"_L1));
}

void PlanChecksTest::aLoopbackMasterOfSeveralNodesFails()
{
    HostFacts facts;
    facts.addresses = QStringList{u"127.0.0.1"_s, u"192.0.2.1"_s};
    facts.cpus = {0};
    const auto checksOf = [&](const QString &line) {
        const auto spec = launcherCommandLine(u"msrun"_s)->parse(line.split(' '_L1));
        const auto plan = planMsrun(*spec, facts);
        return plan ? planChecks(*spec, *plan, facts) : std::vector<PreflightCheck>();
    };
    const QString line = u"--worker_num=8 --local_worker_num=2 --node_rank=0 t.py"_s;
    const auto failed = named(checksOf(line), "master");
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().status, Status::Fail);
    QVERIFY2(failed.front().mend.contains("192.0.2.1"_L1), qPrintable(failed.front().mend));
    QVERIFY(named(checksOf(line), "note").empty()); // It is said once.
    QVERIFY(named(checksOf(u"--master_addr=192.0.2.1 "_s + line), "master").empty());
}

void PlanChecksTest::aVariableNamesTheRanksThatHaveIt()
{
    LaunchPlan launch = plan(4);
    launch.processes[1].setVariables.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"5"_s);
    launch.processes[3].setVariables.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"5"_s);
    HostFacts facts;
    facts.environment.insert(u"ASCEND_LAUNCH_BLOCKING"_s, u"1"_s);
    const auto found = named(planChecks(processesSpec(), launch, facts), "environment");
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].status, Status::Warn);
    QCOMPARE(found[0].subject, u"all ranks"_s);
    QCOMPARE(found[1].status, Status::Fail);
    QCOMPARE(found[1].subject, u"ranks 1,3"_s);
    QVERIFY(found[1].sentence.startsWith("HCCL_CONNECT_TIMEOUT: "_L1));
}

void PlanChecksTest::aBadListOfDevicesFails()
{
    HostFacts facts;
    facts.environment.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, u"0, 1"_s);
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().status, Status::Fail);
}

void PlanChecksTest::goodVariablesAreNamed()
{
    HostFacts facts;
    facts.environment.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"600"_s);
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.front().status, Status::Pass);
    QVERIFY(found.front().sentence.contains("HCCL_CONNECT_TIMEOUT"_L1));
}

void PlanChecksTest::ranksAreNamedBriefly()
{
    QCOMPARE(ranksText({3}, 8), u"rank 3"_s);
    QCOMPARE(ranksText({0, 1, 2, 7}, 8), u"ranks 0-2,7"_s);
    QCOMPARE(ranksText({0, 1}, 2), u"all ranks"_s);
    QList<int> odd;
    for (int rank = 1; rank < 200; rank += 2)
        odd << rank;
    QCOMPARE(ranksText(odd, 200), u"100 ranks"_s);
}

void PlanChecksTest::everyRankOfAPlanIsChosen()
{
    const TestedRanks chosen = testedRanks(plan(128));
    QCOMPARE(chosen.ranks.size(), 128);
    QCOMPARE(chosen.ranks.last(), 127);
    QCOMPARE(chosen.nodes.first(), u"alpha"_s);
    QVERIFY(chosen.checks.empty());
    QCOMPARE(testedRanks(plan(200)).ranks.size(), 128);
    QCOMPARE(testedRanks(plan(200)).checks.size(), std::size_t(1));
    LaunchPlan withScheduler = plan(2);
    withScheduler.processes.front().role = Role::Scheduler;
    withScheduler.totalRanks = 1;
    QCOMPARE(testedRanks(withScheduler).ranks, QList<int>{1});
}

void PlanChecksTest::ofManyRanksOneOfEachNodeIsChosen()
{
    LaunchPlan launch = plan(160);
    launch.transport = u"ssh"_s;
    for (int node = 0; node < 20; ++node)
        launch.nodes.push_back({u"node%1"_s.arg(node), {}});
    for (std::size_t rank = 0; rank < 160; ++rank)
        launch.processes[rank].node = launch.nodes[rank / 8].node;
    const TestedRanks chosen = testedRanks(launch);
    QCOMPARE(chosen.ranks.size(), 20);
    QCOMPARE(chosen.ranks.at(3), 24);
    QCOMPARE(chosen.nodes.at(3), u"node3"_s);
    QCOMPARE(chosen.checks.size(), std::size_t(1));
    QVERIFY(chosen.checks.front().sentence.contains("Of 160 ranks, 20 are tested"_L1));
}

void PlanChecksTest::aPlanForOneOfSeveralNodesSaysSo()
{
    LaunchPlan launch = plan(8);
    launch.totalRanks = 16;
    const TestedRanks chosen = testedRanks(launch);
    QCOMPARE(chosen.ranks.size(), 8);
    QCOMPARE(chosen.checks.size(), std::size_t(1));
    QCOMPARE(chosen.checks.front().status, Status::Skipped);
    QVERIFY(chosen.checks.front().mend.contains("--nodes"_L1));
}

void PlanChecksTest::clocksOfNodesAreCompared()
{
    QVERIFY(compareNodes({{u"alpha"_s, 5000, {}}}).empty());
    const auto well = compareNodes({{u"alpha"_s, 0, {}}, {u"beta"_s, -12.5, {}}});
    QCOMPARE(well.size(), std::size_t(1));
    QCOMPARE(well.front().status, Status::Pass);
    QVERIFY(well.front().sentence.contains("12.5 ms"_L1));
    const auto late = compareNodes({{u"alpha"_s, 0, {{0, u"1"_s}}}, {u"beta"_s, -2500, {{0, u"0"_s}}}});
    QCOMPARE(late.size(), std::size_t(2));
    QCOMPARE(late[0].status, Status::Warn);
    QCOMPARE(late[0].subject, u"beta"_s);
    QVERIFY(late[0].sentence.contains("2.5 s behind"_L1));
    QCOMPARE(late[1].status, Status::Fail);
}

} // namespace tst_planchecks

RANKDECK_TEST(tst_planchecks, PlanChecksTest)
#include "tst_planchecks.moc"
