#include "base/fields.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_wrap
{

using namespace rankdeck;

class WrapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCommandIsOneProcessWithoutARank();
    void thePlanSurvivesJson();
    void theUsersVariablesWin();
    void whatIsForSingleRanksOrNodesIsRefused_data();
    void whatIsForSingleRanksOrNodesIsRefused();

private:
    static HostFacts facts()
    {
        HostFacts facts;
        facts.hostName = u"box"_s;
        facts.currentDirectory = u"/home/user"_s;
        return facts;
    }
    static Result<LaunchPlan> planOf(const QString &line)
    {
        const auto spec = launcherCommandLine(u"wrap"_s)->parse(line.split(' '_L1));
        return spec ? planNode(*spec, {}, {}, facts()) : Result<LaunchPlan>(spec.error());
    }
};

void WrapTest::theCommandIsOneProcessWithoutARank()
{
    const auto plan = planOf(u"--log-dir out -- bash run.sh --nproc 8"_s);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->launcher, u"wrap"_s);
    QCOMPARE(plan->name, u"bash"_s);
    QCOMPARE(plan->worldSize(), 0);
    QCOMPARE(plan->processes.size(), 1U);
    const ProcessPlan &process = plan->processes.front();
    QCOMPARE(process.role, Role::Console);
    QCOMPARE(process.argv.join(' '_L1), u"bash run.sh --nproc 8"_s);
    QCOMPARE(process.logFile, u"/home/user/out/console.log"_s);
    QCOMPARE(process.device, ProcessPlan::noDevice);
}

void WrapTest::thePlanSurvivesJson()
{
    const auto plan = planOf(u"-- bash run.sh"_s);
    QVERIFY(plan);
    const auto again = launchPlanFromJson(toJson(*plan));
    QVERIFY(again);
    QCOMPARE(*again, *plan);
}

void WrapTest::theUsersVariablesWin()
{
    const auto plan = planOf(u"--env PYTHONUNBUFFERED= --env A=b -- bash run.sh"_s);
    QVERIFY(plan);
    const QMap<QString, QString> expected{
        {u"PYTHONUNBUFFERED"_s, QString()}, {u"A"_s, u"b"_s}, {u"RANKDECK_RUN_FILE"_s, u"{run}/run.json"_s}};
    QCOMPARE(plan->processes.front().setVariables, expected);
}

void WrapTest::whatIsForSingleRanksOrNodesIsRefused_data()
{
    QTest::addColumn<QString>("options");
    for (const char *options :
         {"--rank-env 0:A=b", "--wrap 0:gdb", "--tty all", "--nodes a,b", "--transport ssh"})
        QTest::newRow(options) << QString::fromLatin1(options);
}

void WrapTest::whatIsForSingleRanksOrNodesIsRefused()
{
    QFETCH(QString, options);
    const auto plan = planOf(options + u" -- bash run.sh"_s);
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, options.section(' '_L1, 0, 0));
    QVERIFY(!plan.error().mend.isEmpty());
}

} // namespace tst_wrap

RANKDECK_TEST(tst_wrap, WrapTest)
#include "tst_wrap.moc"
