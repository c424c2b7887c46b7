#include "collective/selftest/pairprobe.h"
#include "support/testmain.h"

#include <QSet>
#include <QTest>

namespace tst_pairschedule
{

using namespace rankdeck;

class PairScheduleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allPairsOfAFewRanks_data();
    void allPairsOfAFewRanks();
    void ofManyRanksThoseOnDifferentHosts();
    void ofVeryManyRanksOneAHost();

private:
    /// Ranks in blocks of one host.
    static QList<QByteArray> hosts(int ranks, int ranksAHost)
    {
        QList<QByteArray> names;
        for (int rank = 0; rank < ranks; ++rank)
            names << "host" + QByteArray::number(rank / ranksAHost);
        return names;
    }
    /// Each once; empty when a round has a rank twice or a pair comes again.
    static QSet<std::pair<int, int>> pairsOf(const std::vector<std::vector<RankPair>> &rounds)
    {
        QSet<std::pair<int, int>> pairs;
        for (const auto &round : rounds) {
            QSet<int> busy;
            for (const RankPair &pair : round) {
                if (pair.from >= pair.to || busy.contains(pair.from) || busy.contains(pair.to) ||
                    pairs.contains({pair.from, pair.to}))
                    return {};
                busy << pair.from << pair.to;
                pairs.insert({pair.from, pair.to});
            }
        }
        return pairs;
    }
};

void PairScheduleTest::allPairsOfAFewRanks_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("rounds");
    QTest::newRow("one") << 1 << 0;
    QTest::newRow("two") << 2 << 1;
    QTest::newRow("three") << 3 << 3;
    QTest::newRow("eight") << 8 << 7;
    QTest::newRow("31") << 31 << 31;
    QTest::newRow("32") << 32 << 31;
}

void PairScheduleTest::allPairsOfAFewRanks()
{
    QFETCH(int, ranks);
    QFETCH(int, rounds);
    const auto schedule = pairRounds(hosts(ranks, 4));
    QCOMPARE(schedule.size(), static_cast<std::size_t>(rounds));
    QCOMPARE(pairsOf(schedule).size(), ranks * (ranks - 1) / 2);
}

void PairScheduleTest::ofManyRanksThoseOnDifferentHosts()
{
    const auto pairs = pairsOf(pairRounds(hosts(64, 16)));
    QCOMPARE(pairs.size(), 64 * 48 / 2 + 4 * 15);
    QVERIFY(pairs.contains({0, 16}));
    QVERIFY(pairs.contains({0, 1}));
    QVERIFY(!pairs.contains({0, 2}));
    const auto oneHost = pairRounds(hosts(64, 64));
    QVERIFY(oneHost.size() <= 3);
    QCOMPARE(pairsOf(oneHost).size(), 63);
}

void PairScheduleTest::ofVeryManyRanksOneAHost()
{
    const auto pairs = pairsOf(pairRounds(hosts(160, 8)));
    QCOMPARE(pairs.size(), 20 * 19 / 2);
    QVERIFY(pairs.contains({8, 152}));
    QVERIFY(!pairs.contains({1, 8}));

    // Each host with those a power of two away, on a ring: no host is left out, and there are few rounds.
    const auto many = pairRounds(hosts(512, 2));
    const auto ofMany = pairsOf(many);
    QVERIFY(ofMany.contains({0, 2}) && ofMany.contains({0, 256}) && !ofMany.contains({0, 6}));
    QCOMPARE(ofMany.size(), 256 * 15 / 2);
    QVERIFY2(many.size() <= 30, QByteArray::number(many.size()));
}

} // namespace tst_pairschedule

RANKDECK_TEST(tst_pairschedule, PairScheduleTest)
#include "tst_pairschedule.moc"
