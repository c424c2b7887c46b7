#include "diagnosis/evidence/cannfiles.h"
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
            names << u"%1 %2"_s.arg(QDir(m_home->path()).relativeFilePath(plog.path)).arg(plog.pid);
        return names;
    }
    Case gathered() const
    {
        const auto state = LogDirectory(m_home->path()).open();
        if (!state)
            qFatal("the log directory could not be opened");
        return gatherCase(*state, smallCatalogue()).evidence;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestPlogs::thoseOfAnyLayoutAreFound()
{
    write(u"run/plog/plog-12_20261122100000000.log"_s);
    write(u"debug/plog/plog-12_20261122100000000.log"_s);
    write(u"rank_3/plog/plog-4711_20261122100000000.log"_s);
    write(u"plog-7_1.log"_s);
    QCOMPARE(found(), (QStringList{u"debug/plog/plog-12_20261122100000000.log 12"_s, u"plog-7_1.log 7"_s,
                                   u"rank_3/plog/plog-4711_20261122100000000.log 4711"_s,
                                   u"run/plog/plog-12_20261122100000000.log 12"_s}));
    QVERIFY(findPlogs(m_home->filePath(u"nowhere"_s)).empty());
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
    QFile file(elsewhere.filePath(u"plog-1_1.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(file.fileName(), m_home->filePath(u"plog-1_1.log"_s)));
    QVERIFY(QFile::link(elsewhere.path(), m_home->filePath(u"plog"_s)));
    QVERIFY(QFile::link(m_home->path(), m_home->filePath(u"itself"_s)));
    write(u"plog-2_1.log"_s);
    QCOMPARE(found(), QStringList{u"plog-2_1.log 2"_s});
}

void TestPlogs::whatIsNoFileIsNotOpened()
{
    QVERIFY(QDir(m_home->path()).mkdir(u"plog-1_1.log"_s));
    QCOMPARE(::mkfifo(m_home->filePath(u"plog-2_1.log"_s).toLocal8Bit(), 0600), 0);
    QCOMPARE(found(), QStringList());
}

void TestPlogs::depthIsBounded()
{
    write(u"1/2/3/4/5/6/plog-6_1.log"_s);
    write(u"1/2/3/4/5/6/7/plog-7_1.log"_s);
    QCOMPARE(found(), QStringList{u"1/2/3/4/5/6/plog-6_1.log 6"_s});
}

void TestPlogs::numberIsBounded()
{
    write(u"plog/plog-1_1.log"_s);
    const QByteArray folder = m_home->filePath(u"plog/"_s).toLocal8Bit();
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
    plan.processes[0].setVariables = {{u"ASCEND_PROCESS_LOG_PATH"_s, u"/logs"_s},
                                      {u"ASCEND_WORK_PATH"_s, u"/work"_s}};
    plan.processes[1].setVariables = plan.processes[0].setVariables;
    plan.processes[2].setVariables = {{u"ASCEND_WORK_PATH"_s, u"/work"_s}};
    RunState state;
    state.setPlan(plan);
    QCOMPARE(plogDirectories(state),
             (QStringList{u"/logs"_s, u"/work/log"_s, QDir::homePath() + u"/ascend/log"_s}));
}

void TestPlogs::ofALogDirectoryTheyAreInIt()
{
    write(u"worker_0.log"_s);
    const auto state = LogDirectory(m_home->path()).open();
    QVERIFY(state);
    QCOMPARE(plogDirectories(*state), QStringList{state->directory});
}

void TestPlogs::aPlogIsThatOfItsPid()
{
    write(u"worker_0.log"_s, "[INFO] ME(5000,7f1c,python):2026-11-22-10:00:00.000.000 [a.cc:1] up\n");
    write(u"worker_1.log"_s, "[INFO] ME(5001,7f1c,python):2026-11-22-10:00:00.000.000 [a.cc:1] up\n");
    write(u"plog/plog-5001_1.log"_s,
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0006\n");
    const Case evidence = gathered();
    QCOMPARE(evidence.workers.size(), 2U);
    QVERIFY(evidence.workers[0].errors.empty());
    QCOMPARE(evidence.workers[1].errors.size(), 1U);
    QVERIFY(evidence.workers[1].errors.front().file.endsWith("plog-5001_1.log"_L1));
    QCOMPARE(evidence.workers[1].says(), RankEvidence::Says::Waiting);
}

void TestPlogs::aPlogOfAnUnknownPidIsThatOfTheRankItTells()
{
    write(u"worker_0.log"_s);
    write(u"worker_1.log"_s);
    // What the run's own plog says of the rank counts for the other one of its pid.
    write(
        u"run/plog/plog-5001_1.log"_s,
        "[INFO] HCCL(5001,python):2026-11-22-10:00:00.000.000 [a.cc:1] Entry-HcclCommInitRootInfo: ranks[2], "
        "rank[1]\n");
    write(u"debug/plog/plog-5001_1.log"_s,
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0005\n");
    const Case evidence = gathered();
    QVERIFY(evidence.workers[0].errors.empty());
    QCOMPARE(evidence.workers[1].says(), RankEvidence::Says::Disagrees);
}

void TestPlogs::aPlogOfNobodyIsLeftOut()
{
    write(u"worker_0.log"_s);
    write(u"plog/plog-5001_1.log"_s,
          "[ERROR] HCCL(5001,python):2026-11-22-10:00:05.000.000 [a.cc:1] EI0005\n");
    write(u"plog/plog-5002_1.log"_s, "[ERROR] HCCL(5002,python):2026-11-22-10:00:05.000.000 "
                                     "[a.cc:1] Entry-HcclCommInitRootInfo: ranks[2], "
                                     "rank[4000000]\n");
    const Case evidence = gathered();
    QCOMPARE(evidence.workers.size(), 1U);
    QVERIFY(evidence.workers.front().errors.empty());
}

} // namespace tst_plogs

RANKDECK_TEST(tst_plogs, TestPlogs)
#include "tst_plogs.moc"
