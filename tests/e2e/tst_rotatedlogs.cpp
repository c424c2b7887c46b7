#include "run/record/runphase.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <array>
#include <cstdio>
#include <memory>
#include <numeric>

#include <fcntl.h>
#include <unistd.h>

namespace tst_rotatedlogs
{

using namespace rankdeck;

/// Logs that logrotate or their own program renames, cuts or removes while `rankdeckctl logs` follows them.
class RotatedLogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_home = std::make_unique<TestHome>(); }
    void cleanup();
    void eachLineIsPrintedOnce_data();
    void eachLineIsPrintedOnce();

private:
    static constexpr int ranks = 2;
    enum class How { Rename, RenameOnly, Cut, CutWithHole, Remove };
    struct Log {
        QString path;
        int file = -1;
        int lines = 0;
    };

    void open(Log &log, bool appends) const;
    static void write(Log &log);
    void writeAll()
    {
        for (Log &log : m_logs)
            write(log);
    }
    void rotate(Log &log, How how) const;
    /// Numbers of the lines of a log in their order, as they were printed.
    QList<int> printed(const Log &log);
    bool areAllPrinted();

    std::unique_ptr<TestHome> m_home;
    std::array<Log, ranks> m_logs;
    QProcess m_follower;
    QByteArray m_printed;
};

void RotatedLogsTest::cleanup()
{
    m_follower.kill();
    m_follower.waitForFinished();
    for (Log &log : m_logs) {
        ::close(log.file);
        log = {};
    }
    m_printed.clear();
}

void RotatedLogsTest::open(Log &log, bool appends) const
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : 0);
    log.file = ::open(QFile::encodeName(log.path).constData(), flags, 0600);
    QVERIFY(log.file >= 0);
}

void RotatedLogsTest::write(Log &log)
{
    const QByteArray line = QFileInfo(log.path).baseName().right(1).toLatin1() + " has written " +
                            QByteArray::number(++log.lines) + '\n';
    QCOMPARE(::write(log.file, line.constData(), std::size_t(line.size())), line.size());
}

void RotatedLogsTest::rotate(Log &log, How how) const
{
    const QByteArray path = QFile::encodeName(log.path);
    const QString moved = log.path + u".1"_s;
    QFile::remove(moved);
    switch (how) {
    case How::Rename:
    case How::Remove: {
        // Nobody looks between these lines and the rotation; and the writer does not know of it at once.
        write(log);
        QVERIFY((how == How::Remove ? ::unlink(path) : ::rename(path, QFile::encodeName(moved))) == 0);
        write(log);
        ::close(log.file);
        open(log, true);
        break;
    }
    case How::RenameOnly:
        write(log);
        QVERIFY(::rename(path, QFile::encodeName(moved)) == 0);
        QVERIFY(QFile(log.path).open(QIODevice::WriteOnly)); // As logrotate's "create".
        break;
    case How::Cut:
    case How::CutWithHole:
        QVERIFY(QFile::copy(log.path, moved));
        QVERIFY(::ftruncate(log.file, 0) == 0);
        break;
    }
    write(log);
}

QList<int> RotatedLogsTest::printed(const Log &log)
{
    m_printed += m_follower.readAllStandardOutput();
    const QByteArray mark = QFileInfo(log.path).baseName().right(1).toLatin1() + " has written ";
    QList<int> numbers;
    for (const QByteArray &line : linesOf(m_printed)) {
        if (const qsizetype at = line.indexOf(mark); at >= 0)
            numbers << line.mid(at + mark.size()).toInt();
    }
    return numbers;
}

bool RotatedLogsTest::areAllPrinted()
{
    return std::ranges::all_of(m_logs, [this](const Log &log) {
        const QList<int> numbers = printed(log);
        return numbers.contains(log.lines);
    });
}

void RotatedLogsTest::eachLineIsPrintedOnce_data()
{
    QTest::addColumn<How>("how");
    QTest::addColumn<QStringList>("view");
    QTest::addColumn<bool>("isDirectory");
    const std::array<std::pair<const char *, How>, 5> ways{
        {{"renamed", How::Rename},
         {"renamed, and its writer goes on", How::RenameOnly},
         {"copied and cut", How::Cut},
         {"cut, with a hole", How::CutWithHole},
         {"removed", How::Remove}}};
    for (const auto &[name, how] : ways) {
        QTest::addRow("%s", name) << how << QStringList() << false;
        QTest::addRow("%s, merged", name) << how << QStringList{u"--merge"_s} << false;
        QTest::addRow("%s, opened", name) << how << QStringList() << true;
    }
}

void RotatedLogsTest::eachLineIsPrintedOnce()
{
    QFETCH(How, how);
    QFETCH(QStringList, view);
    QFETCH(bool, isDirectory);
    std::optional<RecordedRun> run;
    const QTemporaryDir folder;
    if (!isDirectory) {
        run.emplace(1, ranks);
        run->startAll();
    }
    for (int rank = 0; rank < ranks; ++rank) {
        Log &log = m_logs[std::size_t(rank)];
        log.path = run ? run->plan().processes[std::size_t(rank)].logFile
                       : folder.filePath(u"worker_%1.log"_s.arg(rank));
        open(log, how != How::CutWithHole);
    }
    writeAll();
    const QStringList which = isDirectory ? QStringList{u"--open"_s, folder.path()} : QStringList{u"last"_s};
    m_follower.start(buildPath("bin/rankdeckctl"),
                     QStringList{u"logs"_s} + which + QStringList{u"--follow"_s} + view);
    for (int turn = 0; turn < 2; ++turn) {
        // What is written between the last look and a cut is lost: not here.
        QTRY_VERIFY_WITH_TIMEOUT(areAllPrinted(), programLimitMs);
        for (Log &log : m_logs)
            rotate(log, how);
        writeAll();
    }
    QTRY_VERIFY_WITH_TIMEOUT(areAllPrinted(), programLimitMs);
    for (const Log &log : m_logs) {
        QList<int> expected(log.lines);
        std::iota(expected.begin(), expected.end(), 1);
        QCOMPARE(printed(log), expected);
    }
    QVERIFY2(!m_printed.contains('\0'), "a hole was printed");
    if (run) {
        run->finish(RunPhase::Succeeded, 0);
        QVERIFY(m_follower.waitForFinished(programLimitMs));
        QCOMPARE(m_follower.exitCode(), 0);
    }
}

} // namespace tst_rotatedlogs

RANKDECK_TEST(tst_rotatedlogs, RotatedLogsTest)
#include "tst_rotatedlogs.moc"
