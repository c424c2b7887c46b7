#include "diagnosis/verdict/verdicttext.h"
#include "run/record/runstate.h"
#include "support/testmain.h"
#include "verdictsample.h"

#include <QTest>

namespace tst_verdicttext
{

using namespace rankdeck;

namespace
{

RunState sampleState()
{
    RunState state;
    state.setPlan(samplePlan());
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

/// One that is no more than a root.
Verdict bare()
{
    Verdict verdict;
    verdict.hasFailure = true;
    verdict.rank = Rank(3);
    verdict.process = 4;
    return verdict;
}

} // namespace

class TestVerdictText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTitleSaysWhoFailedFirst_data();
    void theTitleSaysWhoFailedFirst();
    void theReasonSaysHowSureItIs();
    void thePlaceSaysWhatIsKnown_data();
    void thePlaceSaysWhatIsKnown();
    void evidenceHasItsPlace_data();
    void evidenceHasItsPlace();
    void theSummaryIsShort();
    void theTextHasEverySection();
};

void TestVerdictText::theTitleSaysWhoFailedFirst_data()
{
    QTest::addColumn<Verdict>("verdict");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const Verdict &verdict, const char *wanted) {
        QTest::newRow(name) << verdict << QString::fromUtf8(wanted);
    };
    row("nobody", Verdict(), "No failure found");
    row("a rank", bare(), "Rank 3 failed first");
    row("a rank with its cause", sampleVerdict(), "Rank 3 failed first: ValueError: 值");
    Verdict titled = bare();
    titled.known.title = u"100 %1 full"_s;
    row("a rank with what its error is called", titled, "Rank 3 failed first: 100 %1 full");
    Verdict scheduler = bare();
    scheduler.role = Role::Scheduler;
    scheduler.rank = Failure::noRank;
    scheduler.process = 0;
    row("the scheduler", scheduler, "The scheduler failed first");
    Verdict open;
    open.hasFailure = true;
    row("undecided", open, "It is unclear which rank failed first");
    open.candidates = {Rank(2), Rank(5)};
    row("undecided between some", open, "It is unclear which rank failed first (ranks 2,5)");
    open.rule = u"alike-error"_s;
    row("all", open, "All ranks failed alike");
    open.cause = Sentence(u"EZ9999 aicore timeout"_s);
    row("all with what they say", open, "All ranks failed alike: EZ9999 aicore timeout");
    open.cause = {};
    Verdict hung = bare();
    hung.isHang = true;
    row("a rank that hung", hung, "Rank 3 hung");
    hung.step = 20;
    hung.silentSeconds = 5;
    hung.cause = Sentence(u"ranks 0-2 gave up waiting: EI0002"_s);
    row("a rank that hung, with what is known", hung,
        "Rank 3 hung at step 20 (silent 5 s); ranks 0-2 gave up waiting: EI0002");
    hung.isPaused = true;
    row("a rank that was paused", hung, "Rank 3 was paused (SIGSTOP); ranks 0-2 gave up waiting: EI0002");
    Verdict seen = bare();
    seen.rule = u"first-sight"_s;
    seen.cause = Sentence(u"exit code 1"_s);
    row("before the logs are read", seen, "Rank 3 failed: exit code 1");
    Verdict missing = bare();
    missing.process = -1;
    missing.rule = u"silent"_s;
    missing.cause = Sentence(u"ranks 0-2 gave up waiting: Socket Timeout"_s);
    row("a rank without a log", missing, "Rank 3 did not arrive; ranks 0-2 gave up waiting: Socket Timeout");
    open.rule = u"launch"_s;
    row("the launch", open, "The run failed");
}

void TestVerdictText::theTitleSaysWhoFailedFirst()
{
    QFETCH(Verdict, verdict);
    QFETCH(QString, wanted);
    QCOMPARE(verdictTitle(verdict), wanted);
}

void TestVerdictText::theReasonSaysHowSureItIs()
{
    Verdict verdict;
    QCOMPARE(verdictReason(verdict), QString());
    verdict.reason = Sentence(u"It says so."_s);
    QCOMPARE(verdictReason(verdict), u"It says so."_s);
    verdict.confidence = Verdict::Confidence::Likely;
    QCOMPARE(verdictReason(verdict), u"It says so.\nConfidence: likely."_s);
    verdict.confidence = Verdict::Confidence::Certain;
    QCOMPARE(verdictReason(verdict), u"It says so.\nConfidence: certain."_s);
}

