#include "rankdeckctl/top/rankrows.h"
#include "support/handmaderun.h"
#include "support/madesamples.h"
#include "support/testmain.h"

using namespace rankdeck;

namespace tst_toplines
{

static QString textOf(const QList<LogRun> &runs)
{
    QString text;
    for (const LogRun &run : runs)
        text += run.text;
    return text;
}

static RunSnapshot snapshotOf(const RunState &state)
{
    RunSnapshot run;
    run.state = state;
    run.now = QDateTime::currentDateTimeUtc();
    run.progress.resize(state.ranks.size());
    return run;
}

/// Lines of rankdeckctl top, as it makes them without a terminal.
class TopLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsAreCountedAndFilled_data();
    void cellsAreCountedAndFilled();
    void partOfALineKeepsItsStyles();
    void wideCharactersAreNotCutInHalf();
    void escapesOfALogAreShownColoursAreKept();
    void severityColoursALineWithoutColours();
    void textIsBrokenAtBlanks();
    void titleCountsRanksByState();
    void inventedNpusAreSaidInTheTitle();
    void newsIsTheVerdictBeforeProgress();
    void tableHasColumnsWithAValue();
    void tableFitsTheScreen_data();
    void tableFitsTheScreen();
    void failedRankSaysHowItEnded();
    void ranksAreOrderedAndFiltered();
    void mapHasALetterForEachRank();
    void detailsNameEveryUserOfTheChip();
};

void TopLinesTest::cellsAreCountedAndFilled_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cells");
    QTest::addColumn<bool>("isRight");
    QTest::addColumn<QString>("shown");
    QTest::newRow("filled") << "ab" << 4 << false << "ab  ";
    QTest::newRow("to the right") << "ab" << 4 << true << "  ab";
    QTest::newRow("cut") << "abcdef" << 4 << false << "abc…";
    QTest::newRow("exact") << "abcd" << 4 << false << "abcd";
    QTest::newRow("wide, cut before its second half") << "中文字" << 4 << false << "中… ";
    QTest::newRow("no room") << "abc" << 0 << false << "";
}

void TopLinesTest::cellsAreCountedAndFilled()
{
    QFETCH(QString, text);
    QFETCH(int, cells);
    QFETCH(bool, isRight);
    QFETCH(QString, shown);
    QCOMPARE(inCells(text, cells, isRight), shown);
    QCOMPARE(cellWidth(shown), cells);
}

void TopLinesTest::partOfALineKeepsItsStyles()
{
    const QList<LogRun> runs{textRun(u"abc"_s, Look::Bad), textRun(u"defg"_s)};
    const QList<LogRun> part = partOf(runs, 2, 3);
    QCOMPARE(part.size(), 2);
    QCOMPARE(part[0], textRun(u"c"_s, Look::Bad));
    QCOMPARE(part[1], textRun(u"de"_s));
    QVERIFY(partOf(runs, 7, 3).isEmpty());
    QCOMPARE(textOf(partOf(runs, 0, 100)), u"abcdefg"_s);
}

void TopLinesTest::wideCharactersAreNotCutInHalf()
{
    const QList<LogRun> runs{textRun(u"a中b"_s)};
    QCOMPARE(textOf(partOf(runs, 0, 2)), u"a"_s);
    QCOMPARE(textOf(partOf(runs, 0, 3)), u"a中"_s);
}

void TopLinesTest::escapesOfALogAreShownColoursAreKept()
{
    const QList<LogRun> runs = logRuns("a\x1b[2Jb\x1b[31mred\x1b[0m\x1b]0;title\x07", LogSeverity::None);
    QCOMPARE(textOf(runs), u"a^[[2Jbred^[]0;title^G"_s);
    QCOMPARE(runs[1].text, u"red"_s);
    QCOMPARE(runs[1].style.foreground, (LogColor{LogColor::Kind::Indexed, 1}));
    QCOMPARE(textOf(logRuns("\xd6\xd0\xce\xc4 of GBK", LogSeverity::None)), u"中文 of GBK"_s);
}

void TopLinesTest::severityColoursALineWithoutColours()
{
    QCOMPARE(logRuns("plain", LogSeverity::Error).first().style, styleOf(Look::Bad));
    QCOMPARE(logRuns("\x1b[32mgreen", LogSeverity::Error).first().style.foreground.value, 2U);
}

void TopLinesTest::textIsBrokenAtBlanks()
{
    const QList<ScreenLine> lines = wrapped(u"one two three\n\nabcdefghijkl"_s, 8);
    QStringList texts;
    for (const ScreenLine &line : lines)
        texts << textOf(line.runs);
    QCOMPARE(texts, (QStringList{u"one two "_s, u"three"_s, QString(), u"abcdefgh"_s, u"ijkl"_s}));
}

void TopLinesTest::titleCountsRanksByState()
{
    RunState state = running(handMadeRun());
    state.ranks[3].hold = Hold::Suspended;
    const QString title = textOf(runTitle(snapshotOf(state)));
    QVERIFY2(title.startsWith(u"20240101-120000-train  running  1:0"_s), qPrintable(title));
    QVERIFY(title.contains(u"7 running"_s));
    QVERIFY(title.contains(u"1 paused"_s));
}

