#include "collective/group/processgroup.h"
#include "collective/ranks.h"
#include "support/slurmcluster.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>

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
    void differentSizesEndWithASentence();
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
    ranks.startAll(QStringLiteral(RANK_PROGRAM), {QStringLiteral("everything")});
    for (const Outcome &outcome : ranks.outcomes()) {
        QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
        QCOMPARE(outcome.out, QByteArray("well\n"));
    }
}

void DistributedTest::whoThrowsIsNamedAndFinalized()
{
    Ranks ranks(3);
    ranks.startAll(QStringLiteral(RANK_PROGRAM), {QStringLiteral("throwing")});
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
    ranks.startAll(QStringLiteral(RANK_PROGRAM), {QStringLiteral("endless")});
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
        ranks.start(rank, QStringLiteral(RANK_PROGRAM), {QStringLiteral("late")});
    for (const Outcome &outcome : ranks.outcomes()) {
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.out.contains("ranks 1-2 have not arrived within 8 s"), outcome.out);
    }
}

void DistributedTest::withoutRankZeroItsStoreIsNamed()
{
    Ranks ranks(2);
    ranks.start(1, QStringLiteral(RANK_PROGRAM), {QStringLiteral("late")});
    const auto outcomes = ranks.outcomes();
    QCOMPARE(outcomes[0].code, 4);
    QVERIFY2(outcomes[0].out.startsWith("rank 0, which keeps the store at 127.0.0.1:"), outcomes[0].out);
    QVERIFY2(outcomes[0].out.contains("has not arrived within 8 s"), outcomes[0].out);
}

void DistributedTest::differentSizesEndWithASentence()
{
    Ranks ranks(2);
    ranks.startAll(QStringLiteral(RANK_PROGRAM), {QStringLiteral("mismatch")});
    QByteArray said;
    int aborted = 0;
    for (const Outcome &outcome : ranks.outcomes()) {
        QVERIFY2(outcome.code != 0, outcome.out);
        aborted += outcome.code == 128 + SIGABRT;
        said += outcome.err;
    }
    QVERIFY2(aborted >= 1, said);
    QVERIFY2(
        said.contains("the ranks do not agree on the size of a collective operation's data; here it was an "
                      "allreduce of "),
        said);
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
    process.start(QStringLiteral("srun"), {QStringLiteral("--quiet"), QStringLiteral("--nodes=2"),
                                           QStringLiteral("--ntasks-per-node=2"),
                                           QStringLiteral(RANK_PROGRAM), QStringLiteral("slurm")});
    const Outcome outcome = outcomeOf(process);
    qunsetenv("MASTER_ADDR");
    QVERIFY2(outcome.code == 0, outcome.out + outcome.err);
    for (int rank = 0; rank < 4; ++rank)
        QVERIFY2(outcome.out.contains("rank " + QByteArray::number(rank) + " of 4: 6\n"), outcome.out);
}

} // namespace tst_distributed

RANKDECK_TEST(tst_distributed, DistributedTest)
#include "tst_distributed.moc"
