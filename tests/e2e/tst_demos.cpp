#include "base/json.h"
#include "diagnosis/selftest/selftestfollower.h"
#include "run/record/rundirectory.h"
#include "run/replay/runreplay.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QDirIterator>

namespace tst_demos
{

using namespace rankdeck;
using Json = nlohmann::json;

/// The demos in a terminal at twenty times their speed, how each ends, and their runs replayed.
class DemosTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void allAreListed();
    void trainingSucceedsAndIsReplayed();
    void theFirstLaunchChecksAndConvertsItsTable();
    void aRankFailsByAnErrorOfItsCard();
    void theStragglerFallsBehind();
    void theOthersGiveUpOnTheRankThatHangs();
    void theLinkToANodeIsCutAndBack();
    void oneOfManyRanksIsFound();
    void debuggingStopsAtPrompts();
    void collectivesGoOnUntilTheyAreStopped();
    void aDemoThatIsNoneIsRefused();
    void logsAloneAndBundlesAreReplayed();

private:
    int run(const QString &demo, int speed = 20)
    {
        const Outcome outcome = ctl({u"demo"_s, demo, u"--speed"_s, QString::number(speed), u"-q"_s});
        const auto found = findRun(u"last"_s);
        m_directory = found ? *found : QString();
        return outcome.code;
    }
    static Json replay(const QString &what, const QString &place)
    {
        const Outcome outcome = ctl({u"replay"_s, what, u"--at"_s, place, u"--json"_s});
        const auto json = parseJson(outcome.out);
        return outcome.code == 0 && json ? *json : Json();
    }
    static QString stateOf(const Json &moment, int rank)
    {
        return moment["ranks"][std::size_t(rank)]["state"].get<QString>();
    }
    static qint64 stepOf(const Json &moment, int rank)
    {
        const Json &step = moment["ranks"][std::size_t(rank)]["step"];
        return step.is_null() ? 0 : step.get<qint64>();
    }
};

void DemosTest::allAreListed()
{
    const Outcome listed = ctl({u"demo"_s, u"--list"_s, u"--json"_s});
    QCOMPARE(listed.code, 0);
    const auto json = parseJson(listed.out);
    QVERIFY(json);
    QStringList names;
    for (const Json &demo : (*json)["demos"])
        names << demo["name"].get<QString>();
    QCOMPARE(names.join(' '_L1), u"training first fail straggler hang nodes many debug collective"_s);
    const Outcome text = ctl({u"demo"_s, u"--list"_s});
    QCOMPARE(linesOf(text.out).size(), names.size());
}

void DemosTest::trainingSucceedsAndIsReplayed()
{
    QCOMPARE(run(u"training"_s), 0);
    const Json begin = replay(m_directory, u"0"_s);
    QVERIFY(!begin.is_null());
    QCOMPARE(begin["state"].get<QString>(), u"starting"_s);
    QCOMPARE(stateOf(begin, 0), u"waiting"_s);
    QCOMPARE(begin["ranks"][0]["log_bytes"].get<int>(), 0);
    const Json middle = replay(m_directory, u"60%"_s);
    QCOMPARE(middle["state"].get<QString>(), u"running"_s);
    // On a busy machine the first rank may be done before the last one has begun.
    QVERIFY2(std::ranges::any_of(middle["ranks"],
                                 [](const Json &rank) {
                                     return !rank["step"].is_null() && rank["step"] > 1 && rank["step"] < 600;
                                 }),
             middle.dump().c_str());
    const Json end = replay(m_directory, u"end"_s);
    QCOMPARE(end["state"].get<QString>(), u"succeeded"_s);
    QCOMPARE(stepOf(end, 7), 600);
    QCOMPARE(qint64(logOf(0).size()), end["ranks"][0]["log_bytes"].get<qint64>());
}

void DemosTest::theFirstLaunchChecksAndConvertsItsTable()
{
    QCOMPARE(run(u"first"_s), 0);
    const RunState ended = state();
    QCOMPARE(ended.plan->before.size(), std::size_t(2));
    // Both hooks have one log.
    QFile log(ended.plan->before.front().logFile);
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QByteArray said = log.readAll();
    QVERIFY2(said.contains("no findings") && said.contains("\"version\": \"1.0\""), said.constData());
    // It is converted for the ranks too.
    QVERIFY(ended.plan->rankTableFile.startsWith(m_directory));
    QFile table(ended.plan->rankTableFile);
    QVERIFY(table.open(QIODevice::ReadOnly));
    QVERIFY(table.readAll().contains("server_count"));
    QVERIFY(logOf(7).contains("rank table: " + ended.plan->rankTableFile.toUtf8()));
    QCOMPARE(stepOf(replay(m_directory, u"end"_s), 7), 600);
}

void DemosTest::aRankFailsByAnErrorOfItsCard()
{
    QCOMPARE(run(u"fail"_s), 1);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("507054"), report.out.constData());
    QVERIFY2(report.out.contains("ank 5"), report.out.constData());
    const Json failure = replay(m_directory, u"failure"_s);
    QCOMPARE(stateOf(failure, 5), u"failed"_s);
    QCOMPARE(stateOf(failure, 4), u"running"_s);
    // What comes after it is not known yet.
    QCOMPARE(failure["state"].get<QString>(), u"running"_s);
    QCOMPARE(replay(m_directory, u"end"_s)["state"].get<QString>(), u"failed"_s);
}

void DemosTest::theStragglerFallsBehind()
{
    // Not so fast that a busy machine makes all ranks slow.
    constexpr int speed = 3;
    QCOMPARE(run(u"straggler"_s, speed), 0);
    const QByteArray journal = fileText(journalPath(m_directory));
    QVERIFY2(journal.contains("Rank 3 is ") && journal.contains(" steps behind."), journal.constData());
    const Json late = replay(m_directory, u"70%"_s);
    QVERIFY2(stepOf(late, 3) < stepOf(late, 2), late.dump().c_str());
}

