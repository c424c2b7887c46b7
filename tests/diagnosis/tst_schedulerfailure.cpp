#include "diagnosis/failurereport.h"
#include "diagnosis/schedulerfailure.h"
#include "support/handmaderun.h"

#include <QTest>

using namespace rankdeck;

class SchedulerFailureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itSaysHowManyWorkersWereStartedHere();
    void itNamesThoseThatWereNotStartedOrHadEnded();
    void itSaysThatTheTimeToFormWasOver_data();
    void itSaysThatTheTimeToFormWasOver();
    void theReportNamesTheScheduler();

private:
    static constexpr int scheduler = 4;

    /// Four workers of eight here, and a scheduler that failed 12 s after its start.
    RunState m_run;
    std::shared_ptr<LaunchPlan> m_plan;
};

void SchedulerFailureTest::init()
{
    m_run = running(handMadeRun(2, 4));
    m_plan = std::make_shared<LaunchPlan>(*m_run.plan);
    ProcessPlan process;
    process.role = Role::Scheduler;
    process.node = m_plan->thisNode;
    process.setVariables = {{QStringLiteral("MS_TOPO_TIMEOUT"), QStringLiteral("600")}};
    m_plan->processes.push_back(process);
    m_run.plan = m_plan;
    RankState ended;
    ended.phase = RankPhase::Failed;
    ended.pid = 2000;
    ended.ended = QDateTime::currentDateTimeUtc();
    ended.started = ended.ended.addSecs(-12);
    ended.status = ExitStatus{ExitStatus::Kind::Exited, 1};
    m_run.ranks.push_back(ended);
}

void SchedulerFailureTest::itSaysHowManyWorkersWereStartedHere()
{
    QCOMPARE(schedulerFailureReason(m_run, scheduler),
             QStringLiteral("4 of 8 workers were started on this node"));
}

void SchedulerFailureTest::itNamesThoseThatWereNotStartedOrHadEnded()
{
    m_run.ranks[1].pid = 0;
    m_run.ranks[3].status = ExitStatus{};
    QCOMPARE(schedulerFailureReason(m_run, scheduler),
             QStringLiteral("3 of 8 workers were started on this node; not started: rank 1; ended before the "
                            "scheduler: rank 3"));
}

void SchedulerFailureTest::itSaysThatTheTimeToFormWasOver_data()
{
    QTest::addColumn<QString>("limit");
    QTest::addColumn<bool>("isOver");
    QTest::newRow("later") << "600" << false;
    QTest::newRow("earlier") << "10" << true;
    QTest::newRow("without end") << "-1" << false;
    QTest::newRow("no number") << "x" << false;
}

void SchedulerFailureTest::itSaysThatTheTimeToFormWasOver()
{
    QFETCH(QString, limit);
    m_plan->processes[scheduler].setVariables = {{QStringLiteral("MS_TOPO_TIMEOUT"), limit}};
    const QString reason = schedulerFailureReason(m_run, scheduler);
    QTEST(reason.startsWith(QLatin1String("it lived for 12 s, and the cluster had 10 s to form")), "isOver");
}

void SchedulerFailureTest::theReportNamesTheScheduler()
{
    m_run.failure = failureOf(*m_plan, scheduler, 2000, {ExitStatus::Kind::Exited, 1}, QStringLiteral("why"));
    const QString report = failureReport(m_run);
    QVERIFY(report.contains(QLatin1String("The scheduler failed first: exit code 1")));
    QVERIFY(!report.contains(QLatin1String("Rank 0 failed")));
    QVERIFY(report.contains(QLatin1String("  scheduler  failed")));
}

QTEST_GUILESS_MAIN(SchedulerFailureTest)
#include "tst_schedulerfailure.moc"
