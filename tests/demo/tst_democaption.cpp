#include "demo/democaption.h"
#include "demo/demolaunch.h"
#include "run/record/runstate.h"
#include "support/handmaderun.h"
#include "support/testmain.h"
#include "support/testpaths.h"

namespace tst_democaption
{

using namespace rankdeck;

/// What a demo says of itself while it runs.
class DemoCaptionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("RANKDECK_CTL", buildPath("bin/rankdeckctl").toUtf8()); }
    void everyDemoSaysSomethingAtEveryStep();
    void aCaptionFollowsWhatHappens();
    void theViewIsTheOneThatTheCaptionSpeaksOf();
    void otherRunsHaveNone();

private:
    static RunState run(Demo demo)
    {
        RunState state = handMadeRun(1, 8, 1);
        const auto spec = demoSpec(demo);
        if (!spec)
            qFatal("%s", qPrintable(spec.error().sentence()));
        state.spec = std::make_shared<const LaunchSpec>(*spec);
        state.phase = RunPhase::Running;
        return state;
    }
};

void DemoCaptionTest::everyDemoSaysSomethingAtEveryStep()
{
    constexpr qint64 steps = 600;
    for (const DemoEntry &entry : demos()) {
        QCOMPARE(demoOf(*run(entry.demo).spec), std::optional(entry.demo));
        for (qint64 step = 0; step <= steps; ++step)
            QVERIFY2(!demoCaption(run(entry.demo), step).text.isEmpty(), qPrintable(entry.word));
    }
}

void DemoCaptionTest::aCaptionFollowsWhatHappens()
{
    RunState fails = run(Demo::Fail);
    const QString before = demoCaption(fails, 299).text;
    fails.failure = Failure();
    const QString after = demoCaption(fails, 299).text;
    QVERIFY(after != before);
    QVERIFY(after.contains(u"Rank 5"_s));

    RunState hangs = run(Demo::Hang);
    const QString silent = demoCaption(hangs, 250).text;
    hangs.stall = RunStall{Sentence(u"silent"_s), {}};
    QVERIFY(demoCaption(hangs, 250).text != silent);

    RunState debugged = run(Demo::Debug);
    const QString starting = demoCaption(debugged, 0).text;
    debugged.prompts = 8;
    QVERIFY(demoCaption(debugged, 0).text != starting);

    RunState trains = run(Demo::Training);
    const QString last = demoCaption(trains, 599).text;
    trains.phase = RunPhase::Succeeded;
    QVERIFY(demoCaption(trains, 600).text != last);
}

void DemoCaptionTest::theViewIsTheOneThatTheCaptionSpeaksOf()
{
    constexpr qint64 steps = 600;
    for (const DemoEntry &entry : demos()) {
        for (qint64 step = 0; step <= steps; ++step) {
            const DemoCaption caption = demoCaption(run(entry.demo), step);
            if (caption.text.contains("NPUs shows"_L1) || caption.text.contains("tab NPUs"_L1))
                QCOMPARE(caption.view, DemoView::Devices);
            else if (caption.text.contains("Curves"_L1))
                QCOMPARE(caption.view, DemoView::Curves);
        }
    }
    RunState hangs = run(Demo::Hang);
    hangs.stall = RunStall{Sentence(u"silent"_s), {}};
    QCOMPARE(demoCaption(hangs, 250).view, DemoView::Collectives);
}

void DemoCaptionTest::otherRunsHaveNone()
{
    RunState state = run(Demo::Training);
    LaunchSpec changed = *state.spec;
    changed.command = {u"python3"_s, u"/home/me/train.py"_s};
    state.spec = std::make_shared<const LaunchSpec>(changed);
    QVERIFY(demoCaption(state, 1).text.isEmpty());
    state.spec.reset();
    QVERIFY(demoCaption(state, 1).text.isEmpty());
}

} // namespace tst_democaption

RANKDECK_TEST(tst_democaption, DemoCaptionTest)

#include "tst_democaption.moc"
