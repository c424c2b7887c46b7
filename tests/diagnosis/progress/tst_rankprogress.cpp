#include "diagnosis/progress/progressreader.h"
#include "diagnosis/progress/rankprogress.h"
#include "log/line/loglinereader.h"
#include "support/testmain.h"

#include <QTest>

#include <cmath>
#include <limits>

namespace tst_rankprogress
{

using namespace rankdeck;

namespace
{

/// What lines of one log come to.
ProgressTracker tracked(const QList<QByteArray> &lines)
{
    ProgressTracker tracker;
    LogLineReader stamps;
    for (const QByteArray &line : lines) {
        if (const auto point = ProgressReader().read(line))
            tracker.add({*point, 0, stamps.read(line).time, {}});
    }
    return tracker;
}

QByteArray bar(int step, int steps)
{
    return QByteArray("  8%|##   | ") + QByteArray::number(step) + '/' + QByteArray::number(steps) +
           " [01:00<01:00,  2.00s/it]";
}

} // namespace

class TestRankProgress : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSeriesKeepsEachValueWhileThereIsRoom();
    void aSeriesStaysBounded();
    void aSeriesCanEndEarlier();
    void aSeriesTakesStepsInAnyOrder();
    void aSeriesTellsWhatIsNoNumber();

    void whatNobodySaidIsAbsent();
    void stepsAreCountedThroughEpochs_data();
    void stepsAreCountedThroughEpochs();
    void theRhythmIsTheMedian();
    void theRhythmIsToldByStampsWhereLinesDoNotSayIt();
    void theRhythmIsToldByTheClockWhereThereAreNoStamps();
    void theRhythmIsRightHoweverStepsComeAndLogsArePolled_data();
    void theRhythmIsRightHoweverStepsComeAndLogsArePolled();
    void theRhythmIsRightWithStampsOfWholeSeconds();
    void theRhythmFollowsAChangeWithinSeconds();
    void aClockThatWasSetIsNoStep();
    void theRestTakesAsLongAsItsSteps();
    void aBarWithinAnotherIsLeftAside();
    void aLossBelongsToTheStepBeforeItInItsLog();
    void aStepThatGoesBackHasNotAdvanced();
};

void TestRankProgress::aSeriesKeepsEachValueWhileThereIsRoom()
{
    ValueSeries series(8);
    QVERIFY(series.isEmpty());
    for (int step = 100; step < 108; ++step)
        series.add(step, step * 0.5);
    QCOMPARE(series.size(), 8);
    QCOMPARE(series.width(), 1);
    QCOMPARE(series.stepOf(3), 103);
    QCOMPARE(series.at(3), (ValueSeries::Bucket{51.5F, 51.5F, 51.5F, 1, 0}));
    series.add(108, 1);
    QCOMPARE(series.width(), 2);
    QCOMPARE(series.size(), 5);
    QCOMPARE(series.at(0), (ValueSeries::Bucket{50, 50.5F, 50.5F, 2, 0}));
}

void TestRankProgress::aSeriesCanEndEarlier()
{
    ValueSeries series(8);
    for (int step = 100; step < 116; ++step)
        series.add(step, step);
    QCOMPARE(series.width(), 2);
    const ValueSeries part = series.until(105);
    QCOMPARE(part.size(), 3);
    for (int bucket = 0; bucket < part.size(); ++bucket)
        QVERIFY(part.at(bucket) == series.at(bucket));
    QVERIFY(series.until(99).isEmpty());
    QVERIFY(series.until(-1).isEmpty());
    QVERIFY(series.until(1000) == series);
}

