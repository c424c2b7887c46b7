#include "collective/group/processgroup.h"
#include "collective/ranks.h"
#include "support/slurmcluster.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_distributed
{

using namespace rankdeck;

/// The helpers between real processes.
class DistributedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyTypeAndOperationIsRight_data();
    void everyTypeAndOperationIsRight();
    void whoThrowsIsNamedAndFinalized();
    void aKilledPeerIsNamed();
    void aPeerThatNeverStartsIsNamed();
    void withoutRankZeroItsStoreIsNamed();
    void whoDoesSomethingElseIsNamedByAll_data();
    void whoDoesSomethingElseIsNamedByAll();
    void whoDoesNotComeIsNamed();
    void slurmTellsRankAndSize();
};

void DistributedTest::init()
{
    if (!hasGloo())
        QSKIP("built without Gloo");
}

void DistributedTest::everyTypeAndOperationIsRight_data()
{
    QTest::addColumn<int>("worldSize");
    QTest::newRow("two") << 2;
    QTest::newRow("four") << 4;
    QTest::newRow("eight") << 8;
}

void DistributedTest::everyTypeAndOperationIsRight()
{
    QFETCH(int, worldSize);
    Ranks ranks(worldSize);
    ranks.startAll(buildPath("tests/collectiverank"), {u"everything"_s});
    for (const Outcome &outcome : ranks.outcomes()) {
        QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
        QCOMPARE(outcome.out, QByteArray("well\n"));
    }
}

void DistributedTest::whoThrowsIsNamedAndFinalized()
{
    Ranks ranks(3);
    ranks.startAll(buildPath("tests/collectiverank"), {u"throwing"_s});
    const auto outcomes = ranks.outcomes();
    QCOMPARE(outcomes[1].out, QByteArray("rank 1 has enough\n"));
    for (const int other : {0, 2}) {
        const Outcome &outcome = outcomes[static_cast<std::size_t>(other)];
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.out.contains("rank 1 has gone away"), outcome.out);
    }
}

void DistributedTest::aKilledPeerIsNamed()
{
    Ranks ranks(4);
    ranks.startAll(buildPath("tests/collectiverank"), {u"endless"_s});
    for (int rank = 0; rank < 4; ++rank)
        QTRY_VERIFY_WITH_TIMEOUT(ranks[rank].canReadLine(), programLimitMs);
    QElapsedTimer clock;
    clock.start();
    ranks[2].kill();
    const auto outcomes = ranks.outcomes();
    QVERIFY2(clock.elapsed() < 18'000, QByteArray::number(clock.elapsed()));
    for (const int other : {0, 1, 3}) {
        const Outcome &outcome = outcomes[static_cast<std::size_t>(other)];
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.out.contains("rank 2 has gone away"), outcome.out);
    }
}

void DistributedTest::aPeerThatNeverStartsIsNamed()
{
    Ranks ranks(4);
    for (const int rank : {0, 3})
        ranks.start(rank, buildPath("tests/collectiverank"), {u"late"_s});
    for (const Outcome &outcome : ranks.outcomes()) {
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.out.contains("ranks 1-2 have not arrived within 8 s"), outcome.out);
    }
}

void DistributedTest::withoutRankZeroItsStoreIsNamed()
{
    Ranks ranks(2);
    ranks.start(1, buildPath("tests/collectiverank"), {u"late"_s});
    const auto outcomes = ranks.outcomes();
    QCOMPARE(outcomes[0].code, 4);
    QVERIFY2(outcomes[0].out.startsWith("rank 0, which keeps the store at 127.0.0.1:"), outcomes[0].out);
    QVERIFY2(outcomes[0].out.contains("has not arrived within 8 s"), outcomes[0].out);
}

void DistributedTest::whoDoesSomethingElseIsNamedByAll_data()
{
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<QByteArray>("others");
    const QByteArray sum = "an allreduce sum of 4 floats";
    QTest::newRow("4 and 5") << QByteArray("an allreduce sum of 5 floats") << sum;
    QTest::newRow("4 and 8") << QByteArray("an allreduce sum of 8 floats") << sum;
    QTest::newRow("none") << QByteArray("an allreduce sum of 0 floats") << sum;
    QTest::newRow("large") << QByteArray("an allreduce sum of 1000000 doubles")
                           << QByteArray("an allreduce sum of 999999 doubles");
    QTest::newRow("type") << QByteArray("an allreduce sum of 4 int32") << sum;
    QTest::newRow("operation") << QByteArray("an allreduce max of 4 floats") << sum;
    QTest::newRow("barrier") << QByteArray("a barrier") << sum;
    QTest::newRow("broadcast") << QByteArray("a broadcast of 4 floats from rank 0") << sum;
    QTest::newRow("root") << QByteArray("a broadcast of 4 floats from rank 1")
                          << QByteArray("a broadcast of 4 floats from rank 0");
    QTest::newRow("async") << QByteArray("an allreduce sum of 3 floats") << sum;
    QTest::newRow("object") << QByteArray("an allgather")
                            << QByteArray("a broadcast of an object from rank 0");
}

void DistributedTest::whoDoesSomethingElseIsNamedByAll()
{
    QFETCH(QByteArray, other);
    QFETCH(QByteArray, others);
    Ranks ranks(4);
    ranks.startAll(buildPath("tests/collectiverank"),
                   {u"mismatch"_s, QString::fromLatin1(QTest::currentDataTag())});
    for (const Outcome &outcome : ranks.outcomes()) {
        QVERIFY2(outcome.code == 4, outcome.out + outcome.err);
        QCOMPARE(outcome.out, "the ranks do not call the same operation: rank 1 calls " + other +
                                  "; ranks 0,2-3 call " + others + '\n');
    }
}

void DistributedTest::whoDoesNotComeIsNamed()
{
    Ranks ranks(3);
    ranks.startAll(buildPath("tests/collectiverank"), {u"absent"_s});
    QTRY_VERIFY_WITH_TIMEOUT(ranks[1].canReadLine(), programLimitMs);
    for (const int other : {0, 2}) {
        const Outcome outcome = outcomeOf(ranks[other]);
        QCOMPARE(outcome.code, 4);
        QCOMPARE(outcome.out,
                 QByteArray("an allreduce sum of 4 floats failed: rank 1 has not joined it within 2 s\n"));
    }
    ranks[1].closeWriteChannel();
    QCOMPARE(outcomeOf(ranks[1]).code, 4);
}

void DistributedTest::slurmTellsRankAndSize()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    const TestHome home;
    SlurmCluster cluster(home.path("slurm"));
    QVERIFY(cluster.start());
    // The cluster's nodes are this machine under names that only Slurm knows.
    qputenv("MASTER_ADDR", "127.0.0.1");
    QProcess process;
    process.start(u"srun"_s, {u"--quiet"_s, u"--nodes=2"_s, u"--ntasks-per-node=2"_s,
                              buildPath("tests/collectiverank"), u"slurm"_s});
    const Outcome outcome = outcomeOf(process);
    qunsetenv("MASTER_ADDR");
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    for (int rank = 0; rank < 4; ++rank)
        QVERIFY2(outcome.out.contains("rank " + QByteArray::number(rank) + " of 4: 6\n"), outcome.out);
}

} // namespace tst_distributed

RANKDECK_TEST(tst_distributed, DistributedTest)
#include "tst_distributed.moc"
