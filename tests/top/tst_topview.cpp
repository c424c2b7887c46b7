#include "rankdeckctl/top/topview.h"
#include "support/npusmistandin.h"
#include "support/pastrun.h"
#include "support/testhome.h"
#include "support/testmain.h"

using namespace rankdeck;

namespace tst_topview
{

constexpr QSize screenSize(80, 24);
constexpr int limitMs = 20'000;

static QString textOf(const ScreenLine &line)
{
    QString text;
    for (const LogRun &run : line.runs)
        text += run.text;
    return text;
}

static QString screenOf(TopView &view)
{
    QStringList lines;
    for (const ScreenLine &line : view.lines(screenSize))
        lines << textOf(line);
    return lines.join(u'\n');
}

static QString chosenLine(TopView &view)
{
    for (const ScreenLine &line : view.lines(screenSize)) {
        if (line.isChosen)
            return textOf(line);
    }
    return {};
}

static void type(TopView &view, const QString &text)
{
    for (const QChar letter : text)
        view.press({Key::Text, letter});
}

/// The pages of rankdeckctl top and its keys, without a terminal.
class TopViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void helpIsThereBeforeARun();
    void runsAreListedAndOpened();
    void npusAreShownWithoutARun();
    void keysChooseARankAndItsLog();
    void mergedLogIsFiltered();
    void wrongPatternIsSaidAndNothingChanges();
    void ranksAreFoundByNumberAndByTerms();
    void nextTroubledRankIsFound();
    void stacksAreShown();
    void anEndedRunIsNotStopped();
    void aRankThatWaitsIsNotStartedAgain();
    void everyPageFitsEverySize();
    void aReplayShowsWhatWasKnownAtItsTime();

private:
    std::unique_ptr<TestHome> m_home;
};

void TopViewTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void TopViewTest::helpIsThereBeforeARun()
{
    TopView view({});
    QVERIFY(screenOf(view).contains(u"There are no runs."_s));
    type(view, u"h"_s);
    QVERIFY(screenOf(view).startsWith(u"\n\nKeys"_s));
    type(view, u"jmsKe"_s);
    view.press({Key::Escape});
    QVERIFY(screenOf(view).startsWith(u"RUN"_s));
}

void TopViewTest::runsAreListedAndOpened()
{
    const RecordedRun run;
    TopView view({});
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).contains(u"train"_s), limitMs);
    view.press({Key::Enter});
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).startsWith(u"    0 waiting"_s), limitMs);
    type(view, u"r"_s);
    QVERIFY(screenOf(view).startsWith(u"RUN"_s));
}

void TopViewTest::npusAreShownWithoutARun()
{
    NpuSmiStandIn npuSmi;
    npuSmi.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(57));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", npuSmi.folder().toLocal8Bit() + ':' + path);
    const auto restore = qScopeGuard([path] { qputenv("PATH", path); });
    TopView view((QString()));
    type(view, u"N"_s);
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"910B3"_s), limitMs);
    const QString screen = screenOf(view);
    QVERIFY2(screen.contains(u"57"_s) && screen.contains(u"Alarm"_s), qPrintable(screen));
    // Who looks away asks no more.
    view.press({Key::Escape, {}});
    QVERIFY(screenOf(view).contains(u"STATE"_s));
}

void TopViewTest::keysChooseARankAndItsLog()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "said by rank zero\n");
    run.print(1, "said by rank one\n");
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"said by rank zero"_s), limitMs);
    view.press({Key::Down});
    QVERIFY(chosenLine(view).startsWith(u"    1 running"_s));
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"said by rank one"_s), limitMs);
    QVERIFY(!screenOf(view).contains(u"said by rank zero"_s));
    run.print(1, "and more\n");
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"and more"_s), limitMs);
}

void TopViewTest::mergedLogIsFiltered()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one apple\none pear\n");
    run.print(7, "two Apples\n");
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"one pear"_s), limitMs);
    type(view, u"m/apple"_s);
    QVERIFY(screenOf(view).endsWith(u"apple_"_s));
    view.press({Key::Enter});
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"two Apples"_s), limitMs);
    QVERIFY(screenOf(view).contains(u"one apple"_s));
    QVERIFY(!screenOf(view).contains(u"one pear"_s));
}

void TopViewTest::wrongPatternIsSaidAndNothingChanges()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one apple\n");
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"one apple"_s), limitMs);
    type(view, u"/("_s);
    view.press({Key::Enter});
    QVERIFY(textOf(view.lines(screenSize).last()).contains(u"("_s));
    QVERIFY(screenOf(view).contains(u"one apple"_s));
}