void TestRankProgress::aSeriesStaysBounded()
{
    ValueSeries series(64);
    constexpr int steps = 1'000'000;
    for (int step = 1; step <= steps; ++step)
        series.add(step, step);
    QVERIFY(series.size() <= 64);
    QVERIFY(series.size() > 16);
    // None is lost, and each is where it belongs.
    qint64 count = 0;
    for (int bucket = 0; bucket < series.size(); ++bucket) {
        const ValueSeries::Bucket &at = series.at(bucket);
        count += at.count;
        QVERIFY(at.least >= float(series.stepOf(bucket)) && at.most < float(series.stepOf(bucket + 1)));
    }
    QCOMPARE(count, steps);
    // One that is far away makes it no larger either.
    series.add(std::numeric_limits<qint32>::max(), 1);
    series.add(0, 1);
    QVERIFY(series.size() <= 64);
}

void TestRankProgress::aSeriesTakesStepsInAnyOrder()
{
    ValueSeries forward(16);
    ValueSeries back(16);
    for (int step = 0; step < 100; ++step) {
        forward.add(step, step);
        back.add(99 - step, 99 - step);
    }
    QCOMPARE(back.width(), forward.width());
    QCOMPARE(back.size(), forward.size());
    for (int bucket = 0; bucket < back.size(); ++bucket) {
        QCOMPARE(back.stepOf(bucket), forward.stepOf(bucket));
        QCOMPARE(back.at(bucket).least, forward.at(bucket).least);
        QCOMPARE(back.at(bucket).most, forward.at(bucket).most);
        QCOMPARE(back.at(bucket).count, forward.at(bucket).count);
    }
}

void TestRankProgress::aSeriesTellsWhatIsNoNumber()
{
    ValueSeries series(4);
    series.add(1, std::numeric_limits<double>::quiet_NaN());
    QVERIFY(!series.at(0).isEmpty());
    QCOMPARE(series.at(0).count, 0U);
    series.add(1, 3);
    series.add(1, std::numeric_limits<double>::infinity());
    QCOMPARE(series.at(0), (ValueSeries::Bucket{3, 3, 3, 1, 2}));
}

void TestRankProgress::whatNobodySaidIsAbsent()
{
    const RankProgress silent = tracked({"starting", "loading"}).progress();
    QVERIFY(silent.isSilent());
    QCOMPARE(silent, RankProgress());
    QVERIFY(!silent.step && !silent.stepMs && !silent.remainingMs());

    const RankProgress some = tracked({"epoch: 1 step: 10, loss is 0.5"}).progress();
    QCOMPARE(some.last.loss, 0.5);
    QVERIFY(!some.last.learningRate && !some.last.throughput && !some.stepMs && !some.steps);
    QVERIFY(!some.advancedAt); // It was there before anybody looked.
}

