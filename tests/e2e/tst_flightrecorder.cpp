#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QStandardPaths>

#include <nlohmann/json.hpp>

namespace tst_flightrecorder
{

using namespace rankdeck;

/// Runs that stand still, made on purpose, with ranks that answer their pipes as torch_npu's source does:
/// what every rank was doing is taken before the end, and says who is to blame.
class FlightRecorderTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void whoKeepsTheOthersIsNamed_data();
    void whoKeepsTheOthersIsNamed();
    void aStallSaysWhoIsMissing();
    void withoutEvidenceNothingIsTaken();
    void whereNobodyListensTheEndComesAtOnce();

private:
    QStringList recording(const char *hang) const
    {
        return {m_python, sourcePath("tests/e2e/recordingrank.py"), QLatin1String(hang), meet()};
    }
    QString meet() const { return m_home->path("meet"); }
    bool standsStill(int rank) const { return QFile::exists(meet() + u"/still-%1"_s.arg(rank)); }
    void giveUp() const
    {
        QFile file(meet() + u"/give-up"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    /// "recordingrank.py:123", the line that has this mark.
    static QString lineOf(const char *mark)
    {
        const QList<QByteArray> lines = fileText(sourcePath("tests/e2e/recordingrank.py")).split('\n');
        for (qsizetype at = 0; at < lines.size(); ++at) {
            if (lines[at].contains(QByteArray("# line: ") + mark))
                return u"recordingrank.py:%1"_s.arg(at + 1);
        }
        return {};
    }
    nlohmann::json verdict() const
    {
        const Outcome report = ctl({u"report"_s, m_directory, u"--json"_s});
        return nlohmann::json::parse(report.out.toStdString(), nullptr, false);
    }

    static QString textOf(const nlohmann::json &json)
    {
        return QString::fromStdString(json.get<std::string>());
    }

    QString m_python;
};

void FlightRecorderTest::initTestCase()
{
    m_python = QStandardPaths::findExecutable(u"python3"_s);
    if (m_python.isEmpty())
        QSKIP("python3 is not installed");
}

void FlightRecorderTest::whoKeepsTheOthersIsNamed_data()
{
    QTest::addColumn<QList<int>>("suspects");
    QTest::addColumn<QStringList>("words");
    const QString here = u"wait at %1 in train"_s.arg(lineOf("train"));
    QTest::newRow("skipped") << QList<int>{3}
                             << QStringList{u"all_reduce #4"_s, u"ranks 0-2 "_s + here,
                                            u"rank 3: is still at %1 in save"_s.arg(lineOf("save"))};
    QTest::newRow("sizes") << QList<int>{3}
                           << QStringList{u"At #4"_s, u"sizes or types differ"_s,
                                          u"rank 3: all_reduce [[512]]"_s};
    QTest::newRow("order") << QList<int>{3}
                           << QStringList{u"At #4"_s, u"not all ranks call the same"_s,
                                          u"rank 3: all_gather"_s};
    QTest::newRow("loader") << QList<int>{3}
                            << QStringList{u"ranks 0-2 "_s + here,
                                           u"rank 3: is still at %1 in load_batch"_s.arg(lineOf("loader"))};
    QTest::newRow("stopped") << QList<int>{3}
                             << QStringList{u"ranks 1-2 "_s + here, u"ranks 0,3: gave no dump"_s};
    QTest::newRow("crossed") << QList<int>{0, 1}
                             << QStringList{u"Two groups wait for each other"_s, u"of group tp"_s,
                                            u"of group dp"_s};
}

void FlightRecorderTest::whoKeepsTheOthersIsNamed()
{
    QFETCH(QList<int>, suspects);
    QFETCH(QStringList, words);
    launch({u"--flight-recorder"_s, u"on"_s}, recording(QTest::currentDataTag()));
    for (int rank = 0; rank < ranks; ++rank)
        QTRY_VERIFY_WITH_TIMEOUT(standsStill(rank), programLimitMs);
    giveUp();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);

    const auto told = verdict();
    QVERIFY2(told.is_object() && told.contains("collectives") && !told["collectives"].empty(),
             told.dump().c_str());
    const QString finding = textOf(told["collectives"][0]);
    for (const QString &word : words)
        QVERIFY2(finding.contains(word), qPrintable(finding));
    QCOMPARE(textOf(told["rule"]), u"collectives"_s);
    QCOMPARE(textOf(told["reason"]), finding);
    if (suspects.size() == 1)
        QCOMPARE(told["root_rank"].get<int>(), suspects.front());
    else
        QCOMPARE(told["candidates"].get<std::vector<int>>(),
                 std::vector<int>(suspects.begin(), suspects.end()));

    // What was taken stays with the run, and goes with a report.
    const Outcome said = ctl({u"collectives"_s, m_directory});
    QVERIFY2(said.code == 0 && said.out.startsWith(finding.toUtf8()), said.out.constData());
    const QString bundle = m_home->path("bundle.tar.gz");
    QCOMPARE(ctl({u"report"_s, m_directory, u"--bundle"_s, bundle}).code, 0);
    const Outcome opened = ctl({u"collectives"_s, bundle});
    QVERIFY2(opened.code == 0 && opened.out.startsWith(finding.toUtf8()), opened.err.constData());
}

void FlightRecorderTest::aStallSaysWhoIsMissing()
{
    launch({u"--flight-recorder"_s, u"on"_s, u"--stall-after"_s, u"2"_s}, recording("stall"));
    QTRY_VERIFY_WITH_TIMEOUT(state().stall && !state().stall->collectives.isEmpty(), programLimitMs);
    const RunState stalled = state();
    const QString missing = u"Missing: rank 3: is still at %1 in load_batch."_s.arg(lineOf("loader"));
    QVERIFY2(stalled.standstill().text().contains(missing), qPrintable(stalled.standstill()));
    QVERIFY(stalled.standstill().text().startsWith(stalled.stall->sentence));
    QCOMPARE(stalled.recorderDumps, 1);
    QCOMPARE(stalled.count(RankPhase::Running), ranks);
    QTRY_VERIFY_WITH_TIMEOUT(ctl({u"list"_s}).out.contains(missing.toUtf8()), programLimitMs);
}

void FlightRecorderTest::withoutEvidenceNothingIsTaken()
{
    launch({u"--flight-recorder"_s, u"on"_s, u"--no-evidence"_s}, recording("loader"));
    QTRY_VERIFY_WITH_TIMEOUT(standsStill(0) && standsStill(3), programLimitMs);
    giveUp();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    QVERIFY(events<events::RecordersDumped>().isEmpty());
    // Rank 0 has dumped by itself, at its time-out.
    QVERIFY(QFile::exists(m_directory + u"/flight-recorder/hccl_trace_rank_0"_s));
    QVERIFY(!QFile::exists(m_directory + u"/flight-recorder/hccl_trace_rank_1"_s));
}

void FlightRecorderTest::whereNobodyListensTheEndComesAtOnce()
{
    const QString end = m_home->path("end");
    launch({u"--flight-recorder"_s, u"on"_s},
           {u"sh"_s, u"-c"_s,
            u"[ $RANK = 1 ] || exec sleep 1000; until [ -e \"$1\" ]; do sleep 0.05; done; exit 3"_s, u"sh"_s,
            end});
    QFile file(end);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    const auto exited = events<events::ProcessExited>();
    const auto ends = events<events::TearDown>();
    QCOMPARE(ends.size(), 1);
    QVERIFY2(ends[0].monotonicNs - exited[0].monotonicNs < 2'000'000'000,
             "a pipe was waited for that is not there");
    QCOMPARE(events<events::RecordersDumped>().value(0).text, QString());
}

} // namespace tst_flightrecorder

RANKDECK_TEST(tst_flightrecorder, FlightRecorderTest)
#include "tst_flightrecorder.moc"