void TopViewTest::ranksAreFoundByNumberAndByTerms()
{
    RecordedRun run(4, 8, true, 4);
    run.startAll();
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).startsWith(u"    0 running"_s), limitMs);
    type(view, u"g29"_s);
    view.press({Key::Enter});
    QVERIFY(chosenLine(view).startsWith(u"   29 running"_s));
    type(view, u"\\rank<3"_s);
    view.press({Key::Enter});
    QVERIFY(!screenOf(view).contains(u"    3 running"_s));
    QVERIFY(screenOf(view).contains(u"    2 running"_s));
    type(view, u"g29"_s);
    view.press({Key::Enter});
    QVERIFY(screenOf(view).contains(u"There is no rank \"29\""_s));
}

void TopViewTest::nextTroubledRankIsFound()
{
    RecordedRun run;
    run.startAll();
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).startsWith(u"    0 running"_s), limitMs);
    type(view, u"n"_s);
    QVERIFY(screenOf(view).contains(u"No rank failed"_s));
    run.fail(5, {ExitStatus::Kind::Exited, 3});
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"1 failed"_s), limitMs);
    type(view, u"n"_s);
    QVERIFY(chosenLine(view).startsWith(u"    5 failed"_s));
}

void TopViewTest::stacksAreShown()
{
    RecordedRun run;
    run.startAll();
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).startsWith(u"    0 running"_s), limitMs);
    run.dump(0, "Thread 1\n    wait (train.py:3)\n");
    type(view, u"t"_s);
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"wait (train.py:3)"_s), limitMs);
}

void TopViewTest::anEndedRunIsNotStopped()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"  succeeded  "_s), limitMs);
    type(view, u"s"_s);
    QVERIFY(screenOf(view).contains(u"The run has ended"_s));
    type(view, u"xR"_s);
    QVERIFY(screenOf(view).contains(u"The run has ended"_s));
}

void TopViewTest::aRankThatWaitsIsNotStartedAgain()
{
    const RecordedRun run;
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(chosenLine(view).startsWith(u"    0 waiting"_s), limitMs);
    type(view, u"R"_s);
    QVERIFY(screenOf(view).contains(u"cannot be started again"_s));
    type(view, u"y"_s); // Nothing was asked.
    QVERIFY(!screenOf(view).contains(u"started again"_s));
}

void TopViewTest::everyPageFitsEverySize()
{
    RecordedRun run(16, 8, true, 16);
    run.startAll();
    run.print(0, QByteArray(500, 'x') + '\n');
    TopView view(run.directory());
    QTRY_VERIFY_WITH_TIMEOUT(screenOf(view).contains(u"xxxx"_s), limitMs);
    for (const char *keys : {"", "v", "e", "t", "i", "h", "r"}) {
        type(view, QString::fromLatin1(keys));
        for (const QSize &size : {QSize(80, 24), QSize(20, 5), QSize(1, 1), QSize(200, 60)})
            QCOMPARE(view.lines(size).size(), size.height());
    }
}

void TopViewTest::aReplayShowsWhatWasKnownAtItsTime()
{
    PastRun run;
    run.startAll(1);
    run.print(10, 0, "epoch: 1 step: 10, loss is 1.5\n");
    run.print(20, 0, "epoch: 1 step: 20, loss is 1.25\n");
    run.exit(30, 5, {ExitStatus::Kind::Exited, 1});
    run.print(40, 0, "after the failure\n");
    run.finish(100, RunPhase::Failed, 1);
    const auto replay = RunReplay::of(run.ended());
    QVERIFY2(replay, qPrintable(replay.error().sentence()));
    const auto made = TopView::ofReplay(std::make_unique<ReplayedRun>(
        ReplaySource{std::make_shared<const RunReplay>(*replay), {}}, PastRun::at(15), 1));
    TopView &view = *made;
    const auto shows = [&view](const char *text) {
        return screenOf(view).contains(QString::fromUtf8(text));
    };
    QTRY_VERIFY_WITH_TIMEOUT(shows("8 running") && shows("loss is 1.5"), limitMs);
    QVERIFY(!shows("loss is 1.25"));
    QVERIFY(shows("‖ 0:15 x1"));
    // To the failure, and back to before it.
    type(view, u">"_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("7 running") && shows("1 failed") && shows("loss is 1.25"), limitMs);
    QVERIFY(shows("rank 5: exit code 1"));
    QVERIFY(!shows("after the failure"));
    type(view, u"$"_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("after the failure"), limitMs);
    type(view, u"1"_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("8 running") && shows("loss is 1.5") && !shows("loss is 1.25"), limitMs);
    // All logs merged go back as well.
    type(view, u"$m"_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("all ranks") && shows("after the failure"), limitMs);
    type(view, u"1"_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("loss is 1.5") && !shows("after the failure"), limitMs);
    type(view, u"s"_s);
    QVERIFY(shows("This is a replay"));
    // It plays to its end by itself.
    type(view, u"+++++++++ "_s);
    QTRY_VERIFY_WITH_TIMEOUT(shows("‖ 1:40 x1000"), limitMs);
}

} // namespace tst_topview

RANKDECK_TEST(tst_topview, TopViewTest)
#include "tst_topview.moc"
