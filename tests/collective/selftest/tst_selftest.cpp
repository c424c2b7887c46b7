#include "collective/selftest/selftest.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_selftest
{

using namespace rankdeck;

class SelfTestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineSaysAllOfAnEvent_data();
    void aLineSaysAllOfAnEvent();
    void linesAreForPeopleToo();
    void aTextStaysOnItsLine();
    void otherLinesAreNoEvents_data();
    void otherLinesAreNoEvents();
    void eventsMakeTheResults();
    void eventsOfStrangersArePassedOver();
    void pairsThatStandOutAreNamedWorstFirst();
    void fewPairsAreNotCompared();

private:
    static SelfTestEvent stage(int rank, SelfTestStage stage, const QString &text = {})
    {
        SelfTestEvent event;
        event.rank = rank;
        event.stage = stage;
        event.text = text;
        return event;
    }
    static SelfTestEvent ofPair(const PairResult &pair)
    {
        SelfTestEvent event;
        event.kind = SelfTestEvent::Kind::Pair;
        event.rank = pair.from;
        event.pair = pair;
        return event;
    }
    static SelfTestEvent ofCollective(const CollectiveResult &result)
    {
        SelfTestEvent event;
        event.kind = SelfTestEvent::Kind::Collective;
        event.rank = result.ranks.value(0);
        event.collective = result;
        return event;
    }
    static SelfTestEvent ofGroups(const QList<QList<int>> &groups)
    {
        SelfTestEvent event;
        event.kind = SelfTestEvent::Kind::Groups;
        event.groups = groups;
        return event;
    }
};

void SelfTestTest::aLineSaysAllOfAnEvent_data()
{
    QTest::addColumn<SelfTestEvent>("event");
    QTest::newRow("arrived") << stage(12, SelfTestStage::Arrived);
    QTest::newRow("done, with words") << stage(0, SelfTestStage::Done, u"without: collectives"_s);
    QTest::newRow("failed") << stage(3, SelfTestStage::Failed, u"rank 1 has gone away: signal 9"_s);
    QTest::newRow("a pair") << ofPair({0, 3, 21.3, 1234.5, 0.1, {}});
    QTest::newRow("a pair on one host") << ofPair({0, 3, 21.3, 1234.5, 0.1, {}, true});
    QTest::newRow("a pair on one host that fails") << ofPair({0, 3, 0, 0, 0, u"no way"_s, true});
    QTest::newRow("a pair's figures to the last digit")
        << ofPair({7, 1000, 1.0 / 3, 1e7 / 3, 12345.678901234, {}});
    QTest::newRow("a pair with a problem")
        << ofPair({2, 5, 0, 0, 0, u"no connection to 10.0.0.3:40123 within 3 s"_s});
    QTest::newRow("all are a group") << ofGroups({{0, 1, 2, 3}});
    QTest::newRow("groups") << ofGroups({{0, 2, 4}, {1, 3, 5}, {6}});
    QTest::newRow("barrier") << ofCollective({u"barrier"_s, {0, 1, 2, 3}, 0, 0.25, {}});
    QTest::newRow("allreduce") << ofCollective({u"allreduce sum"_s, {0, 1, 5}, 1 << 20, 3.125, {}});
    QTest::newRow("a wrong value") << ofCollective(
        {u"allreduce max"_s, {4, 5}, 4, 0.5, u"rank 5 has 3 at index 0, not 4"_s});
}

void SelfTestTest::aLineSaysAllOfAnEvent()
{
    QFETCH(SelfTestEvent, event);
    const QByteArray line = event.toLine();
    QVERIFY2(!line.contains('\n'), line);
    const auto read = SelfTestEvent::fromLine(line);
    QVERIFY2(read, line);
    QCOMPARE(read->toLine(), line);
    QVERIFY2(*read == event, line);
}

void SelfTestTest::linesAreForPeopleToo()
{
    QCOMPARE(stage(2, SelfTestStage::Arrived).toLine(), QByteArray("selftest: rank 2: arrived"));
    QCOMPARE(ofPair({0, 3, 21.3, 1234.5, 900, {}}).toLine(),
             QByteArray("selftest: rank 0: pair 0-3: 21.3 us, 1234.5 MB/s there, 900 MB/s back"));
    QCOMPARE(ofGroups({{0, 1, 2, 3}, {4, 5, 6, 7}}).toLine(), QByteArray("selftest: rank 0: groups 0-3 4-7"));
    QCOMPARE(ofCollective({u"allreduce sum"_s, {0, 1, 2, 3}, 65536, 0.5, {}}).toLine(),
             QByteArray("selftest: rank 0: allreduce sum of 65536 bytes, ranks 0-3: 0.5 ms, 131.1 MB/s"));
}

void SelfTestTest::aTextStaysOnItsLine()
{
    const QByteArray line = stage(1, SelfTestStage::Failed, u"one\ntwo\x1b[31m"_s).toLine();
    QCOMPARE(line, QByteArray("selftest: rank 1: failed: one two [31m"));
    QCOMPARE(SelfTestEvent::fromLine(line)->text, u"one two [31m"_s);
}

