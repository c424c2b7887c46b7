#include "base/times.h"
#include "device/history/devicehistory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdictsample.h"
#include "report/reportpage.h"
#include "run/record/runreader.h"
#include "support/madesamples.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QTest>
#include <QXmlStreamReader>

namespace tst_reportpage
{

using namespace rankdeck;

namespace
{

const QString hostile = u"<script src=\"http://10.0.0.1/x.js\">alert('1 & 2')</script>"_s;

/// What a reader of a page finds on it.
struct ReadPage {
    QString text;
    QString fault;      ///< Why it is not well-formed; empty: it is.
    QStringList loaded; ///< Attributes and elements that may load or run something.
    QStringList rows;   ///< Of tables, cells joined by "|".
    QMap<QString, int> elements;
    QStringList charts; ///< Their titles.
};

ReadPage readPage(const QByteArray &page)
{
    ReadPage read;
    QXmlStreamReader xml(page);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isCharacters()) {
            read.text += xml.text();
            if (!read.rows.isEmpty())
                read.rows.last() += xml.text().trimmed();
        }
        if (!xml.isStartElement())
            continue;
        const QString name = xml.name().toString();
        ++read.elements[name];
        if (name == "tr"_L1)
            read.rows << QString();
        if (name == "td"_L1)
            read.rows.last() += '|'_L1;
        if (name == "svg"_L1)
            read.charts << xml.attributes().value("aria-label"_L1).toString();
        static const QStringList loading{u"script"_s, u"link"_s, u"img"_s, u"iframe"_s, u"image"_s, u"use"_s};
        if (loading.contains(name))
            read.loaded << name;
        for (const QXmlStreamAttribute &attribute : xml.attributes()) {
            const QString its = attribute.name().toString();
            if (its.contains("src"_L1) || its.contains("href"_L1) || its.startsWith("on"_L1) ||
                its == "style"_L1)
                read.loaded << its;
        }
    }
    if (xml.hasError())
        read.fault = xml.errorString();
    if (page.contains("url(") || page.contains("@import"))
        read.loaded << u"style sheet"_s;
    return read;
}

RunState sampleState()
{
    RunState state;
    state.setPlan(samplePlan());
    state.recordedPlan = state.plan;
    state.name = u"20261122-100000-train"_s;
    state.directory = u"/runs/20261122-100000-train"_s;
    state.phase = RunPhase::Failed;
    Failure failure;
    failure.rank = Rank(3);
    failure.logFile = u"/logs/worker_3.log"_s;
    failure.logTail = {u"the last line"_s};
    state.failure = failure;
    return state;
}

QByteArray pageOf(const Verdict &verdict, const RunState &state)
{
    return reportPage(state, *state.plan, verdict, {});
}

QByteArray pageOf(const RunState &state)
{
    const Verdict verdict = diagnose(state);
    return reportPage(state, *state.plan, verdict, readRunCurves(state, verdict));
}

QByteArray steps(int count)
{
    QByteArray lines;
    for (int step = 1; step <= count; ++step)
        lines += "step: " + QByteArray::number(step) + "/" + QByteArray::number(count) +
                 ", loss: " + QByteArray::number(4.0 / step) + ", step_time: 0.5 s\n";
    return lines;
}

} // namespace

class TestReportPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void aFailureHasEverySection();
    void nothingOnThePageIsMarkup_data();
    void nothingOnThePageIsMarkup();
    void namesAndLogsAreNoMarkupEither();
    void aSuccessSaysSo();
    void everyRankHasItsEndAndLastLine();
    void progressIsDrawn();
    void manyRanksHaveAFewCurves();
    void inventedNpusAreMarked();
    void realNpusAreNot();
    void theEventsAreInOrder();
    void aPageWithoutFilesIsMade();

private:
    static void addSamples(const RecordedRun &run, bool areInvented);

    std::unique_ptr<TestHome> m_home;
};

void TestReportPage::aFailureHasEverySection()
{
    const ReadPage page = readPage(pageOf(sampleVerdict(), sampleState()));
    QCOMPARE(page.fault, QString());
    QCOMPARE(page.loaded, QStringList());
    for (const char *part :
         {"Rank 3 failed first: ValueError: ", "A value is wrong (python-value-error)", "Give another one.",
          "df -h", "worker_3.log:120", "3 ranks (0-2): no error", "scheduler", "Traceback (most recent",
          "the last line", "/runs/20261122-100000-train", "The run failed", "What to do"})
        QVERIFY2(page.text.contains(QLatin1String(part)), part);
}

