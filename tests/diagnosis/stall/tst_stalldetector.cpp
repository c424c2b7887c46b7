#include "diagnosis/stall/stalldetector.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <random>

namespace tst_stalldetector
{

using namespace rankdeck;

namespace
{

using Kind = RankActivity::Kind;

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 lookMs = 500;
constexpr qint64 begin = 1'700'000'000'000;

/// Ranks that write in rhythms, and a detector that looks at them twice a second: hours in some milliseconds.
class Simulation
{
public:
    /// What a rank waits before it writes again, ms, by how often it has written.
    using Gap = std::function<qint64(int writes)>;

    explicit Simulation(std::vector<Gap> gaps, StallDetector::Hints hints = {}, qint64 afterMs = 120 * second)
        : m_gaps(std::move(gaps))
        , m_detector({afterMs}, static_cast<int>(m_gaps.size()), std::move(hints))
    {
        for (std::size_t rank = 0; rank < m_gaps.size(); ++rank) {
            m_detector.start(static_cast<int>(rank), begin);
            m_next.push_back(begin + m_gaps[rank](0));
            m_writes.push_back(0);
        }
    }

    /// Let a rank hang from now on.
    void hang(int rank) { m_next[static_cast<std::size_t>(rank)] = never; }
    void goOn(int rank) { m_next[static_cast<std::size_t>(rank)] = m_now + lookMs; }
    void jump(qint64 byMs)
    {
        m_now += byMs;
        for (qint64 &next : m_next)
            next = next == never ? never : next + byMs;
    }

    void run(qint64 ms)
    {
        for (const qint64 end = m_now + ms; m_now < end;) {
            m_now += lookMs;
            for (std::size_t rank = 0; rank < m_gaps.size(); ++rank) {
                if (m_next[rank] > m_now)
                    continue;
                m_detector.grow(static_cast<int>(rank), m_now);
                m_next[rank] = m_now + m_gaps[rank](++m_writes[rank]);
            }
            if (!m_detector.look(m_now))
                continue;
            for (const RankActivity &activity : m_detector.activities())
                m_stalls += activity.kind == Kind::Stalled ? 1 : 0;
        }
    }
    Kind kind(int rank) const { return m_detector.activities()[static_cast<std::size_t>(rank)].kind; }
    /// Ranks that were found to be stalled, or still were when another's kind changed.
    int stalls() const { return m_stalls; }
    void forgetStalls() { m_stalls = 0; }
    StallDetector &detector() { return m_detector; }
    qint64 now() const { return m_now; }

private:
    static constexpr qint64 never = std::numeric_limits<qint64>::max();
    std::vector<Gap> m_gaps;
    StallDetector m_detector;
    std::vector<qint64> m_next;
    std::vector<int> m_writes;
    qint64 m_now = begin;
    int m_stalls = 0;
};

Simulation::Gap every(qint64 ms)
{
    return [ms](int) {
        return ms;
    };
}

/// From one to five times the shortest.
Simulation::Gap jittery(qint64 shortestMs, unsigned seed)
{
    return [shortestMs, generator = std::mt19937(seed)](int) mutable {
        return std::uniform_int_distribution<qint64>(shortestMs, 5 * shortestMs)(generator);
    };
}

/// The end of a log that says steps.
StallDetector::Hints stepsOf(const std::vector<int> &ranks)
{
    return [ranks](int process) {
        LogHint hint;
        if (std::find(ranks.begin(), ranks.end(), process) != ranks.end())
            hint.step = 100;
        return hint;
    };
}

} // namespace

class StallDetectorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRhythmIsNoStall_data();
    void aRhythmIsNoStall();
    void jitterIsNoStall_data();
    void jitterIsNoStall();
    void aPauseThatWasSeenBeforeIsNoStall();
    void aSilentRunIsReportedInTime_data();
    void aSilentRunIsReportedInTime();
    void aRankThatGoesOnIsStalledNoMore();
    void whoIsHeldAndWhoGoesOnAfterItAreNotStalled();
    void whoWaitsForOneThatIsHeldIsKnownSoon();
    void aCompileAfterTheStartIsNoStall();
    void aLogThatSaysCompilingIsNoStall();
    void aStartThatNeverEndsIsAStallAtLast();
    void aStallAfterTheFirstStepsIsToldSoon_data();
    void aStallAfterTheFirstStepsIsToldSoon();
    void aHealthyStartIsNoStall();
    void ranksThatPrintNoStepsTellNothingBySilence();
    void oneRankThatPrintsStepsMayStallAlone();
    void ranksWithoutStepsStallTogether();
    void aRankThatIsNotSeenIsNotStalled();
    void aClockThatJumpsMakesNoStall_data();
    void aClockThatJumpsMakesNoStall();
    void noneIsLookedForWithoutALimit();
    void ranksBehindAreTold();
    void endsOfLogsAreReadFewAtATime();
    void theEndOfALogIsRead_data();
    void theEndOfALogIsRead();
    void theOnlyEpochAddsNoSteps();
};

