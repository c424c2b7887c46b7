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
    QString held(int rank = 0, const QString &workDir = u"work"_s) const
    {
        ProcessPlan plan;
        plan.rank = Rank(rank);
        plan.workDir = path(workDir);
        QProcessEnvironment environment;
        environment.insert(u"ASCEND_PROCESS_LOG_PATH"_s, path(u"cann-logs"_s));
        const QString log = heldLog(getpid(), plan, environment);
        return log.isEmpty() ? QString() : QDir(m_directory.path()).relativeFilePath(log);
    }

    QTemporaryDir m_directory{QDir::tempPath() + u"/held-XXXXXX"_s};
    std::vector<std::unique_ptr<QFile>> m_files;
};

void OpenFilesTest::aLogIsHeldIfItsNameAndFolderSaySo_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isHeld");
    QTest::newRow("in logs") << u"a/logs/train.log"_s << true;
    QTest::newRow("below a folder of logs") << u"a/train_log/8p/rank.txt"_s << true;
    QTest::newRow("in output") << u"a/output/run.out"_s << true;
    QTest::newRow("in the work directory") << u"work/train.log"_s << true;
    QTest::newRow("elsewhere") << u"a/data/train.log"_s << false;
    QTest::newRow("a word that only holds log") << u"a/catalogs/train.log"_s << false;
    QTest::newRow("no log by its name") << u"a/logs/model.ckpt"_s << false;
    QTest::newRow("of CANN") << u"cann-logs/run/plog/plog-1.log"_s << false;
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
    open(u"logs/config.txt"_s);
    m_files.clear();
    open(u"logs/config.txt"_s, QIODevice::ReadOnly);
    QCOMPARE(held(), QString());
}

void OpenFilesTest::theNumberOfTheRankChoosesItsLog()
{
    for (const int rank : {1, 2, 12})
        open(u"logs/rank_%1.log"_s.arg(rank));
    QCOMPARE(held(1), u"logs/rank_1.log"_s);
    QCOMPARE(held(2), u"logs/rank_2.log"_s);
    QCOMPARE(held(12), u"logs/rank_12.log"_s);
}

void OpenFilesTest::onlyRegularFilesAreStreams()
{
    open(u"stream"_s);
    QCOMPARE(openFile(getpid(), m_files.back()->handle()), path(u"stream"_s));
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
    tee.start(u"tee"_s, {path(u"teed"_s)});
    writer.start(u"sh"_s, {u"-c"_s, u"echo begun; exec sleep 1000"_s});
    QTRY_VERIFY(QFileInfo(path(u"teed"_s)).size() > 0);
    const auto pid = static_cast<pid_t>(writer.processId());
    QCOMPARE(fileBehindPipe(pid, STDOUT_FILENO), path(u"teed"_s));
    QCOMPARE(fileBehindPipe(pid, STDERR_FILENO), QString());
    writer.kill();
    QVERIFY(writer.waitForFinished());
    QVERIFY(tee.waitForFinished());
}

} // namespace tst_openfiles

RANKDECK_TEST(tst_openfiles, OpenFilesTest)
#include "tst_openfiles.moc"
