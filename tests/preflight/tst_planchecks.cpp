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
        plan.launcher = QStringLiteral("processes");
        plan.thisNode = QStringLiteral("alpha");
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
        spec.launcher = QStringLiteral("processes");
        return spec;
    }
    static LaunchSpec tableSpec(const QString &path)
    {
        LaunchSpec spec;
        spec.launcher = QStringLiteral("davincirun");
        spec.rankTableFile = path;
        return spec;
    }
    QString table(const QByteArray &text) const
    {
        const QString path = m_directory.filePath(QStringLiteral("table.json"));
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
    facts.environment.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("60"));
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().fix, QStringLiteral("HCCL_CONNECT_TIMEOUT=120"));
    LaunchSpec spec = processesSpec();
    spec.common.unsetVariables << QStringLiteral("HCCL_CONNECT_TIMEOUT");
    spec.common.rankEnvironment[1].insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("7"));
    spec = withFix(spec, found.front().fix);
    QCOMPARE(spec.environment.value(QStringLiteral("HCCL_CONNECT_TIMEOUT")), QStringLiteral("120"));
    QVERIFY(spec.common.unsetVariables.isEmpty());
    QVERIFY(spec.common.rankEnvironment.value(1).isEmpty());
    spec = withFix(spec, QStringLiteral("HCCL_CONNECT_TIMEOUT"));
    QVERIFY(spec.environment.isEmpty());
    QCOMPARE(spec.common.unsetVariables, QStringList{QStringLiteral("HCCL_CONNECT_TIMEOUT")});
}

void PlanChecksTest::boundRanksSwitchCpuAffinityOff()
{
    HostFacts facts;
    facts.environment.insert(QStringLiteral("CPU_AFFINITY_CONF"), QStringLiteral("1"));
    LaunchPlan bound = plan(1);
    QCOMPARE(named(planChecks(processesSpec(), bound, facts), "environment").front().status, Status::Pass);
    bound.processes.front().cpus = {0};
    const auto found = named(planChecks(processesSpec(), bound, facts), "environment");
    QCOMPARE(found.front().status, Status::Warn);
    QVERIFY2(found.front().sentence.contains(QLatin1String("--bind-core")),
             qPrintable(found.front().sentence));
    QCOMPARE(found.front().fix, QStringLiteral("CPU_AFFINITY_CONF"));
}

void PlanChecksTest::aLaunchWithoutATableSkipsThat()
{
    const auto checks = planChecks(processesSpec(), plan(2), {});
    QCOMPARE(named(checks, "rank-table").front().status, Status::Skipped);
    QVERIFY(named(checks, "plan").front().sentence.contains(QLatin1String("world size 2")));
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
        return check.status == Status::Fail && check.subject == QLatin1String("duplicate-device-ip") &&
               check.sentence.contains(path);
    });
    QVERIFY(hasFailed);
}

void PlanChecksTest::aTableThatCannotBeReadFails()
{
    const auto found =
        named(planChecks(tableSpec(QStringLiteral("/nowhere.json")), plan(1), {}), "rank-table");
    QCOMPARE(found.front().status, Status::Fail);
    QVERIFY(found.front().sentence.contains(QLatin1String("/nowhere.json")));
}

void PlanChecksTest::aLoopbackMasterOfSeveralNodesFails()
{
    HostFacts facts;
    facts.addresses = QStringList{QStringLiteral("127.0.0.1"), QStringLiteral("192.0.2.1")};
    facts.cpus = {0};
    const auto checksOf = [&](const QString &line) {
        const auto spec = launcherCommandLine(QStringLiteral("msrun"))->parse(line.split(QLatin1Char(' ')));
        const auto plan = planMsrun(*spec, facts);
        return plan ? planChecks(*spec, *plan, facts) : std::vector<PreflightCheck>();
    };
    const QString line = QStringLiteral("--worker_num=8 --local_worker_num=2 --node_rank=0 t.py");
    const auto failed = named(checksOf(line), "master");
    QCOMPARE(failed.size(), std::size_t(1));
    QCOMPARE(failed.front().status, Status::Fail);
    QVERIFY2(failed.front().mend.contains(QLatin1String("192.0.2.1")), qPrintable(failed.front().mend));
    QVERIFY(named(checksOf(line), "note").empty()); // It is said once.
    QVERIFY(named(checksOf(QStringLiteral("--master_addr=192.0.2.1 ") + line), "master").empty());
}

