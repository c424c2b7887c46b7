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
        cgroup.with({buildPath("bin/rankdeckctl"), QStringLiteral("processes"), QStringLiteral("--nproc"),
                     QStringLiteral("2"), QStringLiteral("--master-port"), QString::number(freePort()),
                     QStringLiteral("--"), QStringLiteral("python3"), QStringLiteral("-c"),
                     QStringLiteral("import os, time\n"
                                    "if os.environ['RANK'] == '1':\n"
                                    "    bytearray(2_000_000_000)\n"
                                    "time.sleep(1000)\n")});
    QProcess launch;
    launch.start(command.takeFirst(), command);
    const Outcome launched = outcomeOf(launch);
    QVERIFY2(launched.code == 128 + SIGKILL, launched.err.constData());
    const Outcome report = ctl({QStringLiteral("report"), QStringLiteral("last"), QStringLiteral("--json")});
    const auto verdict = parseJson(report.out);
    QVERIFY2(verdict, report.err.constData());
    QCOMPARE(verdict->at("root_rank").get<int>(), 1);
    QCOMPARE(verdict->at("cause_id").get<QString>(), QStringLiteral("system-oom-killer"));
    const QString text = verdict->at("evidence").at(0).at("text").get<QString>();
    QVERIFY2(text.startsWith(QLatin1String("ended by signal 9 (SIGKILL); ")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("kernel")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("Killed process ")) || text.contains(QLatin1String("oom_kill in ")),
             qPrintable(text));
}

} // namespace tst_outofmemoryrun

RANKDECK_TEST(tst_outofmemoryrun, OutOfMemoryRunTest)
#include "tst_outofmemoryrun.moc"
