#include "collective/group/distributed.h"
#include "support/testmain.h"

#include <QTest>

#include <array>

namespace tst_processgroup
{

using namespace rankdeck;

/// Without peers: the fake link.
class ProcessGroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aProcessAloneIsRankZeroOfOne_data();
    void aProcessAloneIsRankZeroOfOne();
    void itsAllreduceLeavesTheDataAsItIs();
    void itsBroadcastIsAnError();
    void itsAllgatherHasItsOwnBytes();
    void anUnknownMethodIsNamed();
    void theMeanOfIntegersIsAnError();
    void groupsAreOfEqualSize();
    void nothingWorksWithoutInit();
    void aModeEndsAlsoWhenItsFunctionThrows();
    void withoutGlooThatIsSaid();

private:
    template <typename Function>
    static QString errorOf(Function function)
    {
        try {
            function();
        } catch (const DistError &error) {
            return error.sentence();
        }
        return {};
    }
};

void ProcessGroupTest::init()
{
    for (const char *name :
         {"RANK", "WORLD_SIZE", "RANK_ID", "RANK_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"})
        qunsetenv(name);
}

void ProcessGroupTest::aProcessAloneIsRankZeroOfOne_data()
{
    QTest::addColumn<bool>("hasVariables");
    QTest::newRow("no launcher") << false;
    QTest::newRow("one rank") << true;
}

void ProcessGroupTest::aProcessAloneIsRankZeroOfOne()
{
    QFETCH(bool, hasVariables);
    if (hasVariables) {
        qputenv("RANK", "0");
        qputenv("WORLD_SIZE", "1");
    }
    const DistContext context(DistMethod::SingleNode, 3);
    QCOMPARE(getRank(), 0);
    // The fall-back has no ranks; a launch of one rank has one.
    QCOMPARE(getWorldSize(), hasVariables ? 1 : 0);
    QCOMPARE(getWorldSize(1), 1);
    QCOMPARE(distDevice(), 3);
    synchronize();
}

void ProcessGroupTest::itsAllreduceLeavesTheDataAsItIs()
{
    const DistContext context;
    std::array data{1.5, 2.5};
    for (const DistOp op : {DistOp::Sum, DistOp::Max}) {
        allreduce(std::span<double>(data), op);
        QCOMPARE(data[1], 2.5);
    }
    allreduceSum(std::span<double>(data));
    allreduceAsync(std::span<double>(data)).wait();
    QCOMPARE(data[0], 1.5);
}

void ProcessGroupTest::itsBroadcastIsAnError()
{
    const DistContext context;
    std::array<float, 1> data{1};
    QCOMPARE(errorOf([&] { broadcast(std::span<float>(data), 0); }),
             u"a broadcast needs other processes, but this one is alone"_s);
    QCOMPARE(errorOf([&] { broadcastObject("object", 0); }),
             u"a broadcast needs other processes, but this one is alone"_s);
}

void ProcessGroupTest::itsAllgatherHasItsOwnBytes()
{
    const DistContext context;
    QCOMPARE(allgather("mine"), QList<QByteArray>{"mine"});
}

void ProcessGroupTest::anUnknownMethodIsNamed()
{
    QCOMPARE(distMethod(u"slurm"_s), DistMethod::Slurm);
    QCOMPARE(distMethod(u"single_node"_s), DistMethod::SingleNode);
    QCOMPARE(errorOf([] { distMethod(u"mpi"_s); }),
             u"distInit() has no method \"mpi\"; its methods are \"slurm\" and \"single_node\""_s);
    QVERIFY(errorOf([] { distInit(static_cast<DistMethod>(7)); }).contains("no method \"7\""_L1));
    QCOMPARE(errorOf([] { distWorld(); }), u"distInit() has not been called"_s);
}

void ProcessGroupTest::theMeanOfIntegersIsAnError()
{
    const DistContext context;
    std::array<std::int32_t, 1> data{1};
    QVERIFY(errorOf([&] { allreduce(std::span<std::int32_t>(data)); }).contains("allreduceSum()"_L1));
    QVERIFY(
        errorOf([&] { allreduceAsync(std::span<std::int32_t>(data)).wait(); }).contains("allreduceSum()"_L1));
    QCOMPARE(errorOf([&] { allreduce(std::span<std::int32_t>(data), DistOp::Max); }), QString());
}

void ProcessGroupTest::groupsAreOfEqualSize()
{
    const DistContext context;
    const QString uneven = u"array split does not result in an equal division"_s;
    QCOMPARE(simpleGroupSplit(8, 3, 2)->size(), 1);
    QCOMPARE(simpleGroupSplit(getWorldSize(), getRank(), 2)->size(), 1);
    QCOMPARE(errorOf([] { simpleGroupSplit(8, 3, 3); }), uneven);
    QCOMPARE(errorOf([] { simpleGroupSplit(8, 3, 0); }), uneven);
    QCOMPARE(getGroup()->size(), 1);
    QCOMPARE(getGroup(1)->size(), 1);
    QCOMPARE(errorOf([] { getGroup(2); }), u"1 ranks cannot be divided into groups of 2"_s);
    QVERIFY(errorOf([] { distWorld()->subgroup({1}); }).contains("rank 0 is not in group 1"_L1));
    QVERIFY(errorOf([] { distWorld()->subgroup({0, 1}); }).contains("not among 0"_L1));
}

void ProcessGroupTest::nothingWorksWithoutInit()
{
    std::array<float, 1> data{1};
    QCOMPARE(errorOf([&] { allreduce(std::span<float>(data)); }), u"distInit() has not been called"_s);
    QCOMPARE(getRank(), 0);
    QCOMPARE(getWorldSize(), 0);
    QCOMPARE(getWorldSize(1), 1);
    distFinalize();
    qputenv("RANK", "1");
    QVERIFY(errorOf([] { distInit(); }).contains("WORLD_SIZE: is not set"_L1));
    qunsetenv("RANK");
    distInit();
    QVERIFY(errorOf([] { distInit(); }).contains("was called before"_L1));
    distFinalize();
}

void ProcessGroupTest::aModeEndsAlsoWhenItsFunctionThrows()
{
    int calls = 0;
    auto function = distMode([&](int value) {
        ++calls;
        distWorld();
        if (value == 0)
            throw std::out_of_range("zero");
        return value + 1;
    });
    QVERIFY_EXCEPTION_THROWN(function(0), std::out_of_range);
    QVERIFY(!errorOf([] { distWorld(); }).isEmpty());
    QCOMPARE(function(1), 2);
    QVERIFY(!errorOf([] { distWorld(); }).isEmpty());
    QCOMPARE(calls, 2);
}

void ProcessGroupTest::withoutGlooThatIsSaid()
{
    if (hasGloo())
        QSKIP("built with Gloo");
    qputenv("RANK", "1");
    qputenv("WORLD_SIZE", "2");
    const DistContext context;
    QCOMPARE(getRank(), 0);
    QCOMPARE(getWorldSize(), 0);
    QCOMPARE(getWorldSize(1), 1);
}

} // namespace tst_processgroup

RANKDECK_TEST(tst_processgroup, ProcessGroupTest)
#include "tst_processgroup.moc"
