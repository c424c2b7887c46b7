#include "collective/group/processgroup.h"
#include "collective/selftest/selftest.h"
#include "collective/store/storeserver.h"
#include "ranks.h"
#include "support/ownmachine.h"
#include "support/testhome.h"
#include "support/testmain.h"
#include "switchedhosts.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

namespace tst_collectiveprogram
{

using namespace rankdeck;

/// rankdeckctl collective, as real processes.
class CollectiveProgramTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyWayAndOperationIsMeasured();
    void partsCanBeLeftOut();
    void ranksMeetOverStandardInputAndOutput();
    void theEndOfStandardInputEndsIt();
    void aKilledRankIsNamedByTheOthers();
    void aRankThatNeverStartsIsNamed();
    void itsLinesAreEnglishUnderAnyLocale();
    void aRankThatStandsStillIsNamed();
    void aRankThatStandsStillBeforeAnyReachesItIsNamed();
    void aPairThatCannotReachEachOtherIsNamed();
    void aHostThatLetsNoneInIsToldFromOneThatIsCutOff();
    void ranksOfDifferentHostsDoCollectives();
    void itIsALaunchLikeAnyOther();
    void misuseIsRefusedInOneSentence_data();
    void misuseIsRefusedInOneSentence();

private:
    static QString program() { return buildPath("bin/rankdeckctl"); }
    static QStringList collective(const char *options = "")
    {
        return QStringList{u"collective"_s} + QString::fromLatin1(options).split(' '_L1, Qt::SkipEmptyParts);
    }
    static SelfTestResults resultsOf(const std::vector<Outcome> &outcomes)
    {
        SelfTestResults results(static_cast<int>(outcomes.size()));
        for (const Outcome &outcome : outcomes) {
            for (const QByteArray &line : outcome.out.split('\n')) {
                if (const auto event = SelfTestEvent::fromLine(line))
                    results.take(*event);
            }
        }
        return results;
    }
    /// As it stands when all went well.
    static void verifyAll(const SelfTestResults &results)
    {
        const qsizetype ranks = results.ranks.size();
        QCOMPARE(qsizetype(results.pairs.size()), ranks * (ranks - 1) / 2);
        for (const PairResult &pair : results.pairs) {
            QCOMPARE(pair.problem, QString());
            QVERIFY(pair.latencyUs > 0 && pair.thereMBs > 0 && pair.backMBs > 0);
        }
        for (const auto &rank : results.ranks)
            QVERIFY2(rank.stage == SelfTestStage::Done, qPrintable(rank.text));
        for (const CollectiveResult &result : results.collectives) {
            QCOMPARE(result.problem, QString());
            QVERIFY(result.ms > 0);
        }
    }
    /// Carries what ranks with --store stdio say to `store` and `results`, and its answers to them, until the
    /// first `waited` have ended. `before` sees each line first.
    static void serve(Ranks &ranks, int waited, StoreServer &store, SelfTestResults &results,
                      const std::function<void(int rank, const QByteArray &line)> &before = {});
    static bool hasResult(const SelfTestResults &results, const char *operation, qsizetype ranks)
    {
        return std::any_of(
            results.collectives.begin(), results.collectives.end(), [&](const CollectiveResult &each) {
                return each.operation == QLatin1String(operation) && each.ranks.size() == ranks;
            });
    }
};

