#include "run/workers/slurmjob.h"
#include "support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_slurmjobwatch
{

using namespace rankdeck;

/// Following a job of Slurm, whose programs are stand-ins.
class SlurmJobWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { qputenv("PATH", m_path); }
    void cleanup()
    {
        for (const char *name : {"scontrol", "sacct", "scancel"})
            QFile::remove(m_directory.filePath(QLatin1String(name)));
    }
    void aJobThatHasEndedIsTold();
    void whatTheControllerHasForgottenIsInTheHistory();
    void withoutAHistoryTheEndIsUnknown_data();
    void withoutAHistoryTheEndIsUnknown();
    void aRefusalToCancelIsTold();

private:
    void program(const char *name, const char *lines)
    {
        QFile file(m_directory.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("#!/bin/sh\n") + lines + '\n');
        file.close();
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    }
    /// Follows a job to its end, of which nobody has heard before.
    void follow()
    {
        m_ends.clear();
        SlurmJobWatch watch(u"42"_s);
        QSignalSpy started(&watch, &SlurmJobWatch::started);
        connect(&watch, &SlurmJobWatch::ended, this, [&](const ExitStatus &end) { m_ends << end; });
        watch.start();
        QTRY_COMPARE_WITH_TIMEOUT(m_ends.size(), 1, 30000);
        QCOMPARE(started.size(), 1);
    }

    QTemporaryDir m_directory;
    QByteArray m_path = qgetenv("PATH");
    QList<ExitStatus> m_ends;
};

constexpr char forgotten[] = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";

void SlurmJobWatchTest::initTestCase()
{
    // Nothing else, so that no real Slurm answers.
    qputenv("PATH", m_directory.path().toLocal8Bit());
}

void SlurmJobWatchTest::aJobThatHasEndedIsTold()
{
    program("scontrol", "[ \"$1 $2 $3\" = 'show job 42' ] || exit 1\n"
                        "printf 'JobId=42 JobName=a\\n   JobState=FAILED\\n   ExitCode=7:0\\n'");
    follow();
    QCOMPARE(m_ends.value(0), (ExitStatus{ExitStatus::Kind::Exited, 7}));
}

void SlurmJobWatchTest::whatTheControllerHasForgottenIsInTheHistory()
{
    program("scontrol", forgotten);
    program("sacct", "for word; do [ \"$word\" = --jobs=42 ] && echo 'CANCELLED by 1000|0:9'; done");
    follow();
    QCOMPARE(m_ends.value(0), (ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
}

void SlurmJobWatchTest::withoutAHistoryTheEndIsUnknown_data()
{
    QTest::addColumn<bool>("hasSacct");
    QTest::newRow("accounting is off") << true;
    QTest::newRow("no sacct") << false;
}

void SlurmJobWatchTest::withoutAHistoryTheEndIsUnknown()
{
    QFETCH(bool, hasSacct);
    program("scontrol", forgotten);
    if (hasSacct)
        program("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
    follow();
    QCOMPARE(m_ends.value(0).kind, ExitStatus::Kind::Unknown);
}

void SlurmJobWatchTest::aRefusalToCancelIsTold()
{
    program("scancel",
            "echo 'scancel: error: Kill job error on job id 42: Access/permission denied' >&2; exit 1");
    SlurmJobWatch watch(u"42"_s);
    QSignalSpy noted(&watch, &SlurmJobWatch::noted);
    watch.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(noted.size(), 1, 30000);
    QVERIFY(noted.first().first().value<Sentence>().text().contains("Access/permission denied"_L1));
}

} // namespace tst_slurmjobwatch

RANKDECK_TEST(tst_slurmjobwatch, SlurmJobWatchTest)
#include "tst_slurmjobwatch.moc"
