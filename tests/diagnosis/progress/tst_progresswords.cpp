#include "diagnosis/progress/rankprogress.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"

#include <QTest>

#include <limits>

namespace tst_progresswords
{

using namespace rankdeck;

namespace
{

RankProgress rankAt(qint64 step, double loss, double stepMs)
{
    RankProgress rank;
    rank.step = step;
    rank.steps = 5000;
    rank.last.loss = loss;
    rank.stepMs = stepMs;
    rank.lines = 1;
    return rank;
}

} // namespace

class TestProgressWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesAreCoarse_data();
    void timesAreCoarse();
    void aRankIsToldInFewWords();
    void aRunIsAsFarAsItsFarthestRank();
    void whatIsNotKnownIsLeftOut();
    void curvesAreSavedAsTheyAreKept();
};

void TestProgressWords::timesAreCoarse_data()
{
    QTest::addColumn<double>("ms");
    QTest::addColumn<QString>("step");
    QTest::addColumn<QString>("remaining");
    QTest::newRow("nothing") << 0.0 << "0.0 ms"
                             << "0 s";
    QTest::newRow("short") << 510.243 << "510 ms"
                           << "0 s";
    QTest::newRow("usual") << 1932.5 << "1.9 s"
                           << "1 s";
    QTest::newRow("first step") << 166'756.0 << "167 s"
                                << "2 min";
    QTest::newRow("hours") << 7'260'000.0 << "7260 s"
                           << "2 h 1 min";
    QTest::newRow("days") << 273'600'000.0 << "273600 s"
                          << "3 d 4 h";
    QTest::newRow("for ever") << 1e300 << QString::number(1e297, 'f', 0) + u" s"_s << "11574074 d 1 h";
}

void TestProgressWords::timesAreCoarse()
{
    QFETCH(double, ms);
    QTEST(stepTimeText(ms), "step");
    QTEST(remainingText(ms), "remaining");
}

void TestProgressWords::aRankIsToldInFewWords()
{
    QCOMPARE(progressText(rankAt(1200, 2.1312345, 1932.5)), u"step 1,200 loss 2.131"_s);
    QCOMPARE(progressText(RankProgress()), QString());
    RankProgress odd;
    odd.last.loss = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(progressText(odd), u"loss nan"_s);
    odd.last.loss = 1e-7;
    odd.last.epoch = 0.25;
    QCOMPARE(progressText(odd), u"epoch 0.25 loss 1e-07"_s);
}

void TestProgressWords::aRunIsAsFarAsItsFarthestRank()
{
    RankProgress silent;
    const RunProgress run =
        runProgress({rankAt(1199, 2, 1800), silent, rankAt(1200, 2.5, 1900), rankAt(1200, 3, 9000)});
    QCOMPARE(run.loss, 2.5);
    QCOMPARE(run.stepMs, 1900.0);
    QCOMPARE(run.fraction(), 0.24);
    QCOMPARE(progressText(run, true), u"step 1,200 of 5,000 · loss 2.5 · 1.9 s/step · 2 h 0 min left"_s);
    QCOMPARE(progressText(run, false), u"step 1,200 of 5,000 · loss 2.5 · 1.9 s/step"_s);
    // As of Megatron, where the last rank prints alone.
    QCOMPARE(progressText(runProgress({silent, silent, rankAt(7, 1, 500)}), false),
             u"step 7 of 5,000 · loss 1 · 500 ms/step"_s);
}

void TestProgressWords::whatIsNotKnownIsLeftOut()
{
    RankProgress rank;
    rank.step = 1200;
    const RunProgress run = runProgress({rank});
    QVERIFY(!run.fraction());
    QVERIFY(!run.remainingMs);
    QCOMPARE(progressText(run, true), u"step 1,200"_s);
    QCOMPARE(progressText(runProgress({}), true), QString());
    rank.step = 40;
    rank.steps = 90;
    rank.countsEpochs = true;
    QCOMPARE(progressText(runProgress({rank}), true), u"epoch 40 of 90"_s);
}

void TestProgressWords::curvesAreSavedAsTheyAreKept()
{
    LaunchPlan plan;
    plan.processes.resize(2);
    plan.processes[1].rank = Rank(5);
    ProgressCurves::Curve curve{1, ValueSeries(2), ValueSeries()};
    curve.loss.add(0, 1.5);
    curve.loss.add(1, 0.1);
    curve.loss.add(2, std::numeric_limits<double>::quiet_NaN());
    QCOMPARE(progressCsv(plan, {{curve}}),
             QByteArray("rank,quantity,first_step,last_step,min,max,last,values,not_numbers\n"
                        "5,loss,0,1,0.1,1.5,0.1,2,0\n"
                        "5,loss,2,3,,,,0,1\n"));
}

} // namespace tst_progresswords

RANKDECK_TEST(tst_progresswords, TestProgressWords)
#include "tst_progresswords.moc"
