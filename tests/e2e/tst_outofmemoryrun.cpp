#include "base/json.h"
#include "support/freeport.h"
#include "support/memorycgroup.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QDirIterator>
#include <QScopeGuard>

#include <memory>

namespace tst_outofmemoryrun
{

using namespace rankdeck;

/// Launches in cgroups that are too small for them.
class OutOfMemoryRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { killProcessesOf(*m_home); }
    void theRankThatTheKernelKilledIsNamed();
    void noRunIsLostForWantOfAThread();

private:
    std::unique_ptr<TestHome> m_home;
};

void OutOfMemoryRunTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
}

void OutOfMemoryRunTest::theRankThatTheKernelKilledIsNamed()
{
    const MemoryCgroup cgroup(400 << 20);
    if (!cgroup.isThere())
        QSKIP("a test may not make a memory cgroup here");
    QStringList command =
        cgroup.with({buildPath("bin/rankdeckctl"), u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                     QString::number(freePort()), u"--"_s, u"python3"_s, u"-c"_s,
                     u"import os, time\n"
                     "if os.environ['RANK'] == '1':\n"
                     "    bytearray(2_000_000_000)\n"
                     "time.sleep(1000)\n"_s});
    QProcess launch;
    launch.start(command.takeFirst(), command);
    const Outcome launched = outcomeOf(launch);
    QVERIFY2(launched.code == 128 + SIGKILL, launched.err.constData());
    const Outcome report = ctl({u"report"_s, u"last"_s, u"--json"_s});
    const auto verdict = parseJson(report.out);
    QVERIFY2(verdict, report.err.constData());
    QCOMPARE(verdict->at("root_rank").get<int>(), 1);
    QCOMPARE(verdict->at("cause_id").get<QString>(), u"system-oom-killer"_s);
    const QString text = verdict->at("evidence").at(0).at("text").get<QString>();
    QVERIFY2(text.startsWith("ended by signal 9 (SIGKILL); "_L1), qPrintable(text));
    QVERIFY2(text.contains("kernel"_L1), qPrintable(text));
    QVERIFY2(text.contains("Killed process "_L1) || text.contains("oom_kill in "_L1), qPrintable(text));
}

/// Returns a cgroup that can limit the number of processes and threads; empty if none can be made here.
static QString newPidsCgroup()
{
    for (const QString &parent : {u"/sys/fs/cgroup/pids"_s, u"/sys/fs/cgroup"_s}) {
        const QString path = u"%1/rankdeck-test-%2"_s.arg(parent).arg(getpid());
        if (!QDir().mkdir(path))
            continue;
        if (QFile::exists(path + u"/pids.max"_s))
            return path;
        QDir().rmdir(path);
    }
    return {};
}

void OutOfMemoryRunTest::noRunIsLostForWantOfAThread()
{
    const QString cgroup = newPidsCgroup();
    if (cgroup.isEmpty())
        QSKIP("a test may not make a cgroup for processes here");
    const auto remove = qScopeGuard([&] { QDir().rmdir(cgroup); });
    int failedAsTheRank = 0;
    for (int limit = 3; limit <= 14; ++limit) {
        QFile most(cgroup + u"/pids.max"_s);
        QVERIFY(most.open(QIODevice::WriteOnly) && most.write(QByteArray::number(limit)) > 0);
        most.close();
        QProcess launch;
        launch.start(u"/bin/sh"_s,
                     {u"-c"_s, u"echo $$ > \"$0\" && exec \"$@\""_s, cgroup + u"/cgroup.procs"_s,
                      buildPath("bin/rankdeckctl"), u"processes"_s, u"--"_s, u"sh"_s, u"-c"_s, u"exit 3"_s});
        const Outcome launched = outcomeOf(launch);
        QVERIFY2(launched.code != 0 && !launched.err.isEmpty(), launched.out.constData());
        failedAsTheRank += launched.code == 3;
        QTRY_COMPARE_WITH_TIMEOUT(fileText(cgroup + u"/cgroup.procs"_s), QByteArray(), programLimitMs);
    }
    QVERIFY(failedAsTheRank > 0);
    const Outcome runs = ctl({u"list"_s, u"--json"_s});
    QVERIFY2(!runs.out.contains("\"lost\""), runs.out.constData());
    QDirIterator files(m_home->path(""), {u"supervisor.log"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QByteArray words = fileText(files.next());
        QVERIFY2(!words.contains("terminate called"), words.constData());
    }
}

} // namespace tst_outofmemoryrun

RANKDECK_TEST(tst_outofmemoryrun, OutOfMemoryRunTest)
#include "tst_outofmemoryrun.moc"