void DemosTest::theOthersGiveUpOnTheRankThatHangs()
{
    // The other ranks give up 9 s after they have come to the step: on a busy machine Python starts them
    // seconds apart.
    constexpr int speed = 5;
    QVERIFY(run(u"hang"_s, speed) != 0);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("EI0002"), report.out.constData());
    QVERIFY2(report.out.startsWith("Rank 6 hung at step 249"), report.out.constData());
    QVERIFY2(report.out.contains("Missing: rank 6: is still at train.py:"), report.out.constData());
    QVERIFY(!report.out.contains("SIGTERM received"));
    const Json end = replay(m_directory, u"end"_s);
    QCOMPARE(end["state"].get<QString>(), u"failed"_s);
    QVERIFY(stepOf(end, 6) < 250);
}

void DemosTest::theLinkToANodeIsCutAndBack()
{
    QCOMPARE(run(u"nodes"_s), 0);
    const auto replayed = RunReplay::of(state());
    QVERIFY2(replayed, qPrintable(replayed.error().sentence()));
    QStringList news;
    for (const ReplayMark &mark : replayed->marks()) {
        if (mark.kind == ReplayMark::Kind::Node)
            news << mark.text;
    }
    QCOMPARE(news.size(), 2);
    QVERIFY2(news.first().startsWith("192.168.100.11: connection lost"_L1), qPrintable(news.first()));
    QCOMPARE(news.last(), u"192.168.100.11 is connected again."_s);
    // No rank was started anew, and nothing that was printed behind the cut link is missing.
    QCOMPARE(state().count(RankPhase::Exited), 8);
    QCOMPARE(stepOf(replay(m_directory, u"end"_s), 6), 600);
    QVERIFY(QDir(QDir::tempPath()).entryList({u"rankdeck-demo-*"_s}).isEmpty());
}

void DemosTest::oneOfManyRanksIsFound()
{
    QCOMPARE(run(u"many"_s), 1);
    const RunState ended = state();
    QCOMPARE(ended.ranks.size(), std::size_t(1024));
    QVERIFY2(ended.notes.join(' '_L1).contains("its ranks are simulated"_L1),
             qPrintable(ended.notes.join(' '_L1)));
    QVERIFY(ended.name.contains("simulated"_L1));
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.startsWith("Rank 417 failed first: RuntimeError: NPU out of memory"),
             report.out.left(200).constData());
    const Json failure = replay(m_directory, u"failure"_s);
    QCOMPARE(stateOf(failure, 417), u"failed"_s);
    QVERIFY2(stepOf(failure, 1023) > 40, qPrintable(QString::number(stepOf(failure, 1023))));
    QCOMPARE(stepOf(replay(m_directory, u"end"_s), 1023), 60);
}

void DemosTest::debuggingStopsAtPrompts()
{
    const Outcome launched = ctl({u"demo"_s, u"debug"_s, u"--detach"_s});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = *findRun(u"last"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::all_of(state().ranks, [](const RankState &rank) { return rank.prompt.has_value(); }),
        programLimitMs);
}

void DemosTest::collectivesGoOnUntilTheyAreStopped()
{
    const Outcome launched = ctl({u"demo"_s, u"collective"_s, u"--detach"_s});
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = *findRun(u"last"_s);
    const auto haveMeasured = [this] {
        SelfTestLogs logs(*state().plan);
        logs.readRest();
        return !logs.results().pairs.empty() && !logs.results().collectives.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(haveMeasured(), programLimitMs);
    QCOMPARE(ctl({u"stop"_s, m_directory}).code, 0);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void DemosTest::aDemoThatIsNoneIsRefused()
{
    const Outcome word = ctl({u"demo"_s, u"fails"_s});
    QCOMPARE(word.code, 2);
    QVERIFY2(word.err.contains("demo --list"), word.err.constData());
    const Outcome speed = ctl({u"demo"_s, u"--speed"_s, u"101"_s});
    QCOMPARE(speed.code, 2);
    const Outcome replayed = ctl({u"replay"_s, u"/nonexistent"_s, u"--json"_s});
    QCOMPARE(replayed.code, 2);
}

void DemosTest::logsAloneAndBundlesAreReplayed()
{
    QCOMPARE(run(u"fail"_s), 1);
    const QString bundle = m_home->path("report.tar.gz");
    const Outcome report = ctl({u"report"_s, m_directory, u"--bundle"_s, bundle});
    QVERIFY2(report.code == 0 || report.code == 1, report.err.constData());
    const Json failure = replay(bundle, u"failure"_s);
    QVERIFY(!failure.is_null());
    QCOMPARE(stateOf(failure, 5), u"failed"_s);
    QCOMPARE(stateOf(failure, 0), u"running"_s);

    const QString logs = QFileInfo(state().plan->processes.front().logFile).path();
    const QString alone = m_home->path("alone");
    QVERIFY(QDir().mkpath(alone));
    for (const QFileInfo &log : QDir(logs).entryInfoList(QDir::Files))
        QVERIFY(QFile::copy(log.filePath(), alone + '/'_L1 + log.fileName()));
    const Json end = replay(alone, u"end"_s);
    QVERIFY(!end.is_null());
    QCOMPARE(end["ranks"].size(), std::size_t(8));
    QCOMPARE(stateOf(end, 5), u"failed"_s);
}

} // namespace tst_demos

RANKDECK_TEST(tst_demos, DemosTest)
#include "tst_demos.moc"
