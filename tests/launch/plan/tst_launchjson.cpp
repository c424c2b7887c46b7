#include "base/fields.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_launchjson
{

using namespace rankdeck;

class LaunchJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSpecRoundTrips();
    void aSpecMayLeaveOutWhatIsDefault();
    void aWrongSpecNamesTheKey();
    void aSpecOfTheFirstVersionIsRead();
    void aPlanRoundTrips();
    void aWrongPlanIsRefused();
    void aRankIsFoundAmongTheWorkers();
};

void LaunchJsonTest::aRankIsFoundAmongTheWorkers()
{
    LaunchPlan plan;
    QCOMPARE(plan.processOfRank(0), -1);
    plan.processes.resize(3);
    plan.processes[0].role = Role::Scheduler;
    plan.processes[0].rank = Rank(0);
    plan.processes[1].rank = Rank(1);
    plan.processes[2].rank = Rank(0);
    QCOMPARE(plan.processOfRank(0), 2);
    QCOMPARE(plan.processOfRank(1), 1);
    QCOMPARE(plan.processOfRank(2), -1);
}

void LaunchJsonTest::aSpecRoundTrips()
{
    LaunchSpec spec;
    spec.name = QStringLiteral("训练");
    spec.command = {QStringLiteral("python3"), QStringLiteral("a b.py")};
    spec.randomCacheDir = false;
    spec.graceSeconds = 7;
    spec.environment = {{QStringLiteral("K"), QStringLiteral("v\"'\n")}};
    spec.msrun.workerNum = 16;
    spec.common.bindCore = QStringLiteral("True");
    spec.common.rankEnvironment = {{3, {{QStringLiteral("K"), QStringLiteral("v")}}}};
    spec.common.before = {{QStringLiteral("echo"), QStringLiteral("a b")}, {QStringLiteral("true")}};
    spec.common.umask = 027;
    spec.common.terminals = QStringLiteral("3");
    spec.common.wrappers = {QStringLiteral("0:gdb"), QStringLiteral("1:strace -e 'a b'")};
    spec.processes.args = {{0, {QStringLiteral("a b")}}, {1, {}}};
    spec.processes.envs = {{1, {{QStringLiteral("K"), QStringLiteral("v")}}}};
    spec.processes.redirects = {{1, Streams::Error}};
    const auto again = launchSpecFromJson(nlohmann::json::parse(toJson(spec).dump()));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, spec);
}

void LaunchJsonTest::aSpecMayLeaveOutWhatIsDefault()
{
    const auto spec = launchSpecFromJson({{"command", {"true"}}});
    QVERIFY(spec);
    QCOMPARE(spec->graceSeconds, 15);
}

void LaunchJsonTest::aWrongSpecNamesTheKey()
{
    QCOMPARE(launchSpecFromJson({{"grace", "soon"}}).error().where, QStringLiteral("grace"));
    QCOMPARE(launchSpecFromJson({{"gracious", 1}}).error().where, QStringLiteral("gracious"));
    QVERIFY(!launchSpecFromJson(nlohmann::json::array()));
    QCOMPARE(launchSpecFromJson({{"msrun", {{"join", 7}}}}).error().where, QStringLiteral("msrun.join"));
    QCOMPARE(launchSpecFromJson({{"msrun", {{"jion", true}}}}).error().where, QStringLiteral("msrun.jion"));
    QCOMPARE(launchSpecFromJson({{"processes", {{"args", {{"x", {"1"}}}}}}}).error().where,
             QStringLiteral("processes.args.x"));
}

void LaunchJsonTest::aSpecOfTheFirstVersionIsRead()
{
    const auto spec =
        launchSpecFromJson({{"launcher", "msrun"}, {"msrun", {{"bind_core", "True"}, {"worker_num", 4}}}});
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->common.bindCore, QStringLiteral("True"));
    QCOMPARE(spec->msrun.workerNum, 4);
    QCOMPARE(launchSpecFromJson({{"msrun", {{"bind_core", 7}}}}).error().where,
             QStringLiteral("common.bind_core"));
}

void LaunchJsonTest::aPlanRoundTrips()
{
    LaunchPlan plan;
    plan.launcher = QStringLiteral("davincirun");
    plan.name = QStringLiteral("x");
    plan.thisNode = QStringLiteral("s");
    plan.rankTable.status = QStringLiteral("completed");
    plan.rankTable.servers = {
        {QStringLiteral("s"), {}, 0, {{DeviceId(4), QStringLiteral("192.0.2.1"), Rank(0)}}}};
    ProcessPlan process;
    process.role = Role::Scheduler;
    process.rank = Rank(3);
    process.device = DeviceId(4);
    process.argv = {QStringLiteral("a"), QString()};
    process.setVariables = {{QStringLiteral("A"), QStringLiteral("b")}};
    process.removeVariables = {QStringLiteral("C")};
    process.cpus = {1, 3};
    process.nice = 5;
    process.memoryLimitMiB = 1024;
    process.openFiles = 4096;
    process.umask = 0;
    process.hasTerminal = true;
    process.makeDirectories = {QStringLiteral("/d")};
    plan.processes = {process};
    plan.files = {{QStringLiteral("/f"), "content"}};
    plan.scratch = ScratchDirectory{QStringLiteral("V"), {QStringLiteral("/r")}};
    plan.graceSeconds = 1;
    plan.notes = {Sentence(QStringLiteral("note"))};
    plan.adopted = AdoptedProcess{4711, 12345678901234, QStringLiteral("42")};
    const auto again = launchPlanFromJson(nlohmann::json::parse(toJson(plan).dump()));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, plan);
}

void LaunchJsonTest::aWrongPlanIsRefused()
{
    QVERIFY(!launchPlanFromJson({{"launcher", "x"}}));
    QVERIFY(!launchPlanFromJson(nlohmann::json()));
}

} // namespace tst_launchjson

RANKDECK_TEST(tst_launchjson, LaunchJsonTest)
#include "tst_launchjson.moc"
