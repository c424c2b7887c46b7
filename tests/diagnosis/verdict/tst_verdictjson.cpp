#include "base/fields.h"
#include "base/json.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"
#include "verdictsample.h"

#include <QTest>

namespace tst_verdictjson
{

using namespace rankdeck;
using Json = nlohmann::json;

class TestVerdictJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aVerdictComesBackAsItWas_data();
    void aVerdictComesBackAsItWas();
    void whatIsNotKnownIsNull();
    void processesAreThoseOfThePlan();
    void anotherFormGivesNothing_data();
    void anotherFormGivesNothing();
};

void TestVerdictJson::aVerdictComesBackAsItWas_data()
{
    QTest::addColumn<Verdict>("verdict");
    QTest::newRow("without a failure") << Verdict();
    QTest::newRow("with everything") << sampleVerdict();
    Verdict ofScheduler = sampleVerdict();
    ofScheduler.role = Role::Scheduler;
    ofScheduler.rank = Failure::noRank;
    ofScheduler.process = 0;
    ofScheduler.confidence = Verdict::Confidence::Certain;
    QTest::newRow("of the scheduler") << ofScheduler;
    Verdict hung = sampleVerdict();
    hung.isHang = true;
    hung.isPaused = true;
    hung.step = 20;
    hung.silentSeconds = 5;
    hung.lastLines = {u"step 19"_s, u"  step 20"_s};
    QTest::newRow("of a rank that hung") << hung;
    Verdict open = sampleVerdict();
    open.rank = Failure::noRank;
    open.process = -1;
    open.confidence = Verdict::Confidence::Undecided;
    QTest::newRow("without a root") << open;
}

void TestVerdictJson::aVerdictComesBackAsItWas()
{
    QFETCH(Verdict, verdict);
    const auto again = verdictFrom(jsonTextOf(verdict), samplePlan());
    QVERIFY(again);
    QCOMPARE(jsonTextOf(*again, 1), jsonTextOf(verdict, 1));
    QVERIFY(*again == verdict);
}

void TestVerdictJson::whatIsNotKnownIsNull()
{
    const Json json = toJson(Verdict());
    for (const char *key : {"rootRank", "rootRole", "node", "device", "causeId", "cause", "ending", "rule",
                            "reason", "known", "frame", "pid", "advice"})
        QVERIFY2(json.at(key).is_null(), key);
    QCOMPARE(json.at("confidence").get<QString>(), u"undecided"_s);
    const Json scheduler = toJson(sampleVerdict()).at("evidence").at(1);
    for (const char *key : {"rank", "file", "line", "time", "entryId"})
        QVERIFY2(scheduler.at(key).is_null(), key);
    QCOMPARE(toJson(sampleVerdict()).at("exits").at(0).at("when").get<QString>(),
             u"2026-11-22T10:00:06.789Z"_s);
}

void TestVerdictJson::processesAreThoseOfThePlan()
{
    LaunchPlan plan = samplePlan();
    plan.processes.erase(plan.processes.begin());
    const auto verdict = verdictFrom(jsonTextOf(sampleVerdict()), plan);
    QVERIFY(verdict);
    QCOMPARE(verdict->process, 3);
    QCOMPARE(verdict->evidence[1].process, -1);
    QCOMPARE(verdict->groups[1].process, 0);
}

void TestVerdictJson::anotherFormGivesNothing_data()
{
    QTest::addColumn<Json>("json");
    const Json whole = toJson(sampleVerdict());
    QTest::newRow("null") << Json();
    QTest::newRow("a list") << Json::array();
    QTest::newRow("nothing in it") << Json::object();
    for (const char *key : {"hasFailure", "rootRank", "device", "candidates", "evidence", "groups", "exits",
                            "known", "frame", "notes"}) {
        Json without = whole;
        without.erase(key);
        QTest::addRow("no %s", key) << without;
    }
    const auto row = [&](const char *key, const char *name, const Json &value) {
        Json other = whole;
        other[key] = value;
        QTest::addRow("%s: %s", key, name) << other;
    };
    row("hasFailure", "a word", "yes");
    row("rootRank", "a word", "three");
    row("device", "a list", Json::array());
    row("candidates", "a number", 5);
    row("candidates", "words", Json::array({"one"}));
    row("candidates", "an object", {{"a", 1}});
    row("evidence", "a word", "none");
    row("evidence", "words", Json::array({"none"}));
    row("evidence", "without a rank", Json::array({Json::object()}));
    row("groups", "numbers", Json::array({1}));
    row("groups", "ranks that are a number", Json::array({{{"ranks", 1}, {"text", "x"}}}));
    row("exits", "null in it", Json::array({nullptr}));
    row("known", "a word", "yes");
    row("known", "commands that are numbers", {{"commands", {1, 2}}});
    row("frame", "a word", "train.py");
    row("frame", "no line", {{"file", "train.py"}});
    row("notes", "a word", "none");
    row("notes", "numbers", Json::array({1}));
    row("pid", "a word", "4711");
    row("trace", "a word", "Traceback");
}

void TestVerdictJson::anotherFormGivesNothing()
{
    QFETCH(Json, json);
    QVERIFY(!verdictFrom(jsonText(json), samplePlan()));
}

} // namespace tst_verdictjson

RANKDECK_TEST(tst_verdictjson, TestVerdictJson)
#include "tst_verdictjson.moc"
