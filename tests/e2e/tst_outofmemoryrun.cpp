#include "base/json.h"
#include "support/freeport.h"
#include "support/memorycgroup.h"
#include "support/programs.h"
#include "support/testmain.h"

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

/// A cgroup with at most so many processes and threads. Few machines let a test make one.
class PidsCgroup
{
public:
    explicit PidsCgroup(int most)
    {
        for (const QString &parent : {u"/sys/fs/cgroup/pids"_s, u"/sys/fs/cgroup"_s}) {
            m_path = u"%1/rankdeck-test-%2-%3"_s.arg(parent).arg(getpid()).arg(most);
            QFile limit(m_path + u"/pids.max"_s);
            if (QDir().mkdir(m_path) && limit.open(QIODevice::WriteOnly | QIODevice::ExistingOnly) &&
                limit.write(QByteArray::number(most)) > 0 && run({u"true"_s}).code == 0)
                return;
            QDir().rmdir(m_path);
        }
        m_path.clear();
    }
    ~PidsCgroup()
    {
        if (isThere())
            QDir().rmdir(m_path);
    }
    Q_DISABLE_COPY_MOVE(PidsCgroup)

    bool isThere() const { return !m_path.isEmpty(); }
    bool isEmpty() const { return fileText(m_path + u"/cgroup.procs"_s).isEmpty(); }
    Outcome run(const QStringList &command) const
    {
        QProcess process;
        process.start(u"/bin/sh"_s, QStringList{u"-c"_s, u"echo $$ > \"$0\" && exec \"$@\""_s,
                                                m_path + u"/cgroup.procs"_s} +
                                        command);
        return outcomeOf(process);
    }

private:
    QString m_path;
};

void OutOfMemoryRunTest::noRunIsLostForWantOfAThread()
{
    int failedAsTheRank = 0;
    for (int limit = 3; limit <= 14; ++limit) {
        const PidsCgroup cgroup(limit);
        if (!cgroup.isThere())
            QSKIP("a test may not make a cgroup for processes here");
        const Outcome launched = cgroup.run(
            {buildPath("bin/rankdeckctl"), u"processes"_s, u"--"_s, u"sh"_s, u"-c"_s, u"exit 3"_s});
        const QByteArray said = "limit " + QByteArray::number(limit) + ", code " +
                                QByteArray::number(launched.code) + ": " + launched.err;
        QVERIFY2(launched.code > 0 && launched.code < 128 && !launched.err.isEmpty(), said.constData());
        QVERIFY2(!said.contains("terminate called") && !said.contains("Lost its supervisor"),
                 said.constData());
        failedAsTheRank += launched.code == 3;
        QTRY_VERIFY_WITH_TIMEOUT(cgroup.isEmpty(), programLimitMs);
    }
    QVERIFY(failedAsTheRank > 0);
    const Outcome runs = ctl({u"list"_s, u"--json"_s});
    QVERIFY2(!runs.out.contains("\"lost\""), runs.out.constData());
}

} // namespace tst_outofmemoryrun

RANKDECK_TEST(tst_outofmemoryrun, OutOfMemoryRunTest)
#include "tst_outofmemoryrun.moc"
