#include "launch/plan/attempt.h"
#include "launch/plan/planvariables.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_attempt
{

using namespace rankdeck;

class AttemptTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPathOfAnAttemptIsItsOwn();
    void hooksKnowTheirAttempt();
    void onlyThePlannersFolderIsReplaced();
    void whatTheUserSetsIsLeftAlone();
    void withoutRestartsAPlanStaysAsItIs();

private:
    static LaunchPlan plan()
    {
        LaunchPlan plan;
        plan.maxRestarts = 2;
        ProcessPlan process;
        process.logFile = QStringLiteral("{run}/logs/attempt_{attempt}/0/stdout.log");
        process.stderrFile = QStringLiteral("{run}/logs/attempt_{attempt}/0/stderr.log");
        process.makeDirectories = QStringList{QStringLiteral("{run}/logs/attempt_{attempt}")};
        process.setVariables = {
            {QLatin1String(errorFileVariable), QStringLiteral("{run}/logs/attempt_{attempt}/0/error.json")},
            {QLatin1String(restartCountVariable), QLatin1String(attemptPlaceholder)}};
        plan.processes = {process};
        return plan;
    }
};

void AttemptTest::everyPathOfAnAttemptIsItsOwn()
{
    const ProcessPlan process = forAttempt(plan(), 12).processes[0];
    QCOMPARE(process.logFile, QStringLiteral("{run}/logs/attempt_12/0/stdout.log"));
    QCOMPARE(process.stderrFile, QStringLiteral("{run}/logs/attempt_12/0/stderr.log"));
    QCOMPARE(process.makeDirectories, QStringList{QStringLiteral("{run}/logs/attempt_12")});
    QCOMPARE(process.setVariables.value(QLatin1String(errorFileVariable)),
             QStringLiteral("{run}/logs/attempt_12/0/error.json"));
    QCOMPARE(process.setVariables.value(QLatin1String(restartCountVariable)), QStringLiteral("12"));
}

void AttemptTest::hooksKnowTheirAttempt()
{
    LaunchPlan own = plan();
    own.before = own.processes;
    own.after = own.processes;
    const LaunchPlan second = forAttempt(own, 1);
    QCOMPARE(second.before, second.processes);
    QCOMPARE(second.after, second.processes);
}

void AttemptTest::onlyThePlannersFolderIsReplaced()
{
    QCOMPARE(forAttempt(plan(), QStringLiteral("/attempt_{attempt}/attempt_{attempt}/0/stdout.log"), 1),
             QStringLiteral("/attempt_{attempt}/attempt_1/0/stdout.log"));
    QCOMPARE(forAttempt(plan(), QStringLiteral("/x/{attempt}.log"), 1), QStringLiteral("/x/{attempt}.log"));
}

void AttemptTest::whatTheUserSetsIsLeftAlone()
{
    LaunchPlan own = plan();
    const QString value = QStringLiteral("out/attempt_{attempt}/{attempt}");
    own.processes[0].setVariables.insert(QStringLiteral("PATTERN"), value);
    own.processes[0].setVariables.insert(QLatin1String(restartCountVariable), QStringLiteral("7"));
    const ProcessPlan process = forAttempt(own, 1).processes[0];
    QCOMPARE(process.setVariables.value(QStringLiteral("PATTERN")), value);
    QCOMPARE(process.setVariables.value(QLatin1String(restartCountVariable)), QStringLiteral("7"));
}

void AttemptTest::withoutRestartsAPlanStaysAsItIs()
{
    LaunchPlan own = plan();
    own.maxRestarts = 0;
    QCOMPARE(forAttempt(own, 1), own);
}

} // namespace tst_attempt

RANKDECK_TEST(tst_attempt, AttemptTest)
#include "tst_attempt.moc"
