#include "diagnosis/failure/failurereport.h"
#include "diagnosis/failure/schedulerfailure.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_schedulerfailure
{

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
    void whoDidNotRegisterIsNamedByNode();
    void withoutRanksOnlyTheirNumberIsKnown();
    void aFormedClusterMissesNobody();
    void silentWorkersAreNamed();
    void aFailedWorkerIsNotBlamedOnThoseThatHadTime();
    void theReportNamesTheScheduler();

private:
    static constexpr int scheduler = 4;

    /// Four workers of eight here, and a scheduler that failed 12 s after its start.
    RunState m_run;
    std::shared_ptr<LaunchPlan> m_plan;
    QTemporaryDir m_directory;

    void say(const QByteArray &text)
    {
        m_plan->processes[scheduler].logFile = m_directory.filePath(u"scheduler.log"_s);
        QFile file(m_plan->processes[scheduler].logFile);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the log cannot be written");
    }
    static QByteArray registered(const char *id)
    {
        return QByteArray("The new node: ") + id + "(role: MS_WORKER) is registered successfully.\n";
    }
    /// As msrun does with --node_rank.
    void giveRanks()
    {
        for (int rank = 0; rank < scheduler; ++rank)
            m_plan->processes[size_t(rank)].setVariables.insert(u"MS_NODE_ID"_s, QString::number(rank));
    }
};

void SchedulerFailureTest::init()
{
    m_run = running(handMadeRun(2, 4));
    m_plan = std::make_shared<LaunchPlan>(*m_run.plan);
    ProcessPlan process;
    process.role = Role::Scheduler;
    process.node = m_plan->thisNode;
    process.setVariables = {{u"MS_TOPO_TIMEOUT"_s, u"600"_s}};
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
    QCOMPARE(schedulerFailureReason(m_run, scheduler), u"4 of 8 workers were started on this node"_s);
}

void SchedulerFailureTest::itNamesThoseThatWereNotStartedOrHadEnded()
{
    m_run.ranks[1].pid = 0;
    m_run.ranks[3].status = ExitStatus{};
    QCOMPARE(schedulerFailureReason(m_run, scheduler),
             u"3 of 8 workers were started on this node; not started: rank 1; ended before the "
             "scheduler: rank 3"_s);
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
    m_plan->processes[scheduler].setVariables = {{u"MS_TOPO_TIMEOUT"_s, limit}};
    const QString reason = schedulerFailureReason(m_run, scheduler);
    QTEST(reason.startsWith("it lived for 12 s, and the cluster had 10 s to form"_L1), "isOver");
}

void SchedulerFailureTest::whoDidNotRegisterIsNamedByNode()
{
    giveRanks();
    say(registered("0") + registered("1") + registered("3") + registered("6"));
    const QString reason = schedulerFailureReason(m_run, scheduler);
    QVERIFY2(reason.endsWith("; 4 of 8 workers registered with the scheduler; not registered, on "
                             "this node: rank 2; not registered, on other nodes: rank 4, 5, 7"_L1),
             qPrintable(reason));
}

void SchedulerFailureTest::withoutRanksOnlyTheirNumberIsKnown()
{
    say(registered("0d3c") + registered("77fe"));
    const QString reason = schedulerFailureReason(m_run, scheduler);
    QVERIFY2(reason.endsWith("; 2 of 8 workers registered with the scheduler"_L1), qPrintable(reason));
}

void SchedulerFailureTest::aFormedClusterMissesNobody()
{
    giveRanks();
    m_plan->processes[scheduler].setVariables[u"MS_TOPO_TIMEOUT"_s] = u"10"_s;
    say(registered("0") + "The cluster topology has been constructed successfully.\n");
    QCOMPARE(schedulerFailureReason(m_run, scheduler), u"4 of 8 workers were started on this node"_s);
}

void SchedulerFailureTest::silentWorkersAreNamed()
{
    say("The node: 0d3c is timed out.\n");
    QVERIFY(
        schedulerFailureReason(m_run, scheduler).endsWith("; the scheduler lost contact with node 0d3c"_L1));
    giveRanks();
    say("The node: 5 is timed out.\n");
    QCOMPARE(missingWorkersReason(m_run), u"the scheduler lost contact with rank 5"_s);
}

/// The others had not come yet when it failed.
void SchedulerFailureTest::aFailedWorkerIsNotBlamedOnThoseThatHadTime()
{
    giveRanks();
    say(registered("0"));
    QCOMPARE(missingWorkersReason(m_run), QString());
    m_plan->processes[scheduler].setVariables[u"MS_TOPO_TIMEOUT"_s] = u"10"_s;
    QVERIFY(missingWorkersReason(m_run).startsWith("1 of 8 workers registered"_L1));
    m_plan->processes.pop_back();
    QCOMPARE(missingWorkersReason(m_run), QString());
}

void SchedulerFailureTest::theReportNamesTheScheduler()
{
    m_run.failure = failureOf(*m_plan, scheduler, 2000, {ExitStatus::Kind::Exited, 1}, Sentence(u"why"_s));
    const QString report = verdictText(firstSight(m_run, nullptr, QLocale::c()), m_run);
    QVERIFY(report.contains("The scheduler failed first: exit code 1"_L1));
    QVERIFY(!report.contains("Rank 0 failed"_L1));
    QVERIFY(report.contains("  scheduler  exit code"_L1));
}

} // namespace tst_schedulerfailure

RANKDECK_TEST(tst_schedulerfailure, SchedulerFailureTest)
#include "tst_schedulerfailure.moc"
