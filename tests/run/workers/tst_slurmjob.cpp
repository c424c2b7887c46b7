#include "run/workers/slurmjob.h"
#include "support/testmain.h"

#include <QTest>

#include <csignal>

namespace tst_slurmjob
{

using namespace rankdeck;

/// What Slurm tells of its jobs.
class SlurmJobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aJobIsRead();
    void namesMayHaveBlanks();
    void eachJobOfAnArrayIsRead();
    void onlyTheIdOfAJobIsAsked();
    void theStateTellsTheEnd_data();
    void theStateTellsTheEnd();
};

// As Slurm 22.05 prints it.
constexpr char running[] = "JobId=2 JobName=job.sh\n"
                           "   UserId=bob(1000) GroupId=bob(1000) MCS_label=N/A\n"
                           "   Priority=4294901759 Nice=0 Account=(null) QOS=(null)\n"
                           "   JobState=RUNNING Reason=None Dependency=(null)\n"
                           "   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0\n"
                           "   RunTime=00:00:01 TimeLimit=UNLIMITED TimeMin=N/A\n"
                           "   NodeList=node1\n"
                           "   Command=/home/bob/job.sh\n"
                           "   WorkDir=/home/bob\n"
                           "   StdErr=/home/bob/slurm-2.out\n"
                           "   StdIn=/dev/null\n"
                           "   StdOut=/home/bob/slurm-2.out\n"
                           "   Power=\n\n";

void SlurmJobTest::aJobIsRead()
{
    const QList<SlurmJob> jobs = slurmJobsFrom(running);
    QCOMPARE(jobs.size(), 1);
    const SlurmJob &job = jobs.first();
    QCOMPARE(job.id, u"2"_s);
    QCOMPARE(job.name, u"job.sh"_s);
    QCOMPARE(job.user, u"bob"_s);
    QCOMPARE(job.userId, 1000U);
    QCOMPARE(job.state, u"RUNNING"_s);
    QCOMPARE(job.command, u"/home/bob/job.sh"_s);
    QCOMPARE(job.workDir, u"/home/bob"_s);
    QCOMPARE(job.output, u"/home/bob/slurm-2.out"_s);
    QCOMPARE(job.errors, job.output);
    QVERIFY(!job.isPending() && !job.hasEnded());
}

void SlurmJobTest::namesMayHaveBlanks()
{
    const SlurmJob job = slurmJobsFrom("JobId=7 JobName=my own job\n"
                                       "   UserId=x(5) GroupId=x(5)\n"
                                       "   JobState=PENDING Reason=Resources\n"
                                       "   Command=(null)\n"
                                       "   StdOut=/home/bob/my runs/StdErr=1.log\n")
                             .value(0);
    QCOMPARE(job.name, u"my own job"_s);
    QCOMPARE(job.command, QString());
    QCOMPARE(job.output, u"/home/bob/my runs/StdErr=1.log"_s);
    QVERIFY(job.isPending());
}

void SlurmJobTest::eachJobOfAnArrayIsRead()
{
    const QList<SlurmJob> jobs =
        slurmJobsFrom("JobId=9 ArrayJobId=8 ArrayTaskId=1 JobName=a\n   JobState=RUNNING\n\n"
                      "JobId=8 ArrayJobId=8 ArrayTaskId=2 JobName=a\n   JobState=PENDING\n\n");
    QCOMPARE(jobs.size(), 2);
    QCOMPARE(jobs.first().id, u"9"_s);
    QCOMPARE(jobs.last().state, u"PENDING"_s);
    QVERIFY(slurmJobsFrom("No jobs in the system\n").isEmpty());
}

void SlurmJobTest::onlyTheIdOfAJobIsAsked()
{
    for (const char *word : {"", "train", "-1", "4;reboot", "4_", "_4", "4 5"})
        QVERIFY2(askForSlurmJob(QString::fromLatin1(word)).error().what.contains("is not the id"_L1), word);
}

void SlurmJobTest::theStateTellsTheEnd_data()
{
    using Kind = ExitStatus::Kind;
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("exitCode");
    QTest::addColumn<bool>("hasEnded");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("number");
    const auto row = [](const char *state, const char *exitCode, bool hasEnded, Kind kind, int number) {
        QTest::addRow("%s %s", state, exitCode)
            << QString::fromLatin1(state) << QString::fromLatin1(exitCode) << hasEnded << int(kind) << number;
    };
    row("COMPLETED", "0:0", true, Kind::Exited, 0);
    row("FAILED", "3:0", true, Kind::Exited, 3);
    row("FAILED", "0:9", true, Kind::Signalled, SIGKILL);
    row("CANCELLED", "0:0", true, Kind::Signalled, SIGTERM);
    row("CANCELLED", "0:15", true, Kind::Signalled, SIGTERM);
    row("TIMEOUT", "0:0", true, Kind::Signalled, SIGTERM);
    row("NODE_FAIL", "0:0", true, Kind::Unknown, 0);
    row("OUT_OF_MEMORY", "0:125", true, Kind::Unknown, 0);
    row("COMPLETING", "0:0", false, Kind::Unknown, 0);
    row("SUSPENDED", "0:0", false, Kind::Unknown, 0);
}

void SlurmJobTest::theStateTellsTheEnd()
{
    QFETCH(QString, state);
    QFETCH(QString, exitCode);
    SlurmJob job;
    job.state = state;
    job.exitCode = exitCode;
    QTEST(job.hasEnded(), "hasEnded");
    QTEST(int(job.status().kind), "kind");
    QTEST(job.status().number, "number");
}

} // namespace tst_slurmjob

RANKDECK_TEST(tst_slurmjob, SlurmJobTest)
#include "tst_slurmjob.moc"
