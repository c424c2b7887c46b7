#include "diagnosis/progress/progressfollower.h"
#include "launch/plan/launchplan.h"
#include "log/growingfile.h"
#include "run/record/growthmarks.h"
#include "support/testmain.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <array>
#include <ctime>

namespace tst_progressfollower
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

constexpr int patience = 30'000; ///< ms

/// Ranks that write into files of their own.
class Ranks
{
public:
    explicit Ranks(int count, bool isErrorApart = false)
        : m_logs(std::size_t(count))
        , m_errors(std::size_t(count))
    {
        ProcessPlan scheduler;
        scheduler.role = Role::Scheduler;
        scheduler.logFile = m_scheduler.path();
        plan.processes.push_back(scheduler);
        for (int rank = 0; rank < count; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.logFile = log(rank).path();
            if (isErrorApart)
                process.stderrFile = m_errors[std::size_t(rank)].path();
            plan.processes.push_back(process);
        }
    }
    /// The process of a rank in the plan.
    static int process(int rank) { return rank + 1; }
    GrowingFile &log(int rank) { return m_logs[std::size_t(rank)]; }
    GrowingFile &errorLog(int rank) { return m_errors[std::size_t(rank)]; }
    GrowingFile &scheduler() { return m_scheduler; }

    LaunchPlan plan;

private:
    GrowingFile m_scheduler;
    std::vector<GrowingFile> m_logs;
    std::vector<GrowingFile> m_errors;
};

QByteArray stepLine(int step)
{
    return "step: " + QByteArray::number(step) + ", loss: 0.5\n";
}

} // namespace

class TestProgressFollower : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachRankIsFollowed();
    void bothLogsOfARankCount();
    void aBarIsReadWhereItReturns();
    void aLogThatIsCutOrReplacedIsReadAnew();
    void thousandsOfLogsAreNotHeldOpen();
    void anUnfinishedLineCountsAtTheEnd();
    void aBacklogHasTheRhythmThatItsMarksTell();
    void newsComeSeldomAndOnlyWhenThereAreSome();
    void curvesComeForThoseThatArePlotted();
    void aFloodOfOtherLinesIsPassedQuickly();

private:
    /// Read all that is there.
    static void readOn(ProgressLogs &logs, bool isLive = true)
    {
        while (logs.readOn(isLive)) {
        }
    }
};

void TestProgressFollower::eachRankIsFollowed()
{
    Ranks ranks(3);
    ranks.log(0).append(stepLine(1));
    ranks.scheduler().append(stepLine(99));
    ProgressLogs logs(ranks.plan, {});
    readOn(logs);
    QCOMPARE(logs.takeChanged(), std::vector<int>{Ranks::process(0)});
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 1);
    QVERIFY(!logs.tracker(Ranks::process(0)).progress().advancedAt); // Nobody saw when.
    QVERIFY(logs.tracker(Ranks::process(1)).progress().isSilent());
    QVERIFY(logs.tracker(0).progress().isSilent()); // The scheduler trains nothing.

    ranks.log(2).append(stepLine(2));
    ranks.log(0).append("loaded\n");
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    readOn(logs);
    QCOMPARE(logs.takeChanged(), std::vector<int>{Ranks::process(2)});
    QVERIFY(logs.tracker(Ranks::process(2)).progress().advancedAt >= before);
    QVERIFY(logs.takeChanged().empty());
}

void TestProgressFollower::bothLogsOfARankCount()
{
    Ranks ranks(1, true);
    ranks.log(0).append("{'loss': 0.25, 'epoch': 0.1}\n");
    ranks.errorLog(0).append("  8%|#  | 8/100 [00:16<03:04,  2.00s/it]\r");
    ProgressLogs logs(ranks.plan, {});
    readOn(logs);
    const RankProgress progress = logs.tracker(Ranks::process(0)).progress();
    QCOMPARE(progress.step, 8);
    QCOMPARE(progress.steps, 100);
    QCOMPARE(progress.last.loss, 0.25);
    QCOMPARE(progress.remainingMs(), 92 * 2000.0);
}

