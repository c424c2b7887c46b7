#include "base/json.h"
#include "support/freeport.h"
#include "support/memorycgroup.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <memory>

namespace tst_outofmemoryrun
{

using namespace rankdeck;

/// A launch in a memory cgroup that is too small for one of its ranks.
class OutOfMemoryRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { killProcessesOf(*m_home); }
    void theRankThatTheKernelKilledIsNamed();

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

} // namespace tst_outofmemoryrun

RANKDECK_TEST(tst_outofmemoryrun, OutOfMemoryRunTest)
#include "tst_outofmemoryrun.moc"
