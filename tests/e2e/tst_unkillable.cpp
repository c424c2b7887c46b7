#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <csignal>
#include <memory>

#include <sys/mount.h>

namespace tst_unkillable
{

using namespace rankdeck;

/// A rank that no signal ends, as when a file server is gone: it reads from a file system that never answers.
class UnkillableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aRunIsStoppedAndWhatHangsIsNamed();
    void aRankThatHangsIsNamedWhileTheOthersGoOn();

private:
    static constexpr int limitMs = 60000;

    /// Two ranks, of which the first hangs.
    void launch();
    void endFileSystem()
    {
        m_fileSystem.kill();
        QVERIFY(m_fileSystem.waitForFinished());
    }
    static RunState state()
    {
        const auto directory = findRun(u"last"_s);
        const auto read = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return read ? *read : RunState();
    }
    /// The sentence about rank 0; empty while there is none.
    static QString note()
    {
        for (const QString &note : state().notes) {
            if (note.contains("could not be killed"_L1))
                return note;
        }
        return {};
    }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(static_cast<pid_t>(pid));
        return process && process->state != 'Z';
    }

    std::unique_ptr<TestHome> m_home;
    QProcess m_fileSystem;
    QProcess m_ctl;
};

void UnkillableTest::init()
{
    m_home = std::make_unique<TestHome>();
    QVERIFY(QDir().mkpath(m_home->path("files")));
    m_fileSystem.start(u"python3"_s, {sourcePath("tests/e2e/hangingfiles.py"), m_home->path("files")});
    QVERIFY(QTest::qWaitFor(
        [this] { return m_fileSystem.canReadLine() || m_fileSystem.state() == QProcess::NotRunning; },
        limitMs));
    if (m_fileSystem.state() == QProcess::NotRunning)
        QSKIP("no file system that hangs can be made here: " + m_fileSystem.readAllStandardError().trimmed());
    QCOMPARE(m_fileSystem.readLine(), QByteArray("mounted\n"));
}

void UnkillableTest::cleanup()
{
    m_fileSystem.kill();
    m_fileSystem.waitForFinished();
    umount2(QFile::encodeName(m_home->path("files")).constData(), MNT_DETACH);
    killProcessesOf(*m_home);
    m_ctl.waitForFinished();
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void UnkillableTest::launch()
{
    const QString script =
        u"[ $RANK = 0 ] && exec cat '%1/file'; exec sleep 1000"_s.arg(m_home->path("files"));
    m_ctl.start(buildPath("bin/rankdeckctl"),
                {u"processes"_s, u"--nproc=2"_s, u"--grace=1"_s, u"--master-port"_s,
                 QString::number(freePort()), u"--"_s, u"sh"_s, u"-c"_s, script});
    QTRY_VERIFY_WITH_TIMEOUT(m_fileSystem.canReadLine(), limitMs);
    QCOMPARE(m_fileSystem.readLine(), QByteArray("hangs\n"));
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), 2, limitMs);
}

void UnkillableTest::aRunIsStoppedAndWhatHangsIsNamed()
{
    launch();
    const qint64 hanging = state().ranks[0].pid;
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    const Outcome outcome = outcomeOf(m_ctl);
    QCOMPARE(outcome.code, 1); // It was not just stopped: a process is left.
    QCOMPARE(state().phase, RunPhase::Failed);
    QVERIFY(state().failure);
    QCOMPARE(state().failure->rank, Rank(0));
    QCOMPARE(state().failure->pid, hanging);
    QCOMPARE(QString(state().failure->reason), note());
    QVERIFY2(note().startsWith(u"cat (pid %1) could not be killed: it hangs in the kernel"_s.arg(hanging)),
             qPrintable(note()));
    QVERIFY2(outcome.err.contains(note().toUtf8()), outcome.err.constData());
    QVERIFY2(note().endsWith("(state D)."_L1), qPrintable(note()));
    const auto left = [this] {
        QList<qint64> pids = processesOf(m_home->path("state"));
        pids.removeAll(m_fileSystem.processId());
        return pids;
    };
    QTRY_COMPARE(left(), QList<qint64>{hanging});
    endFileSystem();
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(hanging), limitMs);
}

void UnkillableTest::aRankThatHangsIsNamedWhileTheOthersGoOn()
{
    launch();
    const qint64 hanging = state().ranks[0].pid;
    QProcess stopping;
    stopping.start(buildPath("bin/rankdeckctl"), {u"stop"_s, u"last"_s, u"--rank=0"_s, u"--kill"_s});
    QTRY_VERIFY_WITH_TIMEOUT(note().startsWith(u"cat (pid %1) could not be killed"_s.arg(hanging)), limitMs);
    QCOMPARE(state().count(RankPhase::Running), 2);
    QCOMPARE(state().phase, RunPhase::Running);
    endFileSystem();
    const Outcome outcome = outcomeOf(stopping);
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains(note().toUtf8()), outcome.err.constData());
    QCOMPARE(state().ranks[0].phase, RankPhase::Stopped);
    QCOMPARE(state().count(RankPhase::Running), 1);
    QCOMPARE(ctl({u"stop"_s, u"last"_s, u"--kill"_s}).code, 0);
}

} // namespace tst_unkillable

RANKDECK_TEST(tst_unkillable, UnkillableTest)
#include "tst_unkillable.moc"