void TestRankProgress::stepsAreCountedThroughEpochs_data()
{
    QTest::addColumn<QList<QByteArray>>("lines");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("steps"); // -1: not known
    QTest::newRow("MindFormers") << QList<QByteArray>{"Epoch:[  1/  3], step:[  19/   19], loss: 1",
                                                      "Epoch:[  2/  3], step:[    1/   19], loss: 1"}
                                 << qint64(20) << qint64(57);
    QTest::newRow("from its midst") << QList<QByteArray>{"Epoch 3/200, Step 100/3995, loss: 11.6"}
                                    << qint64(2 * 3995 + 100) << qint64(200 * 3995);
    QTest::newRow("epochs from 0") << QList<QByteArray>{"Epoch:[0/19](100/24681) loss:5.2",
                                                        "Epoch:[1/19](100/24681) loss:5.1"}
                                   << qint64(24781) << qint64(19 * 24681);
    QTest::newRow("LossMonitor of whole epochs")
        << QList<QByteArray>{"epoch: 1 step: 1875, loss is 1", "epoch: 2 step: 1875, loss is 1",
                             "epoch: 3 step: 1875, loss is 1"}
        << qint64(3 * 1875) << qint64(-1);
    QTest::newRow("LossMonitor of steps")
        << QList<QByteArray>{"epoch: 1 step: 1, loss is 1", "epoch: 1 step: 2, loss is 1",
                             "epoch: 2 step: 1, loss is 1"}
        << qint64(3) << qint64(-1);
    QTest::newRow("steps that go on")
        << QList<QByteArray>{"epoch: 0 step: 8, loss 1", "epoch: 0 step: 9, loss 1",
                             "epoch: 1 step: 10, loss 1"}
        << qint64(10) << qint64(-1);
    QTest::newRow("fractions of epochs")
        << QList<QByteArray>{"{'loss': 1, 'epoch': 1.5, 'global_step/max_steps': '150/300'}"} << qint64(150)
        << qint64(300);
    QTest::newRow("fractions of epochs that come to whole ones")
        << QList<QByteArray>{"epoch 0.5 step 150/900 loss 1", "epoch 1.0 step 300/900 loss 1"} << qint64(300)
        << qint64(900);
    QTest::newRow("global steps")
        << QList<QByteArray>{"{'loss': 1, 'epoch': 2.0, 'global_step/max_steps': '200/300'}"} << qint64(200)
        << qint64(300);
    QTest::newRow("Megatron") << QList<QByteArray>{" iteration 10/ 5000 | lm loss: 1.0E+00 |"} << qint64(10)
                              << qint64(5000);
    QTest::newRow("a bar") << QList<QByteArray>{bar(1, 50), bar(30, 50)} << qint64(30) << qint64(50);
    QTest::newRow("a bar an epoch") << QList<QByteArray>{bar(1, 50), bar(50, 50), bar(0, 50), bar(3, 50)}
                                    << qint64(53) << qint64(-1);
    QTest::newRow("Lightning") << QList<QByteArray>{"Epoch 0: 100%|##| 18/18 [00:17<01:02,  4.47s/it]",
                                                    "Epoch 1:  22%|# | 4/18 [00:17<01:02,  4.47s/it]"}
                               << qint64(22) << qint64(-1);
    QTest::newRow("the most that is taken")
        << QList<QByteArray>{"Epoch 1000000/1000000, Step 1000000000000/1000000000000, loss: 1"}
        << qint64(1e18) << qint64(1e18);
    QTest::newRow("epochs alone") << QList<QByteArray>{"epoch: [40/90] loss: 3.46"} << qint64(40)
                                  << qint64(90);
}

void TestRankProgress::stepsAreCountedThroughEpochs()
{
    QFETCH(QList<QByteArray>, lines);
    QFETCH(qint64, step);
    QFETCH(qint64, steps);
    const RankProgress progress = tracked(lines).progress();
    QCOMPARE(progress.lines, lines.size());
    QCOMPARE(progress.step.value_or(-1), step);
    QCOMPARE(progress.steps.value_or(-1), steps);
}

void TestRankProgress::theRhythmIsTheMedian()
{
    ProgressTracker tracker;
    // The first step compiles, and now and then a checkpoint is written.
    const QList<double> durations{120'000, 1900, 1950, 1900, 30'000, 1920, 1910};
    for (int step = 0; step < durations.size(); ++step) {
        ProgressPoint point;
        point.step = step + 1;
        point.stepMs = durations[step];
        tracker.add({point});
    }
    QCOMPARE(tracker.progress().stepMs, 1920.0);
    QCOMPARE(tracker.progress().last.stepMs, 1910.0);
    QCOMPARE(tracker.stepTime().size(), 7);
}

void TestRankProgress::theRhythmIsToldByStampsWhereLinesDoNotSayIt()
{
    const ProgressTracker tracker = tracked({"2025-04-07 15:34:20,000 - INFO - step: 10, loss: 1",
                                             "2025-04-07 15:34:40,000 - INFO - step: 20, loss: 1",
                                             "2025-04-07 15:35:00,500 - INFO - step: 30, loss: 1"});
    QCOMPARE(tracker.progress().stepMs, 2025.0);
    QCOMPARE(tracker.stepTime().at(0).last, 2000.0F);
}

