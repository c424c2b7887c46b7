#include "launch/plan/attempt.h"
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
        process.logFile = u"{run}/logs/attempt_{attempt}/0/stdout.log"_s;
        process.stderrFile = u"{run}/logs/attempt_{attempt}/0/stderr.log"_s;
        process.makeDirectories = QStringList{u"{run}/logs/attempt_{attempt}"_s};
        process.setVariables = {
            {QLatin1String(errorFileVariable), u"{run}/logs/attempt_{attempt}/0/error.json"_s},
            {QLatin1String(restartCountVariable), QLatin1String(attemptPlaceholder)}};
        plan.processes = {process};
        return plan;
    }
};

void AttemptTest::everyPathOfAnAttemptIsItsOwn()
{
    const ProcessPlan process = forAttempt(plan(), 12).processes[0];
    QCOMPARE(process.logFile, u"{run}/logs/attempt_12/0/stdout.log"_s);
    QCOMPARE(process.stderrFile, u"{run}/logs/attempt_12/0/stderr.log"_s);
    QCOMPARE(process.makeDirectories, QStringList{u"{run}/logs/attempt_12"_s});
    QCOMPARE(process.setVariables.value(QLatin1String(errorFileVariable)),
             u"{run}/logs/attempt_12/0/error.json"_s);
    QCOMPARE(process.setVariables.value(QLatin1String(restartCountVariable)), u"12"_s);
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
    QCOMPARE(forAttempt(plan(), u"/attempt_{attempt}/attempt_{attempt}/0/stdout.log"_s, 1),
             u"/attempt_{attempt}/attempt_1/0/stdout.log"_s);
    QCOMPARE(forAttempt(plan(), u"/x/{attempt}.log"_s, 1), u"/x/{attempt}.log"_s);
}

void AttemptTest::whatTheUserSetsIsLeftAlone()
{
    LaunchPlan own = plan();
    const QString value = u"out/attempt_{attempt}/{attempt}"_s;
    own.processes[0].setVariables.insert(u"PATTERN"_s, value);
    own.processes[0].setVariables.insert(QLatin1String(restartCountVariable), u"7"_s);
    const ProcessPlan process = forAttempt(own, 1).processes[0];
    QCOMPARE(process.setVariables.value(u"PATTERN"_s), value);
    QCOMPARE(process.setVariables.value(QLatin1String(restartCountVariable)), u"7"_s);
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
