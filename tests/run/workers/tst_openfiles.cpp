#include "launch/plan/processplan.h"
#include "run/workers/openfiles.h"
#include "support/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

namespace tst_openfiles
{

using namespace rankdeck;

/// The files that processes have open.
class OpenFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_files.clear(); }
    void aLogIsHeldIfItsNameAndFolderSaySo_data();
    void aLogIsHeldIfItsNameAndFolderSaySo();
    void aFileThatIsReadIsNoLog();
    void theNumberOfTheRankChoosesItsLog();
    void onlyRegularFilesAreStreams();
    void theFileBehindAPipeIsItsReaders();

private:
    QString path(const QString &name) const { return m_directory.filePath(name); }
    void open(const QString &name, QIODevice::OpenMode mode = QIODevice::Append)
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        m_files.push_back(std::make_unique<QFile>(path(name)));
        QVERIFY(m_files.back()->open(mode));
    }
    /// Returns the log that this process holds, below the temporary directory.
    QString held(int rank = 0, const QString &workDir = QStringLiteral("work")) const
    {
        ProcessPlan plan;
        plan.rank = Rank(rank);
        plan.workDir = path(workDir);
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("ASCEND_PROCESS_LOG_PATH"), path(QStringLiteral("cann-logs")));
        const QString log = heldLog(getpid(), plan, environment);
        return log.isEmpty() ? QString() : QDir(m_directory.path()).relativeFilePath(log);
    }

    QTemporaryDir m_directory{QDir::tempPath() + QStringLiteral("/held-XXXXXX")};
    std::vector<std::unique_ptr<QFile>> m_files;
};

void OpenFilesTest::aLogIsHeldIfItsNameAndFolderSaySo_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isHeld");
    QTest::newRow("in logs") << QStringLiteral("a/logs/train.log") << true;
    QTest::newRow("below a folder of logs") << QStringLiteral("a/train_log/8p/rank.txt") << true;
    QTest::newRow("in output") << QStringLiteral("a/output/run.out") << true;
    QTest::newRow("in the work directory") << QStringLiteral("work/train.log") << true;
    QTest::newRow("elsewhere") << QStringLiteral("a/data/train.log") << false;
    QTest::newRow("a word that only holds log") << QStringLiteral("a/catalogs/train.log") << false;
    QTest::newRow("no log by its name") << QStringLiteral("a/logs/model.ckpt") << false;
    QTest::newRow("of CANN") << QStringLiteral("cann-logs/run/plog/plog-1.log") << false;
}

void OpenFilesTest::aLogIsHeldIfItsNameAndFolderSaySo()
{
    QFETCH(QString, name);
    QFETCH(bool, isHeld);
    open(name);
    QCOMPARE(held(), isHeld ? name : QString());
}

void OpenFilesTest::aFileThatIsReadIsNoLog()
{
    open(QStringLiteral("logs/config.txt"));
    m_files.clear();
    open(QStringLiteral("logs/config.txt"), QIODevice::ReadOnly);
    QCOMPARE(held(), QString());
}

void OpenFilesTest::theNumberOfTheRankChoosesItsLog()
{
    for (const int rank : {1, 2, 12})
        open(QStringLiteral("logs/rank_%1.log").arg(rank));
    QCOMPARE(held(1), QStringLiteral("logs/rank_1.log"));
    QCOMPARE(held(2), QStringLiteral("logs/rank_2.log"));
    QCOMPARE(held(12), QStringLiteral("logs/rank_12.log"));
}

void OpenFilesTest::onlyRegularFilesAreStreams()
{
    open(QStringLiteral("stream"));
    QCOMPARE(openFile(getpid(), m_files.back()->handle()), path(QStringLiteral("stream")));
    int ends[2];
    QVERIFY(pipe(ends) == 0);
    QCOMPARE(openFile(getpid(), ends[0]), QString());
    close(ends[0]);
    close(ends[1]);
    QCOMPARE(openFile(getpid(), ends[0]), QString());
}

void OpenFilesTest::theFileBehindAPipeIsItsReaders()
{
    QProcess tee;
    QProcess writer;
    writer.setStandardOutputProcess(&tee);
    tee.start(QStringLiteral("tee"), {path(QStringLiteral("teed"))});
    writer.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("echo begun; exec sleep 1000")});
    QTRY_VERIFY(QFileInfo(path(QStringLiteral("teed"))).size() > 0);
    const auto pid = static_cast<pid_t>(writer.processId());
    QCOMPARE(fileBehindPipe(pid, STDOUT_FILENO), path(QStringLiteral("teed")));
    QCOMPARE(fileBehindPipe(pid, STDERR_FILENO), QString());
    writer.kill();
    QVERIFY(writer.waitForFinished());
    QVERIFY(tee.waitForFinished());
}

} // namespace tst_openfiles

RANKDECK_TEST(tst_openfiles, OpenFilesTest)
#include "tst_openfiles.moc"