void StallDetectorTest::aRhythmIsNoStall_data()
{
    QTest::addColumn<qint64>("gap");
    for (const qint64 gap : {lookMs, 2 * second, 20 * second, 100 * second, 10 * minute, 40 * minute})
        QTest::addRow("%lld s", gap / second) << gap;
}

void StallDetectorTest::aRhythmIsNoStall()
{
    QFETCH(qint64, gap);
    Simulation run({every(gap), every(gap), every(gap)});
    run.run(std::max(3 * 60 * minute, 20 * gap));
    // What writes less often than a start may take is not known at first.
    if (gap > 30 * minute) {
        QVERIFY(run.stalls() > 0);
        run.forgetStalls();
        run.run(20 * gap);
    }
    QCOMPARE(run.stalls(), 0);
    QCOMPARE(run.kind(1), Kind::Working);
}

void StallDetectorTest::jitterIsNoStall_data()
{
    QTest::addColumn<qint64>("shortest");
    for (const qint64 shortest : {lookMs, 10 * second, minute, 4 * minute})
        QTest::addRow("%lld s", shortest / second) << shortest;
}

void StallDetectorTest::jitterIsNoStall()
{
    QFETCH(qint64, shortest);
    for (unsigned seed = 0; seed < 20; ++seed) {
        Simulation run({jittery(shortest, seed), jittery(shortest, seed + 100)}, stepsOf({0, 1}));
        run.run(std::max(60 * minute, 60 * shortest));
        QCOMPARE(run.stalls(), 0);
    }
}

void StallDetectorTest::aPauseThatWasSeenBeforeIsNoStall()
{
    // A step every two seconds, and four minutes of a checkpoint after 500 of them.
    const auto gap = [](int writes) {
        return writes > 0 && writes % 500 == 0 ? 4 * minute : 2 * second;
    };
    Simulation run({gap, gap}, stepsOf({0, 1}));
    run.run(25 * minute);
    QVERIFY(run.stalls() > 0); // Nobody could know.
    run.forgetStalls();
    run.run(4 * 60 * minute);
    QCOMPARE(run.stalls(), 0);
}

void StallDetectorTest::aSilentRunIsReportedInTime_data()
{
    QTest::addColumn<qint64>("gap");
    for (const qint64 gap : {lookMs, 2 * second, 20 * second, 2 * minute})
        QTest::addRow("%lld s", gap / second) << gap;
}

void StallDetectorTest::aSilentRunIsReportedInTime()
{
    QFETCH(qint64, gap);
    Simulation run({every(gap), every(gap), every(gap)});
    run.run(std::max(10 * minute, 20 * gap));
    QCOMPARE(run.stalls(), 0);
    for (const int rank : {0, 1, 2})
        run.hang(rank);
    run.run(119 * second - std::min(gap, 119 * second));
    QCOMPARE(run.kind(0), Kind::Working);
    run.run(5 * second + 7 * gap);
    for (const int rank : {0, 1, 2})
        QCOMPARE(run.kind(rank), Kind::Stalled);
    const RankActivity activity = run.detector().activities().front();
    QVERIFY(run.now() - activity.since >= 119 * second);
    QCOMPARE(activity.usualMs, gap);
}

