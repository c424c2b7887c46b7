#include "launch/spec/demolaunch.h"
#include "run/record/democaption.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

namespace tst_democaption
{

using namespace rankdeck;

/// What a demo says of itself while it runs.
class DemoCaptionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("RANKDECK_CTL", RANKDECK_BIN_DIR "/rankdeckctl"); }
    void everyDemoSaysSomethingAtEveryStep();
    void aCaptionFollowsWhatHappens();
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
            QVERIFY2(!demoCaption(run(entry.demo), step).isEmpty(), qPrintable(entry.word));
    }
}

void DemoCaptionTest::aCaptionFollowsWhatHappens()
{
    RunState fails = run(Demo::Fail);
    const QString before = demoCaption(fails, 299);
    fails.failure = Failure();
    const QString after = demoCaption(fails, 299);
    QVERIFY(after != before);
    QVERIFY(after.contains(QStringLiteral("Rank 5")));

    RunState hangs = run(Demo::Hang);
    const QString silent = demoCaption(hangs, 250);
    hangs.stall = RunStall{QStringLiteral("silent"), {}};
    QVERIFY(demoCaption(hangs, 250) != silent);

    RunState debugged = run(Demo::Debug);
    const QString starting = demoCaption(debugged, 0);
    debugged.prompts = 8;
    QVERIFY(demoCaption(debugged, 0) != starting);

    RunState trains = run(Demo::Training);
    const QString last = demoCaption(trains, 599);
    trains.phase = RunPhase::Succeeded;
    QVERIFY(demoCaption(trains, 600) != last);
}

void DemoCaptionTest::otherRunsHaveNone()
{
    RunState state = run(Demo::Training);
    LaunchSpec changed = *state.spec;
    changed.command = {QStringLiteral("python3"), QStringLiteral("/home/me/train.py")};
    state.spec = std::make_shared<const LaunchSpec>(changed);
    QVERIFY(demoCaption(state, 1).isEmpty());
    state.spec.reset();
    QVERIFY(demoCaption(state, 1).isEmpty());
}

} // namespace tst_democaption

RANKDECK_TEST(tst_democaption, DemoCaptionTest)

#include "tst_democaption.moc"