void TopLinesTest::inventedNpusAreSaidInTheTitle()
{
    RunSnapshot run = snapshotOf(running(handMadeRun()));
    NodeSample sample = madeNodeSample(run.planOf(0).node, {0, 1}, run.now);
    run.samples.take(sample);
    QVERIFY(!textOf(runTitle(run)).contains(u"invented"_s));
    sample.devices->samples[1].isInvented = true;
    run.samples.take(sample);
    QVERIFY(textOf(runTitle(run)).contains(u"NPUs invented"_s));
}

void TopLinesTest::newsIsTheVerdictBeforeProgress()
{
    RunSnapshot run = snapshotOf(running(handMadeRun()));
    run.progress[0].step = 7;
    run.progress[0].lines = 1;
    QVERIFY(textOf(runNews(run)).startsWith(u"step 7"_s));
    run.headline = u"Rank 3 failed first"_s;
    QVERIFY(textOf(runNews(run)).startsWith(u"Rank 3 failed first"_s));
}

void TopLinesTest::tableHasColumnsWithAValue()
{
    RunSnapshot run = snapshotOf(running(handMadeRun()));
    constexpr int wide = 120;
    const QString bare = textOf(RankRows(run, wide).heading());
    QVERIFY(!bare.contains(u"STEP"_s));
    QVERIFY(!bare.contains(u"NPU%"_s));
    run.progress[2].step = 1234;
    run.samples.take(madeNodeSample(run.planOf(0).node, {0, 1, 2}, run.now));
    const RankRows table(run, wide);
    for (const char *heading : {"RANK", "STATE", "STEP", "NPU%", "HBM", "TEMP", "WATT", "CPU%", "MEM"})
        QVERIFY2(textOf(table.heading()).contains(QLatin1String(heading)), heading);
    const QString row = textOf(table.row(2));
    QVERIFY2(row.contains(u"1,234"_s), qPrintable(row));
    QVERIFY2(row.contains(u"59.0G/64.0G"_s), qPrintable(row));
    QVERIFY2(row.contains(u" 65 "_s), qPrintable(row)); // °C
}

void TopLinesTest::tableFitsTheScreen_data()
{
    QTest::addColumn<int>("cells");
    for (const int cells : {20, 40, 80, 132, 300})
        QTest::addRow("%d", cells) << cells;
}

void TopLinesTest::tableFitsTheScreen()
{
    QFETCH(int, cells);
    RunSnapshot run = snapshotOf(running(handMadeRun()));
    run.progress[0].step = 1;
    run.samples.take(madeNodeSample(run.planOf(0).node, {0}, run.now));
    const RankRows table(run, cells);
    QCOMPARE(cellsOf(table.heading()), cellsOf(table.row(0)));
    QVERIFY(cellsOf(table.row(0)) <= cells);
    QVERIFY(textOf(table.row(0)).startsWith(u"    0 "_s));
}

void TopLinesTest::failedRankSaysHowItEnded()
{
    const RunSnapshot run = snapshotOf(failed(running(handMadeRun()), 3, {ExitStatus::Kind::Exited, 7}));
    const QString row = textOf(RankRows(run, 80).row(3));
    QVERIFY2(row.contains(u"failed"_s) && row.contains(u"exit code 7"_s), qPrintable(row));
    QCOMPARE(stateOf(run, 3).style, styleOf(Look::Bad));
    QVERIFY(isTroubled(run, 3));
    QVERIFY(!isTroubled(run, 2));
}

void TopLinesTest::ranksAreOrderedAndFiltered()
{
    RunSnapshot run = snapshotOf(failed(running(handMadeRun()), 3, {ExitStatus::Kind::Exited, 7}));
    QCOMPARE(rankOrder(run, {}, {}).size(), 8);
    QCOMPARE(rankOrder(run, {RankValue::State, false}, {}).first(), 3);
    const auto filter = SampleFilter::from(u"state=failed"_s);
    QVERIFY(filter);
    QCOMPARE(rankOrder(run, {}, *filter), QList<int>{3});
}

void TopLinesTest::mapHasALetterForEachRank()
{
    RunState state = running(handMadeRun(16, 8, 16)); // 128 ranks
    state.ranks[1].phase = RankPhase::Failed;
    state.ranks[2].hold = Hold::Traced;
    const RunSnapshot run = snapshotOf(state);
    const QList<ScreenLine> map = rankMap(run, rankOrder(run, {}, {}), 5, 80);
    QCOMPARE(map.size(), 2);
    QVERIFY2(textOf(map[0].runs).startsWith(u"    0 RF!RRR"_s), qPrintable(textOf(map[0].runs)));
    QVERIFY(textOf(map[1].runs).startsWith(u"   64 R"_s));
    QCOMPARE(cellsOf(map[0].runs), 6 + 64);
}

void TopLinesTest::detailsNameEveryUserOfTheChip()
{
    RunSnapshot run = snapshotOf(running(handMadeRun()));
    NodeSample sample = madeNodeSample(run.planOf(0).node, {0}, run.now);
    sample.users[0] << madeStranger();
    run.samples.take(sample);
    const QString details = rankDetails(run, 0);
    for (const char *part : {"910B3", "power w", "ai core percent", "bob", "pid 4711", "python3 train.py"})
        QVERIFY2(details.contains(QLatin1String(part)), qPrintable(details));
}

} // namespace tst_toplines

RANKDECK_TEST(tst_toplines, TopLinesTest)
#include "tst_toplines.moc"