void StallDetectorTest::aRankThatGoesOnIsStalledNoMore()
{
    Simulation run({every(second), every(second)});
    run.run(10 * minute);
    run.hang(0);
    run.hang(1);
    run.run(3 * minute);
    QCOMPARE(run.kind(0), Kind::Stalled);
    run.goOn(1);
    run.run(second);
    QCOMPARE(run.kind(0), Kind::Stalled);
    QCOMPARE(run.kind(1), Kind::Working);
    run.detector().end(0);
    QCOMPARE(run.kind(0), Kind::Ended);
    run.detector().start(0, run.now());
    QCOMPARE(run.kind(0), Kind::Starting);
}

void StallDetectorTest::whoIsHeldAndWhoGoesOnAfterItAreNotStalled()
{
    Simulation run({every(2 * second), every(2 * second), every(2 * second)}, stepsOf({0, 1, 2}));
    run.run(6 * minute);
    for (const int rank : {0, 1, 2})
        run.hang(rank);
    run.detector().setHeld(1, true, run.now());
    run.run(10 * minute);
    QCOMPARE(run.kind(1), Kind::Held);
    QCOMPARE(run.detector().activities()[1].since, run.now() - 10 * minute);
    QCOMPARE(run.kind(0), Kind::Stalled); // Which the verdict takes for waiting.
    run.forgetStalls();
    run.detector().setHeld(1, false, run.now());
    run.run(minute);
    for (const int rank : {0, 1, 2})
        QVERIFY(run.kind(rank) != Kind::Stalled && run.kind(rank) != Kind::Held);
    // Those that do not go on then are.
    run.run(2 * minute);
    QCOMPARE(run.kind(1), Kind::Stalled);
    run.detector().setHeld(1, true, run.now());
    run.run(second);
    run.detector().end(1);
    run.run(second);
    QCOMPARE(run.kind(1), Kind::Ended);
}

void StallDetectorTest::whoWaitsForOneThatIsHeldIsKnownSoon()
{
    // The first is quick, the second writes once a minute, the third has not written yet.
    Simulation run({every(2 * second), every(minute), every(60 * minute), every(2 * second)});
    run.run(20 * minute);
    run.hang(0);
    run.hang(1);
    run.detector().setHeld(3, true, run.now());
    run.run(4 * second);
    QCOMPARE(run.kind(0), Kind::Working);
    run.run(4 * second);
    QCOMPARE(run.kind(0), Kind::Stalled);
    QCOMPARE(run.kind(2), Kind::Stalled);
    QCOMPARE(run.kind(1), Kind::Working);
    run.run(4 * minute);
    QCOMPARE(run.kind(1), Kind::Stalled);
    run.goOn(0);
    run.run(2 * second);
    QCOMPARE(run.kind(0), Kind::Working);
}

void StallDetectorTest::aCompileAfterTheStartIsNoStall()
{
    // Twenty lines of imports and devices within a minute, then 25 minutes of nothing, then steps.
    const auto gap = [](int writes) {
        return writes < 20 ? 3 * second : writes == 20 ? 25 * minute : 2 * second;
    };
    Simulation run({gap, gap, gap, gap});
    run.run(20 * minute);
    QCOMPARE(run.kind(0), Kind::Starting);
    run.run(40 * minute);
    QCOMPARE(run.stalls(), 0);
    QCOMPARE(run.kind(0), Kind::Working);
}

