#include "base/fields.h"
#include "base/json.h"
#include "preflight/preflight.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_preflightreport
{

using namespace rankdeck;

/// What a preflight has found, as a value.
class PreflightReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksStandByPartInTheOrderTheyCame();
    void theSummaryCounts();
    void checksRoundTripThroughJson();
    void hostileJsonIsNoCheck_data();
    void hostileJsonIsNoCheck();
    void aSentenceHasOneFullStop();

private:
    using Part = PreflightCheck::Part;
    using Status = PreflightCheck::Status;

    static PreflightCheck check(Part part, const char *name, Status status)
    {
        return {part, QLatin1String(name), {}, status, u"It is so."_s, {}};
    }
};

void PreflightReportTest::checksStandByPartInTheOrderTheyCame()
{
    PreflightReport report;
    report.add(check(Part::Collectives, "e", Status::Pass));
    report.add(check(Part::Host, "b", Status::Pass));
    report.add(check(Part::Plan, "a", Status::Pass));
    report.add(check(Part::Host, "c", Status::Pass));
    report.add(check(Part::Pairs, "d", Status::Pass));
    QString names;
    for (const PreflightCheck &each : report.checks)
        names += each.name;
    QCOMPARE(names, u"abcde"_s);
}

void PreflightReportTest::theSummaryCounts()
{
    PreflightReport report;
    report.seconds = 1.5;
    report.add(check(Part::Plan, "a", Status::Pass));
    QVERIFY(report.isPassed());
    QCOMPARE(report.summary(), u"None of 1 checks failed (1.5 s)."_s);
    report.add(check(Part::Plan, "b", Status::Warn));
    report.add(check(Part::Host, "c", Status::Fail));
    report.add(check(Part::Host, "d", Status::Skipped));
    QVERIFY(!report.isPassed());
    QCOMPARE(report.summary(), u"1 of 4 checks failed, 1 warning, 1 skipped (1.5 s)."_s);
}

void PreflightReportTest::checksRoundTripThroughJson()
{
    PreflightCheck told{Part::NpuNetwork, u"npu-link"_s,      u"alpha"_s,
                        Status::Warn,     u"端口 is down."_s, u"Look."_s};
    QCOMPARE(fromJsonText<PreflightCheck>(jsonTextOf(told)), std::optional(told));
    for (const Part part : {Part::Plan, Part::Host, Part::NpuNetwork, Part::Pairs, Part::Collectives}) {
        for (const Status status : {Status::Pass, Status::Warn, Status::Fail, Status::Skipped}) {
            told.part = part;
            told.status = status;
            QCOMPARE(fromJsonText<PreflightCheck>(jsonTextOf(told)), std::optional(told));
            QVERIFY(!preflightPartName(part).isEmpty() && !preflightStatusName(status).isEmpty());
        }
    }
    PreflightReport report;
    report.selfTest = SelfTestResults(2);
    report.selfTestRanks = {4, 5};
    report.add(told);
    const nlohmann::json json = toJson(report);
    QCOMPARE(json["checks"].size(), std::size_t(1));
    QCOMPARE(json["ranks"].size(), std::size_t(2));
    QCOMPARE(json["passed"].get<bool>(), true);
    QCOMPARE(json["ranks"][1]["rank"].get<int>(), 5);
}

void PreflightReportTest::hostileJsonIsNoCheck_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text :
         {"null", "[]", "{}", R"({"part":"plan"})",
          R"({"part":"plan","name":1,"subject":"","status":"pass","sentence":"","mend":""})",
          R"({"part":"moon","name":"","subject":"","status":"pass","sentence":"","mend":""})",
          R"({"part":"plan","name":"","subject":"","status":"maybe","sentence":"","mend":""})"})
        QTest::newRow(text) << QByteArray(text);
}

void PreflightReportTest::hostileJsonIsNoCheck()
{
    QFETCH(QByteArray, text);
    QVERIFY(!fromJsonText<PreflightCheck>(text));
}

void PreflightReportTest::aSentenceHasOneFullStop()
{
    QCOMPARE(asSentence(u"so"_s), u"so."_s);
    QCOMPARE(asSentence(u"so..."_s), u"so."_s);
    QCOMPARE(asSentence({}), QString());
    const PreflightCheck made =
        checkOf(Part::Host, u"x"_s, Status::Fail, {u"it is not there"_s, u"/a"_s, {}});
    QCOMPARE(made.sentence, u"/a: it is not there."_s);
    QVERIFY(made.mend.isEmpty());
}

} // namespace tst_preflightreport

RANKDECK_TEST(tst_preflightreport, PreflightReportTest)
#include "tst_preflightreport.moc"