void CollectiveProgramTest::everyWayAndOperationIsMeasured()
{
    Ranks ranks(8);
    ranks.startAll(program(), collective());
    const auto outcomes = ranks.outcomes();
    for (const Outcome &outcome : outcomes)
        QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    const SelfTestResults results = resultsOf(outcomes);
    verifyAll(results);
    if (!hasGloo()) {
        QVERIFY(results.collectives.empty());
        QCOMPARE(results.ranks[0].text, u"without collectives, as Rankdeck was built without Gloo"_s);
        QSKIP("built without Gloo: pairs alone");
    }
    for (const char *operation : {"barrier", "broadcast", "allreduce sum", "allreduce max"}) {
        for (const int size : {8, 4, 2})
            QVERIFY2(hasResult(results, operation, size), operation);
    }
    QCOMPARE(results.groups, (QList<QList<int>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

void CollectiveProgramTest::partsCanBeLeftOut()
{
    Ranks ways(3);
    ways.startAll(program(), collective("--no-collectives --rounds 2"));
    const SelfTestResults pairs = resultsOf(ways.outcomes());
    verifyAll(pairs);
    QVERIFY(pairs.collectives.empty());

    Ranks alone(1);
    alone.startAll(program(), collective("--rounds 0"));
    QVERIFY(resultsOf(alone.outcomes()).ranks[0].stage == SelfTestStage::Done);

    if (!hasGloo())
        QSKIP("built without Gloo");
    Ranks operations(4);
    operations.startAll(program(), collective("--no-pairs --sizes 8,3K --groups 4,3"));
    const SelfTestResults results = resultsOf(operations.outcomes());
    QVERIFY(results.pairs.empty());
    QVERIFY(results.ranks[3].stage == SelfTestStage::Done);
    QVERIFY(hasResult(results, "allreduce sum", 4));
    QVERIFY(!hasResult(results, "allreduce sum", 3));
    QCOMPARE(results.collectives.size(), std::size_t(1 + 3 * 2));
    QCOMPARE(results.collectives.back().bytes, 3 * 1024);
}

void CollectiveProgramTest::serve(Ranks &ranks, int waited, StoreServer &store, SelfTestResults &results,
                                  const std::function<void(int, const QByteArray &)> &before)
{
    for (int rank = 0; rank < results.ranks.size(); ++rank) {
        connect(&ranks[rank], &QProcess::readyReadStandardOutput, &ranks[rank], [&, rank] {
            while (ranks[rank].canReadLine()) {
                const QByteArray line = ranks[rank].readLine().trimmed();
                if (before)
                    before(rank, line);
                const QJsonObject said = QJsonDocument::fromJson(line).object();
                if (said.contains("event"_L1)) {
                    const auto event = SelfTestEvent::fromLine(said.value("event"_L1).toString().toUtf8());
                    QVERIFY2(event, line);
                    results.take(*event);
                }
                for (const StoreServer::Answer &answer : store.take(rank, line))
                    ranks[answer.rank].write(answer.line + '\n');
            }
        });
    }
    for (int rank = 0; rank < waited; ++rank)
        QTRY_COMPARE_WITH_TIMEOUT(ranks[rank].state(), QProcess::NotRunning, programLimitMs);
}

void CollectiveProgramTest::ranksMeetOverStandardInputAndOutput()
{
    Ranks ranks(4);
    ranks.startAll(program(), collective("--store stdio --sizes 4"));
    StoreServer store;
    SelfTestResults results(4);
    serve(ranks, 4, store, results);
    for (int rank = 0; rank < 4; ++rank)
        QCOMPARE(ranks[rank].exitCode(), 0);
    verifyAll(results);
    QVERIFY(store.contains("rank/3"));
}

void CollectiveProgramTest::theEndOfStandardInputEndsIt()
{
    Ranks ranks(2);
    QProcess &rank = ranks.start(0, program(), collective("--store stdio"));
    QTRY_VERIFY_WITH_TIMEOUT(rank.bytesAvailable() > 0, programLimitMs);
    rank.closeWriteChannel();
    QVERIFY(rank.waitForFinished(programLimitMs));
    QCOMPARE(rank.exitCode(), 1);
}

void CollectiveProgramTest::aKilledRankIsNamedByTheOthers()
{
    Ranks ranks(4);
    ranks.startAll(program(), collective("--rounds 0 --sizes 4,1M"));
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT(
        (said += ranks[3].readAllStandardOutput()).contains(hasGloo() ? ": collectives" : ": pairs"),
        programLimitMs);
    QElapsedTimer clock;
    clock.start();
    ranks[3].kill();
    const auto outcomes = ranks.outcomes();
    QVERIFY2(clock.elapsed() < 25'000, QByteArray::number(clock.elapsed()));
    for (int rank = 0; rank < 3; ++rank) {
        const Outcome &outcome = outcomes[static_cast<std::size_t>(rank)];
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("failed: ") && outcome.out.contains("rank 3 has gone away"),
                 outcome.out);
    }
}

void CollectiveProgramTest::aRankThatNeverStartsIsNamed()
{
    Ranks ranks(4);
    for (const int rank : {0, 1, 3})
        ranks.start(rank, program(), collective("--timeout 10"));
    for (const Outcome &outcome : ranks.outcomes()) {
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("failed: rank 2 has not arrived within 10 s"), outcome.out);
    }
}

/// Programs read them, and the verdict does.
void CollectiveProgramTest::itsLinesAreEnglishUnderAnyLocale()
{
    const QByteArray own = qgetenv("LC_ALL");
    qputenv("LC_ALL", "zh_CN.UTF-8");
    const Outcome misuse = ctl(collective());
    Ranks ranks(2);
    ranks.start(0, program(), collective("--timeout 1"));
    const std::vector<Outcome> outcomes = ranks.outcomes();
    qputenv("LC_ALL", own);
    QVERIFY2(!misuse.err.isEmpty() && !misuse.err.contains("are not set"),
             misuse.err); // People read this one.
    QVERIFY2(outcomes[0].out.contains("failed: rank 1 has not arrived within 1 s"), outcomes[0].out);
    QVERIFY2(std::ranges::all_of(outcomes[0].out, [](char byte) { return (byte & 0x80) == 0; }),
             outcomes[0].out);
}

void CollectiveProgramTest::aRankThatStandsStillIsNamed()
{
    Ranks ranks(3);
    ranks.startAll(program(), collective("--timeout 8 --pace 1500"));
    QByteArray out;
    const auto hasMeasured = [&] {
        out += ranks[0].readAllStandardOutput() + ranks[1].readAllStandardOutput();
        return out.contains(": pair ");
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasMeasured(), programLimitMs);
    ::kill(static_cast<pid_t>(ranks[2].processId()), SIGSTOP);
    for (const int rank : {0, 1})
        QVERIFY(ranks[rank].waitForFinished(programLimitMs));
    ranks[2].kill();
    QVERIFY(ranks[2].waitForFinished(programLimitMs));
    out += ranks[0].readAllStandardOutput() + ranks[1].readAllStandardOutput();
    QVERIFY2(out.contains("pair 0-2 on one host failed: ") || out.contains("pair 1-2 on one host failed: "),
             out);
    QVERIFY2(!out.contains("pair 0-1 on one host failed: "), out);
    QVERIFY2(out.contains("failed: nothing was heard within 18 s of rank 2"), out);
}

void CollectiveProgramTest::aRankThatStandsStillBeforeAnyReachesItIsNamed()
{
    Ranks ranks(3);
    ranks.startAll(program(), collective("--store stdio --timeout 8"));
    StoreServer store;
    SelfTestResults results(3);
    serve(ranks, 2, store, results, [&](int rank, const QByteArray &line) {
        if (rank == 2 && line.contains("\"set\":\"rank/2\"")) {
            ::kill(static_cast<pid_t>(ranks[2].processId()), SIGSTOP);
            // As though it had come that far.
            store.take(2, R"({"set":"pairs/tried/2","value":""})");
        }
    });
    ranks[2].kill();
    QVERIFY(ranks[2].waitForFinished(programLimitMs));
    for (const int rank : {0, 1}) {
        const PairResult *const pair = results.pair(rank, 2);
        QVERIFY(pair);
        QVERIFY2(pair->problem.endsWith("accepts connections, but does not answer as rank 2 within 3 "
                                        "s; it is unknown whether the other direction works"_L1),
                 qPrintable(pair->problem));
        QVERIFY(results.ranks[rank].stage == SelfTestStage::Failed);
        QCOMPARE(results.ranks[rank].text, u"nothing was heard within 18 s of rank 2"_s);
    }
    QVERIFY(results.pair(0, 1) && results.pair(0, 1)->problem.isEmpty());
}

void CollectiveProgramTest::aPairThatCannotReachEachOtherIsNamed()
{
    if (!SwitchedHosts::canBe())
        QSKIP("no network namespaces here, or not root");
    SwitchedHosts hosts(3);
    QVERIFY(hosts.areThere());
    // What the third sends to the second goes to a card that nobody has.
    QVERIFY(SwitchedHosts::run(hosts.inside(2) + u"ip neighbour add 10.78.0.2 lladdr "
                                                 "02:00:00:00:00:99 dev eth0 nud permanent"_s));
    Ranks ranks(3);
    ranks.setMaster(u"10.78.0.1"_s);
    for (int rank = 0; rank < 3; ++rank)
        hosts.start(ranks, rank, program(), collective());
    const auto outcomes = ranks.outcomes();
    const SelfTestResults results = resultsOf(outcomes);
    QCOMPARE(results.pairs.size(), std::size_t(3));
    QVERIFY(results.pair(0, 1) && results.pair(0, 2) && results.pair(1, 2));
    QCOMPARE(results.pair(0, 1)->problem, QString());
    QCOMPARE(results.pair(0, 2)->problem, QString());
    const QString problem = results.pair(1, 2)->problem;
    QVERIFY2(problem.startsWith("no connection to 10.78.0.3:"_L1), qPrintable(problem));
    QVERIFY2(problem.endsWith(" within 3 s; the other direction does not work either"_L1),
             qPrintable(problem));
    QVERIFY(results.ranks[0].stage == SelfTestStage::Done);
    QVERIFY2(results.ranks[0].text.contains("ranks 1-2 cannot all reach each other"_L1) || !hasGloo(),
             qPrintable(results.ranks[0].text));
    QVERIFY(results.ranks[1].stage == SelfTestStage::Failed &&
            results.ranks[2].stage == SelfTestStage::Failed);
    QCOMPARE(outcomes[1].code, 1);
    QCOMPARE(outcomes[0].code, 0);
}

void CollectiveProgramTest::aHostThatLetsNoneInIsToldFromOneThatIsCutOff()
{
    if (!SwitchedHosts::canBe())
        QSKIP("no network namespaces here, or not root");
    SwitchedHosts hosts(2);
    QVERIFY(hosts.areThere());
    // Nobody has the address that the second says it has: it cannot be reached, but reaches the first.
    Ranks ranks(2);
    ranks.setMaster(u"10.78.0.1"_s);
    hosts.start(ranks, 0, program(), collective());
    hosts.start(ranks, 1, program(), collective("--address 10.78.0.77"));
    const SelfTestResults results = resultsOf(ranks.outcomes());
    QVERIFY(results.pair(0, 1));
    const QString problem = results.pair(0, 1)->problem;
    QVERIFY2(problem.startsWith("no connection to 10.78.0.77:"_L1), qPrintable(problem));
    QVERIFY2(problem.endsWith("; the other direction works: check the firewall there"_L1),
             qPrintable(problem));
}

void CollectiveProgramTest::ranksOfDifferentHostsDoCollectives()
{
    if (!SwitchedHosts::canBe())
        QSKIP("no network namespaces here, or not root");
    SwitchedHosts hosts(2);
    QVERIFY(hosts.areThere());
    Ranks ranks(4);
    ranks.setMaster(u"10.78.0.1"_s);
    for (int rank = 0; rank < 4; ++rank)
        hosts.start(ranks, rank, program(), collective("--sizes 4,64K"), rank / 2);
    const auto outcomes = ranks.outcomes();
    for (const Outcome &outcome : outcomes)
        QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    verifyAll(resultsOf(outcomes));
    QVERIFY(hasResult(resultsOf(outcomes), "allreduce sum", 4) || !hasGloo());
}

void CollectiveProgramTest::itIsALaunchLikeAnyOther()
{
    const TestHome home;
    const Outcome outcome =
        ctl({u"processes"_s, u"--nproc"_s, u"4"_s, u"--master-port"_s, QString::number(freePort()), u"--"_s,
             program(), u"collective"_s, u"--sizes"_s, u"4,64K"_s},
            home.path(""));
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
}

void CollectiveProgramTest::misuseIsRefusedInOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("no ranks") << collective() << QByteArray("RANK and WORLD_SIZE are not set");
    QTest::newRow("a size") << collective("--sizes 4,5")
                            << QByteArray("--sizes: \"5\" is not a number of bytes");
    QTest::newRow("a size beyond all")
        << collective("--sizes 2G") << QByteArray("--sizes: \"2G\" is not a number");
    QTest::newRow("a store") << collective("--store file") << QByteArray("--store: unknown store \"file\"");
    QTest::newRow("a pace") << collective("--pace -1") << QByteArray("--pace");
    QTest::newRow("a timeout") << collective("--timeout 0") << QByteArray("--timeout");
    QTest::newRow("a group") << collective("--groups two") << QByteArray("--groups");
}

void CollectiveProgramTest::misuseIsRefusedInOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, sentence);
    const Outcome outcome = ctl(arguments);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(sentence), outcome.err);
    QCOMPARE(outcome.err.count('\n'), 1);
}

} // namespace tst_collectiveprogram

RANKDECK_TEST_ON_OWN_MACHINE(tst_collectiveprogram, CollectiveProgramTest)
#include "tst_collectiveprogram.moc"