void StallDetectorTest::aLogThatSaysCompilingIsNoStall()
{
    const auto hints = [](int) {
        return LogHint{true, 5};
    };
    Simulation run({every(second)}, hints);
    run.run(40 * minute);
    run.hang(0);
    run.run(29 * minute);
    QCOMPARE(run.kind(0), Kind::Compiling);
    QCOMPARE(run.stalls(), 0);
    run.run(2 * minute);
    QCOMPARE(run.kind(0), Kind::Stalled);
}

void StallDetectorTest::aStartThatNeverEndsIsAStallAtLast()
{
    Simulation run({every(second), every(second)});
    run.run(5 * second);
    run.hang(0);
    run.hang(1);
    run.run(29 * minute);
    QCOMPARE(run.stalls(), 0);
    QCOMPARE(run.kind(0), Kind::Starting);
    run.run(2 * minute);
    QCOMPARE(run.kind(0), Kind::Stalled);
    QCOMPARE(run.kind(1), Kind::Stalled);
}

/// Four ranks that print some lines while they start, then steps, twice a second or faster; then the first
/// `hanging` ranks print nothing more. Their steps are read as seldom as a supervisor reads them.
struct Start {
    QList<qint64> gapsMs;
    int steps = 0;
    int hanging = 4;
    qint64 afterMs = 6 * second;
    qint64 stepMs = 500;
};

/// Returns after how long a silence rank 0 was found to be stalled, ms, less than 0 for a rank that was not
/// silent; 0: never, in half an hour.
static qint64 toldAfter(const Start &start)
{
    constexpr int ranks = 4;
    StallDetector detector({start.afterMs}, ranks);
    QList<qint64> signs;
    qint64 now = begin;
    for (const qint64 gap : start.gapsMs)
        signs << (now += gap);
    const qint64 firstStep = now;
    for (int step = 1; step < start.steps; ++step)
        signs << (now += start.stepMs);
    const qint64 last = now;
    for (int rank = 0; rank < ranks; ++rank)
        detector.start(rank, begin);
    qint64 readAt = begin;
    for (qint64 time = begin; time < last + 30 * minute; time += lookMs) {
        const bool haveAllPrinted = !signs.isEmpty() && signs.front() <= time;
        while (!signs.isEmpty() && signs.front() <= time)
            signs.removeFirst();
        for (int rank = 0; rank < ranks; ++rank) {
            if (haveAllPrinted || (rank >= start.hanging && time > last))
                detector.grow(rank, time);
        }
        if (time >= firstStep && time - readAt >= std::max(second, start.afterMs / 12)) {
            readAt = time;
            for (int rank = 0; rank < ranks; ++rank)
                detector.place(rank, 1 + (std::min(time, rank < start.hanging ? last : time) - firstStep) /
                                             start.stepMs);
        }
        detector.look(time);
        if (detector.activities()[0].kind == Kind::Stalled)
            return time - last;
    }
    return 0;
}

void StallDetectorTest::aStallAfterTheFirstStepsIsToldSoon_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("hanging");
    QTest::addColumn<qint64>("afterMs");
    QTest::addColumn<qint64>("stepMs");
    QTest::addColumn<qint64>("mostMs");
    // It imports, compiles, and computes its first step: gaps of 17, 9 and 4 s.
    QTest::newRow("all, soon") << 8 << 4 << 6 * second << second / 2 << 12 * second;
    QTest::newRow("all, later") << 30 << 4 << 6 * second << second / 2 << 12 * second;
    QTest::newRow("one, soon") << 8 << 1 << 6 * second << second / 2 << 12 * second;
    QTest::newRow("all, after a second of steps") << 11 << 4 << 6 * second << second / 10 << 12 * second;
    QTest::newRow("one, after a second of steps") << 11 << 1 << 6 * second << second / 10 << 12 * second;
    // Nobody knows yet how long a step takes.
    QTest::newRow("all, with the first step") << 1 << 4 << 6 * second << second / 2 << 103 * second;
    QTest::newRow("one, with the second step") << 2 << 1 << 6 * second << second / 2 << 103 * second;
    QTest::newRow("all, with the second step, usual limit")
        << 2 << 4 << 2 * minute << second / 2 << 121 * second;
    QTest::newRow("one, with the third step, usual limit")
        << 3 << 1 << 2 * minute << second / 2 << 121 * second;
}

