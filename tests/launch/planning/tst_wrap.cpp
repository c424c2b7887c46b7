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
        facts.hostName = QStringLiteral("box");
        facts.currentDirectory = QStringLiteral("/home/user");
        return facts;
    }
    static Result<LaunchPlan> planOf(const QString &line)
    {
        const auto spec = launcherCommandLine(QStringLiteral("wrap"))->parse(line.split(QLatin1Char(' ')));
        return spec ? planNode(*spec, {}, {}, facts()) : Result<LaunchPlan>(spec.error());
    }
};

void WrapTest::theCommandIsOneProcessWithoutARank()
{
    const auto plan = planOf(QStringLiteral("--log-dir out -- bash run.sh --nproc 8"));
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QCOMPARE(plan->launcher, QStringLiteral("wrap"));
    QCOMPARE(plan->name, QStringLiteral("bash"));
    QCOMPARE(plan->worldSize(), 0);
    QCOMPARE(plan->processes.size(), 1U);
    const ProcessPlan &process = plan->processes.front();
    QCOMPARE(process.role, Role::Console);
    QCOMPARE(process.argv.join(QLatin1Char(' ')), QStringLiteral("bash run.sh --nproc 8"));
    QCOMPARE(process.logFile, QStringLiteral("/home/user/out/console.log"));
    QCOMPARE(process.device, ProcessPlan::noDevice);
}

void WrapTest::thePlanSurvivesJson()
{
    const auto plan = planOf(QStringLiteral("-- bash run.sh"));
    QVERIFY(plan);
    const auto again = launchPlanFromJson(toJson(*plan));
    QVERIFY(again);
    QCOMPARE(*again, *plan);
}

void WrapTest::theUsersVariablesWin()
{
    const auto plan = planOf(QStringLiteral("--env PYTHONUNBUFFERED= --env A=b -- bash run.sh"));
    QVERIFY(plan);
    const QMap<QString, QString> expected{
        {QStringLiteral("PYTHONUNBUFFERED"), QString()},
        {QStringLiteral("A"), QStringLiteral("b")},
        {QStringLiteral("RANKDECK_RUN_FILE"), QStringLiteral("{run}/run.json")}};
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
    const auto plan = planOf(options + QStringLiteral(" -- bash run.sh"));
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, options.section(QLatin1Char(' '), 0, 0));
    QVERIFY(!plan.error().mend.isEmpty());
}

} // namespace tst_wrap

RANKDECK_TEST(tst_wrap, WrapTest)
#include "tst_wrap.moc"