void TestReportPage::nothingOnThePageIsMarkup_data()
{
    QTest::addColumn<Verdict>("verdict");
    const auto row = [](const char *name, const auto &change) {
        Verdict verdict = sampleVerdict();
        change(verdict);
        QTest::newRow(name) << verdict;
    };
    row("cause", [](Verdict &verdict) { verdict.cause = Sentence(hostile); });
    row("ending", [](Verdict &verdict) { verdict.ending = Sentence(hostile); });
    row("reason", [](Verdict &verdict) { verdict.reason = Sentence(hostile); });
    row("node", [](Verdict &verdict) { verdict.node = hostile; });
    row("frame", [](Verdict &verdict) { verdict.frame->file = hostile; });
    row("function", [](Verdict &verdict) { verdict.frame->function = hostile; });
    row("trace", [](Verdict &verdict) { verdict.trace[0] = hostile; });
    row("title", [](Verdict &verdict) { verdict.known.title = hostile; });
    row("id", [](Verdict &verdict) { verdict.known.id = hostile; });
    row("meaning", [](Verdict &verdict) { verdict.known.meaning = hostile; });
    row("mend", [](Verdict &verdict) { verdict.known.mend = hostile; });
    row("commands", [](Verdict &verdict) { verdict.known.commands[0] = hostile; });
    row("evidence", [](Verdict &verdict) { verdict.evidence[0].text = hostile; });
    row("group", [](Verdict &verdict) { verdict.groups[0].text = Sentence(hostile); });
    row("exit", [](Verdict &verdict) { verdict.exits[0].text = Sentence(hostile); });
    row("stacks", [](Verdict &verdict) { verdict.stacks[0] = hostile; });
    row("last lines", [](Verdict &verdict) { verdict.lastLines = {hostile}; });
    row("note", [](Verdict &verdict) { verdict.notes[0] = Sentence(hostile); });
    row("advice", [](Verdict &verdict) {
        verdict.known = {};
        verdict.advice = Sentence(hostile);
    });
}

void TestReportPage::nothingOnThePageIsMarkup()
{
    QFETCH(Verdict, verdict);
    const QByteArray page = pageOf(verdict, sampleState());
    const ReadPage read = readPage(page);
    QCOMPARE(read.fault, QString());
    QCOMPARE(read.loaded, QStringList());
    QVERIFY(read.text.contains(hostile));
    QVERIFY(!page.toLower().contains("<script"));
}

void TestReportPage::namesAndLogsAreNoMarkupEither()
{
    RecordedRun run;
    run.startAll();
    run.print(2, hostile.toUtf8() + "\x01\x1b[31m\xff\n");
    run.note(hostile);
    run.fail(3, {ExitStatus::Kind::Exited, 1});
    run.finish(RunPhase::Failed, 1);
    RunState state = *RunReader(run.directory()).open();
    state.name = hostile + QChar(0x0b) + QChar(0xd800);
    const ReadPage page = readPage(pageOf(state));
    QCOMPARE(page.fault, QString());
    QCOMPARE(page.loaded, QStringList());
    QVERIFY(page.text.count(hostile) >= 3);
}

void TestReportPage::aSuccessSaysSo()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    const ReadPage page = readPage(pageOf(*RunReader(run.directory()).open()));
    QCOMPARE(page.fault, QString());
    QVERIFY(page.text.contains("All ranks succeeded."_L1));
    QVERIFY(!page.text.contains("What to do"_L1));
    QVERIFY(page.charts.isEmpty());
}

void TestReportPage::everyRankHasItsEndAndLastLine()
{
    RecordedRun run;
    run.startAll();
    for (int rank = 0; rank < 8; ++rank)
        run.print(rank, "first line\n\x1b[32mlast of " + QByteArray::number(rank) + "\x1b[0m\n  \n");
    run.fail(5, {ExitStatus::Kind::Exited, 3});
    run.finish(RunPhase::Failed, 3);
    const ReadPage page = readPage(pageOf(*RunReader(run.directory()).open()));
    QVERIFY2(page.rows.contains(u"|rank 5|failed|exit code 3||last of 5"_s),
             qPrintable(page.rows.join('\n'_L1)));
    const QStringList ranks = page.rows.filter(u"|last of "_s);
    QCOMPARE(ranks.size(), 8);
    // The one to look at comes first, as it may be one of thousands.
    QVERIFY(ranks.at(0).startsWith("|rank 5|"_L1));
    QVERIFY(ranks.at(1).startsWith("|rank 0|"_L1));
}