void StallDetectorTest::aStallAfterTheFirstStepsIsToldSoon()
{
    QFETCH(int, steps);
    QFETCH(int, hanging);
    QFETCH(qint64, afterMs);
    QFETCH(qint64, mostMs);
    QFETCH(qint64, stepMs);
    const qint64 told =
        toldAfter({{second, 17 * second, 9 * second, 4 * second}, steps, hanging, afterMs, stepMs});
    QVERIFY2(told > afterMs && told <= mostMs, QByteArray::number(told).constData());
}

void StallDetectorTest::aHealthyStartIsNoStall()
{
    constexpr int starts = 20;
    std::mt19937 generator(20261129);
    for (int start = 0; start < starts; ++start) {
        // A few lines, or many.
        const qint64 longestMs = start % 2 == 0 ? 15 * second : 2 * second;
        QList<qint64> gaps;
        for (qint64 left = 30 * second; left > 0; left -= gaps.last())
            gaps << std::min(left, std::uniform_int_distribution<qint64>(100, longestMs)(generator));
        const qint64 told = toldAfter({gaps, 100});
        QVERIFY2(told > 6 * second, qPrintable(u"start %1: %2"_s.arg(start).arg(told)));
    }
}

void StallDetectorTest::ranksThatPrintNoStepsTellNothingBySilence()
{
    // In Megatron the last rank prints the steps; the others are loud while they start, here for long.
    const auto loud = [](int writes) {
        return writes < 600 ? second : 24 * 60 * minute;
    };
    Simulation run({loud, loud, loud, every(2 * second)}, stepsOf({3}));
    run.run(4 * 60 * minute);
    QCOMPARE(run.stalls(), 0);
    QCOMPARE(run.kind(0), Kind::Quiet);
    run.hang(3);
    run.run(3 * minute);
    QCOMPARE(run.kind(3), Kind::Stalled);
    QCOMPARE(run.kind(0), Kind::Quiet);
}

void StallDetectorTest::oneRankThatPrintsStepsMayStallAlone()
{
    Simulation run({every(second), every(second), every(second), every(second)}, stepsOf({0, 1, 2, 3}));
    run.run(5 * minute);
    run.hang(2);
    run.run(3 * minute);
    QCOMPARE(run.kind(2), Kind::Stalled);
    QCOMPARE(run.kind(1), Kind::Working);
}

void StallDetectorTest::ranksWithoutStepsStallTogether()
{
    Simulation run({every(second), every(second), every(second), every(second)});
    run.run(5 * minute);
    run.hang(2);
    run.run(5 * minute);
    QCOMPARE(run.kind(2), Kind::Quiet); // It may only have been loud while it started …
    run.hang(0);
    run.hang(1);
    run.run(3 * minute);
    QCOMPARE(run.kind(2), Kind::Stalled); // … unless most are silent.
    QCOMPARE(run.kind(3), Kind::Working);
}

void StallDetectorTest::aRankThatIsNotSeenIsNotStalled()
{
    Simulation run({every(second), every(second)});
    run.run(10 * minute);
    run.detector().setSeen(0, false, run.now());
    run.hang(0);
    run.run(60 * minute);
    QCOMPARE(run.kind(0), Kind::Unseen);
    QCOMPARE(run.stalls(), 0);
    run.detector().setSeen(0, true, run.now());
    run.run(lookMs);
    QCOMPARE(run.kind(0), Kind::Working);
}

void StallDetectorTest::aClockThatJumpsMakesNoStall_data()
{
    QTest::addColumn<qint64>("by");
    QTest::addRow("an hour of sleep") << 60 * minute;
    QTest::addRow("an hour back") << -60 * minute;
}

