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
    spec.name = u"训练"_s;
    spec.command = {u"python3"_s, u"a b.py"_s};
    spec.randomCacheDir = false;
    spec.graceSeconds = 7;
    spec.environment = {{u"K"_s, u"v\"'\n"_s}};
    spec.msrun.workerNum = 16;
    spec.common.bindCore = u"True"_s;
    spec.common.rankEnvironment = {{3, {{u"K"_s, u"v"_s}}}};
    spec.common.before = {{u"echo"_s, u"a b"_s}, {u"true"_s}};
    spec.common.umask = 027;
    spec.common.terminals = u"3"_s;
    spec.common.wrappers = {u"0:gdb"_s, u"1:strace -e 'a b'"_s};
    spec.processes.args = {{0, {u"a b"_s}}, {1, {}}};
    spec.processes.envs = {{1, {{u"K"_s, u"v"_s}}}};
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
    QCOMPARE(launchSpecFromJson({{"grace", "soon"}}).error().where, u"grace"_s);
    QCOMPARE(launchSpecFromJson({{"gracious", 1}}).error().where, u"gracious"_s);
    QVERIFY(!launchSpecFromJson(nlohmann::json::array()));
    QCOMPARE(launchSpecFromJson({{"msrun", {{"join", 7}}}}).error().where, u"msrun.join"_s);
    QCOMPARE(launchSpecFromJson({{"msrun", {{"jion", true}}}}).error().where, u"msrun.jion"_s);
    QCOMPARE(launchSpecFromJson({{"processes", {{"args", {{"x", {"1"}}}}}}}).error().where,
             u"processes.args.x"_s);
}

void LaunchJsonTest::aSpecOfTheFirstVersionIsRead()
{
    const auto spec =
        launchSpecFromJson({{"launcher", "msrun"}, {"msrun", {{"bind_core", "True"}, {"worker_num", 4}}}});
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    QCOMPARE(spec->common.bindCore, u"True"_s);
    QCOMPARE(spec->msrun.workerNum, 4);
    QCOMPARE(launchSpecFromJson({{"msrun", {{"bind_core", 7}}}}).error().where, u"common.bind_core"_s);
}

void LaunchJsonTest::aPlanRoundTrips()
{
    LaunchPlan plan;
    plan.launcher = u"davincirun"_s;
    plan.name = u"x"_s;
    plan.thisNode = u"s"_s;
    plan.rankTable.status = u"completed"_s;
    plan.rankTable.servers = {{u"s"_s, {}, 0, {{DeviceId(4), u"192.0.2.1"_s, Rank(0)}}}};
    ProcessPlan process;
    process.role = Role::Scheduler;
    process.rank = Rank(3);
    process.device = DeviceId(4);
    process.argv = {u"a"_s, QString()};
    process.setVariables = {{u"A"_s, u"b"_s}};
    process.removeVariables = {u"C"_s};
    process.cpus = {1, 3};
    process.nice = 5;
    process.memoryLimitMiB = 1024;
    process.openFiles = 4096;
    process.umask = 0;
    process.hasTerminal = true;
    process.makeDirectories = {u"/d"_s};
    plan.processes = {process};
    plan.files = {{u"/f"_s, "content"}};
    plan.scratch = ScratchDirectory{u"V"_s, {u"/r"_s}};
    plan.graceSeconds = 1;
    plan.notes = {Sentence(u"note"_s)};
    plan.adopted = AdoptedProcess{4711, 12345678901234, u"42"_s};
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