void TestReportPage::progressIsDrawn()
{
    RecordedRun run;
    run.startAll();
    run.print(0, steps(40));
    run.print(1, steps(20));
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    const QByteArray page = pageOf(*RunReader(run.directory()).open());
    const ReadPage read = readPage(page);
    QCOMPARE(read.charts, (QStringList{u"loss"_s, u"step time (s)"_s}));
    QCOMPARE(page.count("class=\"curve c0\""), 2);
    QCOMPARE(page.count("class=\"curve c1\""), 2);
    QCOMPARE(page.count("class=\"curve c2\""), 0);
    QVERIFY(read.text.contains("step 40 of 40"_L1));
}

void TestReportPage::manyRanksHaveAFewCurves()
{
    RecordedRun run(2, 8, true, 2);
    run.startAll();
    for (int rank = 0; rank < 16; ++rank)
        run.print(rank, steps(5));
    run.print(15, "RuntimeError: loss is not a number\n");
    run.fail(15, {ExitStatus::Kind::Exited, 1});
    run.finish(RunPhase::Failed, 1);
    const RunState state = *RunReader(run.directory()).open();
    Verdict verdict;
    verdict.hasFailure = true;
    verdict.rank = Rank(15);
    verdict.process = 15;
    const RunCurves curves = readRunCurves(state, verdict);
    QCOMPARE(curves.progressRanks, 16);
    QCOMPARE(curves.progress.curves.size(), RunCurves::most);
    QCOMPARE(curves.progress.curves.first().process, 0);
    QCOMPARE(curves.progress.curves.last().process, 15);
    const QByteArray page = reportPage(state, *state.plan, verdict, curves);
    QVERIFY(page.contains("12 of 16 ranks"));
    // The curve of the rank that failed stands out.
    QVERIFY(page.contains("class=\"curve c11 root\""));
}

void TestReportPage::addSamples(const RecordedRun &run, bool areInvented)
{
    const QString path = deviceHistoryPath(run.directory(), 0);
    QVERIFY(QDir().mkpath(samplesFolder(run.directory())));
    DeviceHistoryWriter writer(path);
    for (int step = 0; step < 5; ++step) {
        DeviceReading reading;
        reading.time = utcTime(1'790'000'000'000 + step * 2000);
        QMap<int, int> chips;
        for (int chip = 0; chip < 8; ++chip) {
            reading.samples << madeDevice(chip, step);
            reading.samples.last().isInvented = areInvented;
            chips.insert(chip, chip);
        }
        QVERIFY(!writer.add(reading, chips));
    }
}

void TestReportPage::inventedNpusAreMarked()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    addSamples(run, true);
    const ReadPage page = readPage(pageOf(*RunReader(run.directory()).open()));
    QVERIFY2(page.charts.contains(u"AICore (%), invented"_s), qPrintable(page.charts.join(u';')));
    QVERIFY(page.charts.contains(u"HBM (GB), invented"_s));
    QVERIFY(page.text.contains("The NPUs of this run are invented"_L1));
}

void TestReportPage::realNpusAreNot()
{
    RecordedRun run;
    run.startAll();
    run.exitAll();
    run.finish(RunPhase::Succeeded, 0);
    addSamples(run, false);
    const ReadPage page = readPage(pageOf(*RunReader(run.directory()).open()));
    QVERIFY(page.charts.contains(u"AICore (%)"_s));
    QVERIFY(!page.text.contains("invented"_L1));
}

void TestReportPage::theEventsAreInOrder()
{
    RecordedRun run;
    run.startAll();
    run.note(u"first of all"_s);
    run.note(u"second of all"_s);
    run.fail(4, {ExitStatus::Kind::Exited, 1});
    run.finish(RunPhase::Failed, 1);
    const ReadPage page = readPage(pageOf(*RunReader(run.directory()).open()));
    const qsizetype first = page.text.indexOf("first of all"_L1);
    const qsizetype second = page.text.indexOf("second of all"_L1);
    const qsizetype failure = page.text.indexOf("rank 4: exit code 1"_L1);
    const qsizetype end = page.text.indexOf("The run ended: failed."_L1);
    QVERIFY(first >= 0 && first < second && second < failure && failure < end);
}

void TestReportPage::aPageWithoutFilesIsMade()
{
    Verdict verdict;
    RunState state = sampleState();
    state.phase = RunPhase::Recorded;
    const ReadPage page = readPage(pageOf(verdict, state));
    QCOMPARE(page.fault, QString());
    QVERIFY(page.text.contains("These are logs alone."_L1));
}

} // namespace tst_reportpage

RANKDECK_TEST(tst_reportpage, TestReportPage)
#include "tst_reportpage.moc"
