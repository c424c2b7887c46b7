#include "diagnosis/evidence/plogs.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/evidencegathering.h"
#include "diagnosis/verdict/handmadecase.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_plogs
{

using namespace rankdeck;

class TestPlogs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void thoseOfAnyLayoutAreFound();
    void otherFilesAreNone_data();
    void otherFilesAreNone();
    void linksAreNotFollowed();
    void whatIsNoFileIsNotOpened();
    void depthIsBounded();
    void numberIsBounded();
    void theProcessesSayWhereTheyAre();
    void ofALogDirectoryTheyAreInIt();
    void aPlogIsThatOfItsPid();
    void aPlogOfAnUnknownPidIsThatOfTheRankItTells();
    void aPlogOfNobodyIsLeftOut();

private:
    void write(const QString &name, const QByteArray &content = "x\n")
    {
        const QString path = m_home->filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a file could not be written");
    }
    QStringList found() const
    {
        QStringList names;
        for (const Plog &plog : findPlogs(m_home->path()))
            names << QStringLiteral("%1 %2")
                         .arg(QDir(m_home->path()).relativeFilePath(plog.path))
                         .arg(plog.pid);
        return names;
    }
    Case gathered() const
    {
        const auto state = LogDirectory(m_home->path()).open();
        if (!state)
            qFatal("the log directory could not be opened");
        return gatherCase(*state, LineSigns(smallCatalogue())).evidence;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestPlogs::thoseOfAnyLayoutAreFound()
{
    write(QStringLiteral("run/plog/plog-12_20261122100000000.log"));
    write(QStringLiteral("debug/plog/plog-12_20261122100000000.log"));
    write(QStringLiteral("rank_3/plog/plog-4711_20261122100000000.log"));
    write(QStringLiteral("plog-7_1.log"));
    QCOMPARE(found(), (QStringList{QStringLiteral("debug/plog/plog-12_20261122100000000.log 12"),
                                   QStringLiteral("plog-7_1.log 7"),
                                   QStringLiteral("rank_3/plog/plog-4711_20261122100000000.log 4711"),
                                   QStringLiteral("run/plog/plog-12_20261122100000000.log 12")}));
    QVERIFY(findPlogs(m_home->filePath(QStringLiteral("nowhere"))).empty());
}

void TestPlogs::otherFilesAreNone_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"worker_0.log", "device-0_20261122.log", "plog-12.log", "plog-x_20261122.log",
          "plog-12_20261122.txt", "plog-99999999999_20261122.log", "plog-12_20261122.log.gz"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestPlogs::otherFilesAreNone()
{
    QFETCH(QString, name);
    write(name);
    QCOMPARE(found(), QStringList());
}

void TestPlogs::linksAreNotFollowed()
{
    const QTemporaryDir elsewhere;
    QFile file(elsewhere.filePath(QStringLiteral("plog-1_1.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(file.fileName(), m_home->filePath(QStringLiteral("plog-1_1.log"))));
    QVERIFY(QFile::link(elsewhere.path(), m_home->filePath(QStringLiteral("plog"))));
    QVERIFY(QFile::link(m_home->path(), m_home->filePath(QStringLiteral("itself"))));
    write(QStringLiteral("plog-2_1.log"));
    QCOMPARE(found(), QStringList{QStringLiteral("plog-2_1.log 2")});
}

void TestPlogs::whatIsNoFileIsNotOpened()
{
    QVERIFY(QDir(m_home->path()).mkdir(QStringLiteral("plog-1_1.log")));
    QCOMPARE(::mkfifo(m_home->filePath(QStringLiteral("plog-2_1.log")).toLocal8Bit(), 0600), 0);
    QCOMPARE(found(), QStringList());
}

void TestPlogs::depthIsBounded()
{
    write(QStringLiteral("1/2/3/4/5/6/plog-6_1.log"));
    write(QStringLiteral("1/2/3/4/5/6/7/plog-7_1.log"));
    QCOMPARE(found(), QStringList{QStringLiteral("1/2/3/4/5/6/plog-6_1.log 6")});
}

void TestPlogs::numberIsBounded()
{
    write(QStringLiteral("plog/plog-1_1.log"));
    const QByteArray folder = m_home->filePath(QStringLiteral("plog/")).toLocal8Bit();
    // Hard links are files of their own here, and made sooner.
    for (int pid = 2; pid <= 4100; ++pid)
        QCOMPARE(::link(folder + "plog-1_1.log", folder + "plog-" + QByteArray::number(pid) + "_1.log"), 0);
    QCOMPARE(findPlogs(m_home->path()).size(), 4096U);
}

void TestPlogs::theProcessesSayWhereTheyAre()
{
    qunsetenv("ASCEND_PROCESS_LOG_PATH");
    qunsetenv("ASCEND_WORK_PATH");
    LaunchPlan plan;
    plan.processes.resize(4);
    plan.processes[0].setVariables = {{QStringLiteral("ASCEND_PROCESS_LOG_PATH"), QStringLiteral("/logs")},
                                      {QStringLiteral("ASCEND_WORK_PATH"), QStringLiteral("/work")}};
    plan.processes[1].setVariables = plan.processes[0].setVariables;
    plan.processes[2].setVariables = {{QStringLiteral("ASCEND_WORK_PATH"), QStringLiteral("/work")}};
    RunState state;
    state.setPlan(plan);
    QCOMPARE(plogDirectories(state), (QStringList{QStringLiteral("/logs"), QStringLiteral("/work/log"),
                                                  QDir::homePath() + QStringLiteral("/ascend/log")}));
}

void TestPlogs::ofALogDirectoryTheyAreInIt()
{
    write(QStringLiteral("worker_0.log"));
    const auto state = LogDirectory(m_home->path()).open();
    QVERIFY(state);
    QCOMPARE(plogDirectories(*state), QStringList{state->directory});
}

void TestPlogs::aPlogIsThatOfItsPid()
{
    write(QStringLiteral("worker_0.log"),
          "[INFO] ME(5000,7f1c,python):2026-11-22-10:00:00.000.000 [a.cc:1] up\n");
    write(QStringLiteral("worker_1.log"),
          "[INFO] ME(5001,7f1c,python):2026-11-22-10:00:00.000.000 [a.cc:1] up\n");
    write(QStringLiteral("plog/plog-5001_1.log"),
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0006\n");
    const Case evidence = gathered();
    QCOMPARE(evidence.workers.size(), 2U);
    QVERIFY(evidence.workers[0].errors.empty());
    QCOMPARE(evidence.workers[1].errors.size(), 1U);
    QVERIFY(evidence.workers[1].errors.front().file.endsWith(QLatin1String("plog-5001_1.log")));
    QCOMPARE(evidence.workers[1].says(), RankEvidence::Says::Waiting);
}

void TestPlogs::aPlogOfAnUnknownPidIsThatOfTheRankItTells()
{
    write(QStringLiteral("worker_0.log"));
    write(QStringLiteral("worker_1.log"));
    // What the run's own plog says of the rank counts for the other one of its pid.
    write(
        QStringLiteral("run/plog/plog-5001_1.log"),
        "[INFO] HCCL(5001,python):2026-11-22-10:00:00.000.000 [a.cc:1] Entry-HcclCommInitRootInfo: ranks[2], "
        "rank[1]\n");
    write(QStringLiteral("debug/plog/plog-5001_1.log"),
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0005\n");
    const Case evidence = gathered();
    QVERIFY(evidence.workers[0].errors.empty());
    QCOMPARE(evidence.workers[1].says(), RankEvidence::Says::Disagrees);
}

void TestPlogs::aPlogOfNobodyIsLeftOut()
{
    write(QStringLiteral("worker_0.log"));
    write(QStringLiteral("plog/plog-5001_1.log"),
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0005\n");
    write(QStringLiteral("plog/plog-5002_1.log"), "[ERROR] HCCL(5002,python):2026-11-22-10:00:05.000.000 "
                                                  "[a.cc:1] Entry-HcclCommInitRootInfo: ranks[2], "
                                                  "rank[4000000]\n");
    const Case evidence = gathered();
    QCOMPARE(evidence.workers.size(), 1U);
    QVERIFY(evidence.workers.front().errors.empty());
}

} // namespace tst_plogs

RANKDECK_TEST(tst_plogs, TestPlogs)
#include "tst_plogs.moc"