void TestProgressFollower::aBarIsReadWhereItReturns()
{
    Ranks ranks(1);
    ProgressLogs logs(ranks.plan, {});
    ranks.log(0).append("\r  0%|   | 0/100 [00:00<?, ?it/s]\r  1%|   | 1/100 [00:02<03:18,  2.0");
    readOn(logs);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 0);
    // It is whole before anything follows it.
    ranks.log(0).append("0s/it]");
    readOn(logs);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 1);
    // A number that may go on is none yet.
    ranks.log(0).append("\nstep: 2, loss: 0.5");
    readOn(logs);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 1);
    ranks.log(0).append("25\n");
    readOn(logs);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().last.loss, 0.525);
    // As a program writes that does not know of terminals.
    ranks.log(0).append("step: 3, loss: 0.25\r\nstep: 4, loss: 0.125\r\n");
    readOn(logs);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 4);
}

void TestProgressFollower::aLogThatIsCutOrReplacedIsReadAnew()
{
    Ranks ranks(1);
    ranks.log(0).append(stepLine(100) + stepLine(101));
    ProgressLogs logs(ranks.plan, {});
    readOn(logs);
    const int process = Ranks::process(0);
    QCOMPARE(logs.tracker(process).progress().step, 101);
    ranks.log(0).cut(stepLine(7));
    readOn(logs);
    QCOMPARE(logs.tracker(process).progress().step, 7);
    ranks.log(0).replace(stepLine(8) + stepLine(9) + stepLine(10));
    readOn(logs);
    QCOMPARE(logs.tracker(process).progress().step, 10);
    QCOMPARE(logs.tracker(process).progress().lines, 6);
    ranks.log(0).remove();
    readOn(logs);
    QCOMPARE(logs.tracker(process).progress().step, 10);
}

void TestProgressFollower::thousandsOfLogsAreNotHeldOpen()
{
    constexpr int count = 300;
    Ranks ranks(count);
    for (int rank = 0; rank < count; ++rank)
        ranks.log(rank).append(stepLine(rank));
    const auto openFiles = [] {
        return QDir(u"/proc/self/fd"_s).entryList(QDir::Files | QDir::System).size();
    };
    const auto before = openFiles();
    ProgressLogs logs(ranks.plan, {});
    readOn(logs);
    QVERIFY(openFiles() <= before + 1);
    QCOMPARE(logs.takeChanged().size(), std::size_t(count));
    QCOMPARE(logs.tracker(Ranks::process(250)).progress().step, 250);
    // Each is read on from where it was.
    ranks.log(250).append(stepLine(251));
    ranks.log(251).cut(stepLine(5));
    ranks.log(252).replace(stepLine(6));
    readOn(logs);
    QCOMPARE(logs.takeChanged(),
             (std::vector<int>{Ranks::process(250), Ranks::process(251), Ranks::process(252)}));
    QCOMPARE(logs.tracker(Ranks::process(250)).progress().lines, 2);
    QCOMPARE(logs.tracker(Ranks::process(251)).progress().step, 5);
    QCOMPARE(logs.tracker(Ranks::process(252)).progress().step, 6);
}

void TestProgressFollower::anUnfinishedLineCountsAtTheEnd()
{
    Ranks ranks(1);
    ranks.log(0).append(stepLine(1) + "step: 2, loss: 0.5");
    ProgressLogs logs(ranks.plan, {});
    logs.readRest();
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 2);
}

void TestProgressFollower::aBacklogHasTheRhythmThatItsMarksTell()
{
    Ranks ranks(1);
    QTemporaryDir growth;
    QFile marks(marksFile(growth.path(), Ranks::process(0), false));
    QVERIFY(marks.open(QIODevice::WriteOnly));
    // 20 ms a step; the supervisor looked twice a second.
    QByteArray log;
    for (int step = 1; step <= 1000; ++step) {
        log += stepLine(step);
        if (step % 25 == 0) {
            const std::array<qint64, 2> mark{qToLittleEndian(1'000'000 + step * 20LL),
                                             qToLittleEndian<qint64>(log.size())};
            marks.write(reinterpret_cast<const char *>(mark.data()), sizeof mark);
        }
    }
    marks.close();
    ranks.log(0).append(log);

    ProgressLogs logs(ranks.plan, {}, {growth.path()});
    logs.readRest();
    const RankProgress progress = logs.tracker(Ranks::process(0)).progress();
    QCOMPARE(progress.lines, 1000);
    QCOMPARE(progress.stepMs, 20.0);
    QCOMPARE(progress.advancedAt, 1'020'000);
    // Without marks nobody saw when they came.
    ProgressLogs apart(ranks.plan, {});
    apart.readRest();
    QCOMPARE(apart.tracker(Ranks::process(0)).progress().lines, 1000);
    QVERIFY(!apart.tracker(Ranks::process(0)).progress().stepMs);
}