void SelfTestTest::otherLinesAreNoEvents_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a library's") << QByteArray("[I] connected full mesh");
    QTest::newRow("the head alone") << QByteArray("selftest: rank 1: ");
    QTest::newRow("no rank") << QByteArray("selftest: rank -1: arrived");
    QTest::newRow("a rank beyond all") << QByteArray("selftest: rank 99999999999: arrived");
    QTest::newRow("a stage there is not") << QByteArray("selftest: rank 1: sleeping");
    QTest::newRow("something before it") << QByteArray("x selftest: rank 1: arrived");
    QTest::newRow("a figure that is none")
        << QByteArray("selftest: rank 1: pair 0-3: 1.2.3 us, 1 MB/s there, 1 MB/s back");
    QTest::newRow("a figure beyond all")
        << "selftest: rank 1: pair 0-3: " + QByteArray(400, '9') + " us, 1 MB/s there, 1 MB/s back";
    QTest::newRow("an operation there is not")
        << QByteArray("selftest: rank 0: allreduce min of 4 bytes, ranks 0-3: 1 ms, 1 MB/s");
    QTest::newRow("more ranks than any") << QByteArray("selftest: rank 0: barrier, ranks 0-99999999: 1 ms");
    QByteArray groups("selftest: rank 0: groups");
    for (int each = 0; each < 1000; ++each)
        groups += " 0-65000";
    QTest::newRow("groups that fill the memory") << groups;
    QTest::newRow("too long") << "selftest: rank 0: failed: " + QByteArray(2 << 20, 'x');
}

void SelfTestTest::otherLinesAreNoEvents()
{
    QFETCH(QByteArray, line);
    QVERIFY(!SelfTestEvent::fromLine(line));
}

void SelfTestTest::eventsMakeTheResults()
{
    SelfTestResults results(4);
    QCOMPARE(results.ranks.size(), 4);
    QVERIFY(results.ranks[3].stage == SelfTestStage::Missing);
    results.take(stage(3, SelfTestStage::Pairs));
    QVERIFY(results.ranks[3].stage == SelfTestStage::Pairs);
    results.take(stage(3, SelfTestStage::Failed, u"why"_s));
    results.take(stage(3, SelfTestStage::Done));
    QVERIFY((results.ranks[3] == SelfTestResults::RankState{SelfTestStage::Failed, u"why"_s}));

    results.take(ofPair({1, 2, 9, 9, 9, {}}));
    results.take(ofPair({0, 3, 5, 5, 5, {}}));
    results.take(ofPair({1, 2, 7, 7, 7, {}}));
    QCOMPARE(results.pairs.size(), std::size_t(2));
    QCOMPARE(results.pair(2, 1)->latencyUs, 7.0);
    QCOMPARE(results.pair(0, 3)->latencyUs, 5.0);
    QVERIFY(!results.pair(0, 1));

    results.take(ofGroups({{0, 1}, {2, 3}}));
    QCOMPARE(results.groups.size(), 2);
    const CollectiveResult sum{u"allreduce sum"_s, {0, 1}, 4, 1, {}};
    CollectiveResult later = sum;
    later.ms = 2;
    CollectiveResult larger = sum;
    larger.bytes = 64;
    results.take(ofCollective(sum));
    results.take(ofCollective(larger));
    results.take(ofCollective(later));
    QCOMPARE(results.collectives.size(), std::size_t(2));
    QVERIFY(results.collectives[0] == later);
}

void SelfTestTest::eventsOfStrangersArePassedOver()
{
    SelfTestResults results(2);
    results.take(stage(2, SelfTestStage::Failed));
    results.take(stage(-1, SelfTestStage::Failed));
    results.take(ofPair({0, 2, 1, 1, 1, {}}));
    results.take(ofPair({1, 0, 1, 1, 1, {}}));
    results.take(ofPair({1, 1, 1, 1, 1, {}}));
    results.take(ofCollective({u"barrier"_s, {0, 1, 2}, 0, 1, {}}));
    results.take(ofGroups({{0}, {1, 2}}));
    QVERIFY(results == SelfTestResults(2));
}

void SelfTestTest::pairsThatStandOutAreNamedWorstFirst()
{
    const std::vector<PairResult> pairs{{0, 1, 20, 1000, 1000, {}}, {0, 2, 70, 1000, 1000, {}},
                                        {0, 3, 20, 1000, 900, {}},  {1, 2, 20, 1000, 100, {}},
                                        {1, 3, 20, 1000, 1000, {}}, {2, 3, 0, 0, 0, u"no way"_s}};
    const std::vector<OddPair> odd = oddPairs(pairs);
    QCOMPARE(odd.size(), std::size_t(3));
    QCOMPARE(odd[0].why, u"no way"_s);
    QVERIFY(odd[1].pair == pairs[3]);
    QVERIFY2(odd[1].why.contains("10 times"_L1), qPrintable(odd[1].why));
    QVERIFY(odd[2].pair == pairs[1]);
    QCOMPARE(odd[2].why, u"its latency is 3.5 times the usual (70 us, 20 us)"_s);

    // One way half as fast as the other, both within what is usual.
    std::vector<PairResult> uneven{
        {0, 1, 20, 1000, 1000, {}}, {0, 2, 20, 1000, 450, {}}, {1, 2, 20, 1000, 1000, {}}};
    QCOMPARE(oddPairs(uneven).size(), std::size_t(1));
    QCOMPARE(oddPairs(uneven)[0].why,
             u"one way is 2.22 times as fast as the other (0 to 2: 1000 MB/s, back: 450 MB/s)"_s);
    // On one host they share its cpus.
    for (PairResult &pair : uneven)
        pair.isOneHost = true;
    QVERIFY(oddPairs(uneven).empty());
}

void SelfTestTest::fewPairsAreNotCompared()
{
    QVERIFY(oddPairs({}).empty());
    QVERIFY(oddPairs({{0, 1, 20, 1000, 10, {}}, {0, 2, 2000, 10, 10, {}}}).empty());
    QCOMPARE(oddPairs({{0, 1, 0, 0, 0, u"no way"_s}}).size(), std::size_t(1));
}

} // namespace tst_selftest

RANKDECK_TEST(tst_selftest, SelfTestTest)
#include "tst_selftest.moc"