void PlanChecksTest::aVariableNamesTheRanksThatHaveIt()
{
    LaunchPlan launch = plan(4);
    launch.processes[1].setVariables.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("5"));
    launch.processes[3].setVariables.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("5"));
    HostFacts facts;
    facts.environment.insert(QStringLiteral("ASCEND_LAUNCH_BLOCKING"), QStringLiteral("1"));
    const auto found = named(planChecks(processesSpec(), launch, facts), "environment");
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].status, Status::Warn);
    QCOMPARE(found[0].subject, QStringLiteral("all ranks"));
    QCOMPARE(found[1].status, Status::Fail);
    QCOMPARE(found[1].subject, QStringLiteral("ranks 1,3"));
    QVERIFY(found[1].sentence.startsWith(QLatin1String("HCCL_CONNECT_TIMEOUT: ")));
}

void PlanChecksTest::aBadListOfDevicesFails()
{
    HostFacts facts;
    facts.environment.insert(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"), QStringLiteral("0, 1"));
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().status, Status::Fail);
}

void PlanChecksTest::goodVariablesAreNamed()
{
    HostFacts facts;
    facts.environment.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("600"));
    const auto found = named(planChecks(processesSpec(), plan(2), facts), "environment");
    QCOMPARE(found.front().status, Status::Pass);
    QVERIFY(found.front().sentence.contains(QLatin1String("HCCL_CONNECT_TIMEOUT")));
}

void PlanChecksTest::ranksAreNamedBriefly()
{
    QCOMPARE(ranksText({3}, 8), QStringLiteral("rank 3"));
    QCOMPARE(ranksText({0, 1, 2, 7}, 8), QStringLiteral("ranks 0-2,7"));
    QCOMPARE(ranksText({0, 1}, 2), QStringLiteral("all ranks"));
    QList<int> odd;
    for (int rank = 1; rank < 200; rank += 2)
        odd << rank;
    QCOMPARE(ranksText(odd, 200), QStringLiteral("100 ranks"));
}

void PlanChecksTest::everyRankOfAPlanIsChosen()
{
    const TestedRanks chosen = testedRanks(plan(128));
    QCOMPARE(chosen.ranks.size(), 128);
    QCOMPARE(chosen.ranks.last(), 127);
    QCOMPARE(chosen.nodes.first(), QStringLiteral("alpha"));
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
    launch.transport = QStringLiteral("ssh");
    for (int node = 0; node < 20; ++node)
        launch.nodes.push_back({QStringLiteral("node%1").arg(node), {}});
    for (std::size_t rank = 0; rank < 160; ++rank)
        launch.processes[rank].node = launch.nodes[rank / 8].node;
    const TestedRanks chosen = testedRanks(launch);
    QCOMPARE(chosen.ranks.size(), 20);
    QCOMPARE(chosen.ranks.at(3), 24);
    QCOMPARE(chosen.nodes.at(3), QStringLiteral("node3"));
    QCOMPARE(chosen.checks.size(), std::size_t(1));
    QVERIFY(chosen.checks.front().sentence.contains(QLatin1String("Of 160 ranks, 20 are tested")));
}

void PlanChecksTest::aPlanForOneOfSeveralNodesSaysSo()
{
    LaunchPlan launch = plan(8);
    launch.totalRanks = 16;
    const TestedRanks chosen = testedRanks(launch);
    QCOMPARE(chosen.ranks.size(), 8);
    QCOMPARE(chosen.checks.size(), std::size_t(1));
    QCOMPARE(chosen.checks.front().status, Status::Skipped);
    QVERIFY(chosen.checks.front().mend.contains(QLatin1String("--nodes")));
}

void PlanChecksTest::clocksOfNodesAreCompared()
{
    QVERIFY(compareNodes({{QStringLiteral("alpha"), 5000, {}}}).empty());
    const auto well = compareNodes({{QStringLiteral("alpha"), 0, {}}, {QStringLiteral("beta"), -12.5, {}}});
    QCOMPARE(well.size(), std::size_t(1));
    QCOMPARE(well.front().status, Status::Pass);
    QVERIFY(well.front().sentence.contains(QLatin1String("12.5 ms")));
    const auto late = compareNodes({{QStringLiteral("alpha"), 0, {{0, QStringLiteral("1")}}},
                                    {QStringLiteral("beta"), -2500, {{0, QStringLiteral("0")}}}});
    QCOMPARE(late.size(), std::size_t(2));
    QCOMPARE(late[0].status, Status::Warn);
    QCOMPARE(late[0].subject, QStringLiteral("beta"));
    QVERIFY(late[0].sentence.contains(QLatin1String("2.5 s behind")));
    QCOMPARE(late[1].status, Status::Fail);
}

} // namespace tst_planchecks

RANKDECK_TEST(tst_planchecks, PlanChecksTest)
#include "tst_planchecks.moc"