void TestVerdictText::thePlaceSaysWhatIsKnown_data()
{
    QTest::addColumn<Verdict>("verdict");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const Verdict &verdict, const char *wanted) {
        QTest::newRow(name) << verdict << QString::fromUtf8(wanted);
    };
    row("nothing", bare(), "");
    row("everything", sampleVerdict(), "device 3 on alpha, pid 4711, at train.py, line 12, in main");
    Verdict framed = bare();
    framed.frame = PythonFrame{u"%1.py"_s, 3, u"%2"_s};
    row("the frame alone, as it stands", framed, "at %1.py, line 3, in %2");
    Verdict named = bare();
    named.pid = 12;
    row("the pid alone", named, "pid 12");
}

void TestVerdictText::thePlaceSaysWhatIsKnown()
{
    QFETCH(Verdict, verdict);
    QFETCH(QString, wanted);
    QCOMPARE(verdictPlace(verdict), wanted);
}

void TestVerdictText::evidenceHasItsPlace_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const char *file, int line, const char *wanted) {
        QTest::newRow(name) << QString::fromLatin1(file) << line << QString::fromLatin1(wanted);
    };
    row("none without a file", "", 0, "");
    row("a file and a line", "/logs/worker_3.log", 120, "worker_3.log:120");
    row("a file alone", "/logs/worker_3.log", 0, "worker_3.log");
    row("a file that has no number, with its folder", "/logs/3/stderr.log", 7, "3/stderr.log:7");
    row("a name as it stands", "/logs/worker_%1.log", 7, "worker_%1.log:7");
}

void TestVerdictText::evidenceHasItsPlace()
{
    QFETCH(QString, file);
    QFETCH(int, line);
    QFETCH(QString, wanted);
    Verdict::Evidence evidence;
    evidence.file = file;
    evidence.line = line;
    QCOMPARE(evidencePlace(evidence), wanted);
}

void TestVerdictText::theSummaryIsShort()
{
    const QStringList lines = verdictSummary(sampleVerdict());
    QCOMPARE(lines.front(), verdictTitle(sampleVerdict()));
    QVERIFY(lines.contains(u"exit code 1"_s));
    QVERIFY(lines.contains(u"One log could not be read."_s));
    QVERIFY(lines.join('\n'_L1).contains("Give another one."_L1));
    QVERIFY(lines.size() <= 15);
    // What the catalogue knows makes the advice needless.
    QVERIFY(!lines.contains(u"Look at its log."_s));
    Verdict unknown = sampleVerdict();
    unknown.known = {};
    unknown.ownAdvice = Sentence(u"The message itself says more."_s);
    QVERIFY(verdictSummary(unknown).contains(u"Look at its log."_s));
    QVERIFY(verdictSummary(unknown).contains(u"The message itself says more."_s));
}

void TestVerdictText::theTextHasEverySection()
{
    const QString text = verdictText(sampleVerdict(), sampleState());
    for (const char *part :
         {"Rank 3 failed first", "device 3 on alpha", "The others wait for it.\nConfidence: likely.",
          "rank 3  worker_3.log:120", "Traceback (most recent call last):", "3 ranks (0-2): no error",
          "the last line", "Log: /logs/worker_3.log", "Run directory: /runs/20261122-100000-train"})
        QVERIFY2(text.contains(QLatin1String(part)), part);
    QVERIFY(text.endsWith('\n'_L1));
    // The end of another rank's log is not shown as this one's.
    RunState other = sampleState();
    other.failure->rank = Rank(1);
    QVERIFY(!verdictText(sampleVerdict(), other).contains("the last line"_L1));
    Verdict large = sampleVerdict();
    large.exits.resize(100);
    QVERIFY(verdictText(large, sampleState()).contains("and 36 more"_L1));
}

} // namespace tst_verdicttext

RANKDECK_TEST(tst_verdicttext, TestVerdictText)
#include "tst_verdicttext.moc"