void StallDetectorTest::aClockThatJumpsMakesNoStall()
{
    QFETCH(qint64, by);
    Simulation run({every(second), every(second)}, stepsOf({0, 1}));
    run.run(10 * minute);
    run.jump(by);
    run.run(10 * minute);
    QCOMPARE(run.stalls(), 0);
    run.hang(0);
    run.run(60 * second);
    run.jump(by);
    run.run(55 * second);
    QCOMPARE(run.stalls(), 0); // 115 s of it were watched …
    run.run(10 * second);
    QCOMPARE(run.kind(0), Kind::Stalled); // … and 125.
}

void StallDetectorTest::noneIsLookedForWithoutALimit()
{
    Simulation run({every(second)}, {}, 0);
    run.run(minute);
    run.hang(0);
    run.run(60 * minute);
    QCOMPARE(run.stalls(), 0);
}

void StallDetectorTest::ranksBehindAreTold()
{
    StallDetector detector({}, 3);
    qint64 now = begin;
    for (int rank = 0; rank < 3; ++rank)
        detector.start(rank, now);
    // They say every tenth step; the last is as slow as they come.
    for (int step = 10; step <= 200; step += 10) {
        now += second;
        for (int rank = 0; rank < 3; ++rank) {
            detector.grow(rank, now);
            detector.place(rank, rank == 2 ? step / 20 * 10 : rank == 1 ? step - 10 : step);
        }
        detector.look(now);
    }
    const auto activities = detector.activities();
    QCOMPARE(activities[0].stepsBehind, 0);
    QCOMPARE(activities[1].stepsBehind, 0); // It may be about to say the next.
    QCOMPARE(activities[2].stepsBehind, 100);
    QCOMPARE(activities[2].step, std::optional<qint64>(100));
}

void StallDetectorTest::endsOfLogsAreReadFewAtATime()
{
    constexpr int ranks = 1000;
    int asked = 0;
    int askedBefore = 0;
    const auto hints = [&asked](int) {
        ++asked;
        return LogHint{};
    };
    Simulation run(std::vector<Simulation::Gap>(ranks, every(2 * second)), hints);
    run.run(6 * minute);
    QCOMPARE(asked, 0);
    for (int rank = 0; rank < ranks; ++rank)
        run.hang(rank);
    for (int look = 0; look < 300; ++look) {
        run.run(lookMs);
        QVERIFY(asked - askedBefore <= 64);
        askedBefore = asked;
    }
    QCOMPARE(asked, ranks); // Each once, for as long as it is silent.
    QCOMPARE(run.kind(ranks - 1), Kind::Stalled);
}

void StallDetectorTest::theEndOfALogIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isCompiling");
    QTest::addRow("nothing") << QByteArray() << false;
    QTest::addRow("steps") << QByteArray("epoch: 1 step: 1875, loss is 1.1544309\n") << false;
    QTest::addRow("compile") << QByteArray("building\nStart compiling graph...\n") << true;
    QTest::addRow("capital") << QByteArray("Compiling a graph for shape 8 takes 80 s\r\n") << true;
    QTest::addRow("Chinese") << QByteArray("开始编译图\n") << true;
    QTest::addRow("compiled long ago") << QByteArray("Compile\nstep 1\nstep 2\nstep 3\n") << false;
}

void StallDetectorTest::theEndOfALogIsRead()
{
    QFETCH(QByteArray, text);
    QTemporaryDir folder;
    QFile file(folder.filePath(u"log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QTEST(hintOfLog(file.fileName()).isCompiling, "isCompiling");
    QVERIFY(!hintOfLog(folder.filePath(u"none"_s)).isCompiling);
}

void StallDetectorTest::theOnlyEpochAddsNoSteps()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("epoch: 1/1 step: 49/600, loss is 1.68\n");
    file.close();
    QCOMPARE(hintOfLog(file.fileName()).step, std::optional<qint64>(49));
}

} // namespace tst_stalldetector

RANKDECK_TEST(tst_stalldetector, StallDetectorTest)
#include "tst_stalldetector.moc"
