#include "run/record/runcatalog.h"
#include "run/record/rundeletion.h"
#include "run/record/rundirectory.h"
#include "support/recordedrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QTest>

#include <memory>

namespace tst_rundeletion
{

using namespace rankdeck;

namespace
{

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(text) != text.size())
        qFatal("%s cannot be written", qPrintable(path));
}

} // namespace

class RunDeletionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<TestHome>();
        qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    }
    void whatLinksLeadToStays();
    void aLogThatIsALinkStays();
    void aRunOutsideTheirDirectoryIsRefused();
    void aLinkInTheirDirectoryIsRefused();
    void whatAnInterruptedDeletionLeftIsNoRunAndGoesWithTheNext();
    void logsOfAllAttemptsGo();
    void onlyWhatEndedLongAgoIsExpired();

private:
    std::unique_ptr<TestHome> m_home;
};

void RunDeletionTest::whatLinksLeadToStays()
{
    write(m_home->path("data/precious.txt"), "precious");
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    QVERIFY(QFile::link(m_home->path("data"), run.directory() + u"/data"_s));
    QVERIFY(QFile::link(m_home->path("data/precious.txt"), run.directory() + u"/file"_s));
    const auto error = deleteRun(run.directory(), true);
    QVERIFY2(!error, qPrintable(error.value_or(Error()).sentence()));
    QVERIFY(!QFile::exists(run.directory()));
    QVERIFY(QFile::exists(m_home->path("data/precious.txt")));
}

void RunDeletionTest::aLogThatIsALinkStays()
{
    write(m_home->path("data/precious.txt"), "precious");
    RecordedRun run;
    QVERIFY(QDir().mkpath(m_home->path("logs")));
    run.logTo(m_home->path("logs"));
    run.print(1, "hello\n");
    QVERIFY(QFile::link(m_home->path("data/precious.txt"), run.plan().processes[0].logFile));
    run.finish(RunPhase::Failed, 1);
    const auto files = runFiles(run.directory());
    QVERIFY(files);
    QCOMPARE(files->outsideLogs, QStringList{run.plan().processes[1].logFile});
    QCOMPARE(files->outsideBytes, 6);
    QVERIFY(!deleteRun(run.directory(), true));
    QVERIFY(QFile::exists(m_home->path("data/precious.txt")));
    QVERIFY(QFileInfo(run.plan().processes[0].logFile).isSymLink());
    QVERIFY(!QFile::exists(run.plan().processes[1].logFile));
}

void RunDeletionTest::aRunOutsideTheirDirectoryIsRefused()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    const QString elsewhere = m_home->path("elsewhere");
    QVERIFY(QDir().rename(run.directory(), elsewhere));
    const auto error = deleteRun(elsewhere, true);
    QVERIFY(error);
    QVERIFY2(error->what.contains("outside"_L1), qPrintable(error->sentence()));
    QVERIFY(QFile::exists(elsewhere + u"/run.json"_s));
}

void RunDeletionTest::aLinkInTheirDirectoryIsRefused()
{
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    const QString elsewhere = m_home->path("elsewhere");
    QVERIFY(QDir().rename(run.directory(), elsewhere));
    QVERIFY(QFile::link(elsewhere, run.directory()));
    const auto error = deleteRun(run.directory(), true);
    QVERIFY(error);
    QVERIFY2(error->what.contains("symbolic link"_L1), qPrintable(error->sentence()));
    QVERIFY(QFile::exists(elsewhere + u"/run.json"_s));
}

void RunDeletionTest::whatAnInterruptedDeletionLeftIsNoRunAndGoesWithTheNext()
{
    RecordedRun half;
    half.finish(RunPhase::Succeeded, 0);
    const QString aside = runsDirectory() + u"/.deleted-"_s + QFileInfo(half.directory()).fileName();
    QVERIFY(QDir().rename(half.directory(), aside));
    QVERIFY(RunSummaries().read().isEmpty());
    RecordedRun run;
    run.finish(RunPhase::Succeeded, 0);
    QCOMPARE(RunSummaries().read().size(), 1);
    QVERIFY(!deleteRun(run.directory(), false));
    QVERIFY(!QFile::exists(aside));
}

void RunDeletionTest::logsOfAllAttemptsGo()
{
    RecordedRun run(1, 2);
    run.logTo(m_home->path("logs"));
    run.allowRestarts(2);
    run.print(0, "zero\n");
    run.restart(u"rank 0 failed"_s);
    run.print(0, "one\n");
    write(m_home->path("logs/attempt_2/proc-rank-0-device-0.txt"), "of somebody else\n");
    run.finish(RunPhase::Failed, 1);
    QCOMPARE(runFiles(run.directory())->outsideLogs,
             (QStringList{m_home->path("logs/attempt_0/proc-rank-0-device-0.txt"),
                          m_home->path("logs/attempt_1/proc-rank-0-device-0.txt")}));
}

void RunDeletionTest::onlyWhatEndedLongAgoIsExpired()
{
    RecordedRun live;
    live.startAll();
    RecordedRun ended;
    ended.finish(RunPhase::Failed, 1);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const KeepSetting week{7};
    const QList<RunSummary> runs = RunSummaries().read();
    QCOMPARE(runs.size(), 2);
    QVERIFY(expiredRuns(runs, week, now.addDays(6)).isEmpty());
    const QList<RunSummary> expired = expiredRuns(runs, week, now.addDays(8));
    QCOMPARE(expired.size(), 1);
    QCOMPARE(expired.first().directory, ended.directory());
    QVERIFY(expiredRuns(runs, {}, now.addYears(100)).isEmpty());
}

} // namespace tst_rundeletion

RANKDECK_TEST(tst_rundeletion, RunDeletionTest)
#include "tst_rundeletion.moc"
