#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/smalldisk.h"
#include "support/testmain.h"

#include <QFileInfo>

#include <csignal>
#include <memory>

#include <sys/stat.h>

namespace tst_disk
{

using namespace rankdeck;

/// The disk fails a live run: it goes on, and who looks at it is told.
class DiskTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void cleanup() { killProcessesOf(*m_home); }
    void aRunGoesOnWhileItsDiskIsFullAndIsWholeAfterwards();
    void aRunThatEndsOnAFullDiskSaysHow();
    void aRunWhoseDirectoryIsRemovedGoesOnAndCanBeStopped();

private:
    /// Two ranks of a shell command; `attach` to them prints to `m_attached`.
    void start(const QString &script)
    {
        const Outcome launched =
            ctl({u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s, QString::number(freePort()),
                 u"--detach"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
        QVERIFY2(launched.code == 0, launched.err.constData());
        const auto found = findRun(u"last"_s);
        QVERIFY(found);
        m_directory = *found;
        m_attached.start(buildPath("bin/rankdeckctl"), {u"attach"_s, m_directory});
        connect(&m_attached, &QProcess::readyReadStandardError, this,
                [this] { m_said += m_attached.readAllStandardError(); });
        m_said.clear();
        // It has the run's directory open, and has printed the note that is in every such run.
        QTRY_VERIFY_WITH_TIMEOUT(m_said.contains("OMP_NUM_THREADS"), 20000);
    }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    RunPhase savedPhase() const
    {
        const auto record = readRunRecord(m_directory);
        return record ? record->phase : RunPhase::Starting;
    }
    /// Blocks without a content: a record that is just being written has one.
    bool keepsRoom() const
    {
        struct stat info {
        };
        return stat(QFile::encodeName(m_directory + u"/run.json.new"_s).constData(), &info) == 0 &&
               info.st_size == 0 && info.st_blocks > 0;
    }

    std::unique_ptr<TestHome> m_home;
    QProcess m_attached;
    QByteArray m_said;
    QString m_directory;
};

void DiskTest::aRunGoesOnWhileItsDiskIsFullAndIsWholeAfterwards()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    qputenv("XDG_STATE_HOME", disk.path().toLocal8Bit());
    const QString goOn = m_home->path("go-on");
    start(u"until [ -e %1 ]; do echo a line; sleep 0.02; done; echo the end"_s.arg(goOn));
    QTRY_VERIFY_WITH_TIMEOUT(fileText(state().plan->processes[0].logFile).contains("a line"), 20000);
    disk.fill();
    QTRY_VERIFY_WITH_TIMEOUT(m_said.contains("The disk is full: "), 20000);
    disk.makeRoom();
    QTRY_VERIFY_WITH_TIMEOUT(m_said.contains("has space again"), 20000);
    QVERIFY(QFile(goOn).open(QIODevice::WriteOnly));
    QVERIFY(m_attached.waitForFinished(programLimitMs));
    QCOMPARE(m_attached.exitCode(), 0);
    // What either rank wrote to its standard output and to its standard error may have a gap.
    QTRY_COMPARE_WITH_TIMEOUT(m_said.count("missing here, the disk was full at"), 4, 20000);

    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Succeeded);
    for (const ProcessPlan &process : run.plan->processes)
        QVERIFY(fileText(process.logFile).endsWith("the end\n"));
    // Printed again, the place is marked again.
    const Outcome logs = ctl({u"logs"_s, m_directory});
    QCOMPARE(logs.code, 0);
    QCOMPARE(logs.err.count("lines may be missing here"), 4);
    for (const QByteArray &line : linesOf(fileText(journalPath(m_directory))))
        QVERIFY2(RunEvent::fromLine(line), line.constData());
}

void DiskTest::aRunThatEndsOnAFullDiskSaysHow()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    qputenv("XDG_STATE_HOME", disk.path().toLocal8Bit());
    const QString goOn = m_home->path("go-on");
    start(u"echo out of memory; until [ -e %1 ]; do sleep 0.02; done; exit 7"_s.arg(goOn));
    QTRY_VERIFY_WITH_TIMEOUT(fileText(state().plan->processes[1].logFile).contains("memory"), 20000);
    // It will not write the record again before the end, and keeps room for that.
    QTRY_COMPARE_WITH_TIMEOUT(savedPhase(), RunPhase::Running, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(keepsRoom(), 20000);
    disk.fill();
    QTRY_VERIFY_WITH_TIMEOUT(m_said.contains("The disk is full: "), 20000);
    QVERIFY(QFile(goOn).open(QIODevice::WriteOnly));
    QVERIFY(m_attached.waitForFinished(programLimitMs));
    QCOMPARE(m_attached.exitCode(), 7);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->logTail, QStringList{u"out of memory"_s});
}

void DiskTest::aRunWhoseDirectoryIsRemovedGoesOnAndCanBeStopped()
{
    start(u"trap 'exit 0' TERM; while :; do sleep 0.05; done"_s);
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), 2, 20000);
    // The supervisor may be writing into it.
    QTRY_VERIFY_WITH_TIMEOUT(QDir(m_directory).removeRecursively(), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(m_said.contains("The run directory was removed"), 20000);
    QCOMPARE(state().count(RankPhase::Running), 2);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(m_attached.waitForFinished(programLimitMs));
    QVERIFY2(m_said.contains(": stopped."), m_said.constData());
    // What a supervisor that knows how to end says of it is not repeated twice a second.
    QVERIFY(linesOf(fileText(m_directory + u"/supervisor.log"_s)).size() < 3);
}

} // namespace tst_disk

RANKDECK_TEST(tst_disk, DiskTest)
#include "tst_disk.moc"