void TestRankProgress::theRhythmIsToldByTheClockWhereThereAreNoStamps()
{
    ProgressTracker tracker;
    ProgressPoint point;
    for (int step = 1; step <= 4; ++step) {
        point.step = step;
        tracker.add({point, 0, {}, qint64(1'000'000 + step * 3000)});
    }
    QCOMPARE(tracker.progress().stepMs, 3000.0);
    QCOMPARE(tracker.progress().advancedAt, qint64(1'012'000));
    // The same step once more is no advance.
    tracker.add({point, 0, {}, qint64(1'099'000)});
    QCOMPARE(tracker.progress().advancedAt, qint64(1'012'000));
}

void TestRankProgress::theRhythmIsRightHoweverStepsComeAndLogsArePolled_data()
{
    QTest::addColumn<int>("stepMs");
    QTest::addColumn<int>("stepsAtOnce"); // As a program writes them that does not flush each line.
    QTest::addColumn<int>("lookMs");
    for (const int lookMs : {250, 500, 1000}) {
        const auto row = [&](const char *name, int stepMs, int stepsAtOnce) {
            QTest::addRow("%s, a look each %d ms", name, lookMs) << stepMs << stepsAtOnce << lookMs;
        };
        row("20 ms", 20, 1);
        row("100 ms", 100, 1);
        row("3 s", 3000, 1);
        row("40 s", 40'000, 1);
        row("bursts", 100, 40);
    }
}

void TestRankProgress::theRhythmIsRightHoweverStepsComeAndLogsArePolled()
{
    QFETCH(int, stepMs);
    QFETCH(int, stepsAtOnce);
    QFETCH(int, lookMs);
    constexpr int settlingMs = 30'000;
    ProgressTracker tracker;
    ProgressPoint point;
    point.steps = 1'000'000;
    for (int looks = 1; looks * lookMs <= settlingMs + 10 * stepMs; ++looks) {
        const int now = looks * lookMs + looks % 7; // Timers are late, and not always alike.
        const int printed = now / (stepMs * stepsAtOnce) * stepsAtOnce;
        while (point.step.value_or(0) < printed) {
            point.step = point.step.value_or(0) + 1;
            tracker.add({point, 0, {}, now});
        }
        if (now < settlingMs || !tracker.progress().stepMs)
            continue;
        const double ratio = *tracker.progress().stepMs / stepMs;
        QVERIFY2(ratio > 0.95 && ratio < 1.05, qPrintable(u"%1 ms"_s.arg(*tracker.progress().stepMs)));
        QCOMPARE(tracker.progress().remainingMs(),
                 double(1'000'000 - *tracker.progress().step) * *tracker.progress().stepMs);
    }
    QVERIFY(tracker.progress().stepMs);
    QVERIFY(std::abs(tracker.stepTime().at(tracker.stepTime().size() - 1).last / float(stepMs) - 1) < 0.05F);
}

void TestRankProgress::theRhythmIsRightWithStampsOfWholeSeconds()
{
    for (const int stepMs : {20, 100, 3000}) {
        ProgressTracker tracker;
        ProgressPoint point;
        for (int step = 1; step * stepMs <= 60'000; ++step) {
            point.step = step;
            tracker.add({point, 0, LogTime(step * stepMs / 1000 * 1'000'000LL), {}});
        }
        const double ratio = tracker.progress().stepMs.value_or(0) / stepMs;
        QVERIFY2(ratio > 0.95 && ratio < 1.05, qPrintable(u"%1 of %2 ms"_s.arg(ratio).arg(stepMs)));
    }
}

void TestRankProgress::theRhythmFollowsAChangeWithinSeconds()
{
    ProgressTracker tracker;
    ProgressPoint point;
    qint64 now = 0;
    const auto train = [&](int stepMs, int ms) {
        for (const qint64 end = now + ms; now < end; now += stepMs) {
            point.step = point.step.value_or(0) + 1;
            tracker.add({point, 0, {}, now});
        }
    };
    train(100, 60'000);
    QCOMPARE(qRound(*tracker.progress().stepMs), 100);
    now += 60'000; // A checkpoint is written.
    train(100, 12'000);
    QCOMPARE(qRound(*tracker.progress().stepMs), 100);
    train(400, 12'000);
    QCOMPARE(qRound(*tracker.progress().stepMs), 400);
}

void TestRankProgress::aClockThatWasSetIsNoStep()
{
    constexpr qint64 day = 86'400'000;
    ProgressTracker tracker;
    ProgressPoint point;
    for (const qint64 shift : {qint64(0), day, qint64(0)}) {
        for (int each = 0; each < 100; ++each) {
            point.step = point.step.value_or(0) + 1;
            tracker.add({point, 0, {}, *point.step * 100 + shift});
            if (*point.step > 1 && each > 0)
                QCOMPARE(qRound(*tracker.progress().stepMs), 100);
        }
    }
}

void TestRankProgress::theRestTakesAsLongAsItsSteps()
{
    const RankProgress progress =
        tracked({" iteration 1200/ 5000 | elapsed time per iteration (ms): 1900.0 | lm loss: 1.0E+00 |"})
            .progress();
    QCOMPARE(progress.remainingMs(), 3800 * 1900.0);
    QVERIFY(!tracked({" iteration 1200/ 5000 | lm loss: 1.0E+00 |"}).progress().remainingMs());
    QVERIFY(!tracked({"step: 3, loss: 1, step_time_ms: 10"}).progress().remainingMs());
    QCOMPARE(tracked({"step: 5/5, loss: 1, step_time_ms: 10"}).progress().remainingMs(), 0.0);
}

void TestRankProgress::aBarWithinAnotherIsLeftAside()
{
    const ProgressTracker tracker =
        tracked({bar(500, 5000), bar(1, 63), bar(62, 63), bar(63, 63), bar(501, 5000)});
    QCOMPARE(tracker.progress().step, 501);
    QCOMPARE(tracker.progress().steps, 5000);
    QCOMPARE(tracker.progress().lines, 2);
    // What came before training ends, and training begins.
    QCOMPARE(tracked({bar(63, 63), bar(1, 20)}).progress().steps, 20);
}

void TestRankProgress::aLossBelongsToTheStepBeforeItInItsLog()
{
    ProgressTracker tracker;
    ProgressPoint step;
    step.step = 70;
    step.learningRate = 0.1;
    ProgressPoint loss;
    loss.loss = 2.5;
    tracker.add({step, 0});
    tracker.add({loss, 0});
    QCOMPARE(tracker.loss().stepOf(0), 70);
    // Of the other log nobody knows what was first; its losses are numbered.
    ProgressTracker apart;
    apart.add({step, 1});
    apart.add({loss, 0});
    apart.add({loss, 0});
    QCOMPARE(apart.loss().stepOf(0), 0);
    QCOMPARE(apart.loss().size(), 2);
}

void TestRankProgress::aStepThatGoesBackHasNotAdvanced()
{
    ProgressTracker tracker;
    ProgressPoint point;
    point.step = 100;
    tracker.add({point, 0, {}, qint64(1000)});
    point.step = 90; // As from its last checkpoint.
    tracker.add({point, 0, {}, qint64(2000)});
    QCOMPARE(tracker.progress().step, 90);
    QCOMPARE(tracker.progress().advancedAt, qint64(1000));
    QVERIFY(!tracker.progress().stepMs);
    point.step = 91;
    tracker.add({point, 0, {}, qint64(3000)});
    QCOMPARE(tracker.progress().advancedAt, qint64(3000));
    QCOMPARE(tracker.progress().stepMs, 1000.0);
}

} // namespace tst_rankprogress

RANKDECK_TEST(tst_rankprogress, TestRankProgress)
#include "tst_rankprogress.moc"