void TestProgressFollower::newsComeSeldomAndOnlyWhenThereAreSome()
{
    Ranks ranks(2);
    ranks.log(0).append(stepLine(1));
    ProgressFollower follower(ranks.plan, {}, {});
    int step = 1;
    int news = 0;
    QElapsedTimer clock;
    clock.start();
    connect(&follower, &ProgressFollower::progressed, this, [&](const ProgressNews &each) {
        ++news;
        QCOMPARE(each.ranks.size(), 1);
        QCOMPARE(each.ranks.first().process, Ranks::process(0));
        QCOMPARE(each.ranks.first().progress.step, step);
        // At once the next.
        if (step < 4)
            ranks.log(0).append(stepLine(++step));
    });
    follower.start();
    QCOMPARE(news, 1);
    QTRY_COMPARE_WITH_TIMEOUT(news, 4, patience);
    QVERIFY(clock.elapsed() >= 3 * ProgressFollower::publishMs * 9 / 10); // Timers are coarse.
    // What says nothing is no news; what comes behind it is.
    ranks.log(0).append("loaded\n");
    ranks.log(1).append("loaded\n");
    follower.finish();
    QCOMPARE(news, 4);
}

void TestProgressFollower::curvesComeForThoseThatArePlotted()
{
    qRegisterMetaType<ProgressCurves>();
    Ranks ranks(3);
    for (int rank = 0; rank < 3; ++rank)
        ranks.log(rank).append(stepLine(1) + stepLine(2));
    ProgressFollower follower(ranks.plan, {}, {});
    QSignalSpy plotted(&follower, &ProgressFollower::plotted);
    follower.start();
    QCOMPARE(plotted.count(), 0);
    follower.plot({Ranks::process(2), Ranks::process(0), 77});
    QCOMPARE(plotted.count(), 1);
    const auto curves = plotted.takeFirst().first().value<ProgressCurves>().curves;
    QCOMPARE(curves.size(), 2);
    QCOMPARE(curves.first().process, Ranks::process(2));
    QCOMPARE(curves.first().loss.size(), 2);
    QCOMPARE(curves.last().process, Ranks::process(0));

    ranks.log(0).append(stepLine(3));
    QTRY_COMPARE_WITH_TIMEOUT(plotted.count(), 1, patience);
    QCOMPARE(plotted.takeFirst().first().value<ProgressCurves>().curves.last().loss.size(), 3);
    follower.plot({});
    ranks.log(0).append(stepLine(4));
    QSignalSpy progressed(&follower, &ProgressFollower::progressed);
    QVERIFY(progressed.wait(patience));
    QCOMPARE(plotted.count(), 0);
    follower.finish();
}

/// 100,000 lines a second are far less than what can be read; the limit is for slow machines and sanitizers.
void TestProgressFollower::aFloodOfOtherLinesIsPassedQuickly()
{
    Ranks ranks(1);
    QByteArray lines;
    for (int i = 0; i < 1000; ++i)
        lines +=
            "[INFO] HCCL(60570,python):2024-01-01-00:00:00.000.000 [hccl_comm.cc:12] a line of a hundred "
            "bytes or so, no. " +
            QByteArray::number(i) + '\n';
    for (int i = 0; i < 100; ++i)
        ranks.log(0).append(lines);
    ranks.log(0).append(stepLine(12));
    ProgressLogs logs(ranks.plan, {});
    const std::clock_t begun = std::clock();
    readOn(logs);
    const auto took = (std::clock() - begun) * 1000 / CLOCKS_PER_SEC;
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().step, 12);
    QCOMPARE(logs.tracker(Ranks::process(0)).progress().lines, 1);
    QVERIFY2(took < 3000, qPrintable(u"%1 ms for 100,000 lines"_s.arg(took)));
}

} // namespace tst_progressfollower

RANKDECK_TEST(tst_progressfollower, TestProgressFollower)
#include "tst_progressfollower.moc"
