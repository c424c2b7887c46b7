#include "base/times.h"
#include "run/record/runrequests.h"
#include "run/samples/nodesample.h"
#include "support/testmain.h"

#include <QTest>

#include <limits>

namespace tst_nodesample
{

using namespace rankdeck;

namespace
{

DeviceSample chip(int number)
{
    DeviceSample sample;
    sample.ids.logical = LogicalDeviceId(number);
    sample.ids.card = CardId(number + 4);
    sample.name = u"910B3"_s;
    sample.healthWord = u"OK"_s;
    sample.health = DeviceHealth::Ok;
    sample.rates.aiCore = 98;
    sample.hbm = {59189, 65536};
    sample.powerW = 99.4;
    sample.processes = {{4711, u"python"_s, 300, 12}};
    return sample;
}

NodeSample wholeSample()
{
    NodeSample sample;
    sample.node = u"node-2"_s;
    sample.time = utcTime(1'700'000'000'123);
    sample.devices = DeviceReading{
        DeviceSource::Kind::NpuSmi, sample.time.addMSecs(-900), u"25.5.1"_s, {chip(0), chip(1)}};
    DeviceUser ours{sample.devices->samples[0].processes->first(), 815, 3, u"me"_s};
    DeviceUser foreign{sample.devices->samples[1].processes->first(), 0, -1, {}};
    sample.users = {{ours}, {foreign}};
    sample.chips = {{3, 0}, {4, 1}};
    sample.problem = Error{u"npu-smi hangs"_s, u"/bin/npu-smi"_s, u"Mend."_s};
    sample.loads.insert(3, TreeLoad{65, 1LL << 40, 6400.5, 1e9, 0.0});
    sample.loads.insert(4, TreeLoad{1, 4096, {}, {}, {}});
    sample.collectives.insert(3, {u"all_reduce"_s, u"tp"_s, 730, true});
    return sample;
}

void compare(const NodeSample &is, const NodeSample &should)
{
    QCOMPARE(is.node, should.node);
    QCOMPARE(is.time, should.time);
    QCOMPARE(is.devices, should.devices);
    QCOMPARE(is.users, should.users);
    QCOMPARE(is.chips, should.chips);
    QCOMPARE(is.problem, should.problem);
    QCOMPARE(is.collectives, should.collectives);
    QCOMPARE(is.loads.keys(), should.loads.keys());
    for (const int process : should.loads.keys()) {
        const TreeLoad &one = is.loads[process];
        const TreeLoad &other = should.loads[process];
        QCOMPARE(one.processes, other.processes);
        QCOMPARE(one.residentBytes, other.residentBytes);
        QCOMPARE(one.cpuPercent, other.cpuPercent);
        QCOMPARE(one.readBytesPerSecond, other.readBytesPerSecond);
        QCOMPARE(one.writtenBytesPerSecond, other.writtenBytesPerSecond);
    }
}

} // namespace

class NodeSampleTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSampleIsOneLineAndBack();
    void oneWithoutNpusTooIs();
    void whatIsNoSampleIsNone_data();
    void whatIsNoSampleIsNone();
    void indicesThatLeadNowhereAreAbsent();
    void amountsThatNothingCanHaveAreAbsent();
    void aNodeWithManyProcessesFitsIntoALine();
    void aWishIsOneLineAndBack();
};

void NodeSampleTest::aSampleIsOneLineAndBack()
{
    const NodeSample sample = wholeSample();
    const QByteArray line = sample.toLine();
    QVERIFY(!line.contains('\n'));
    const auto back = NodeSample::fromLine(line);
    QVERIFY(back);
    compare(*back, sample);
}

void NodeSampleTest::oneWithoutNpusTooIs()
{
    NodeSample sample = wholeSample();
    sample.devices.reset();
    sample.users.clear();
    sample.chips.clear();
    sample.problem.reset();
    const auto back = NodeSample::fromLine(sample.toLine());
    QVERIFY(back);
    compare(*back, sample);
}

void NodeSampleTest::whatIsNoSampleIsNone_data()
{
    QTest::addColumn<QByteArray>("line");
    const QByteArray line = wholeSample().toLine();
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("news") << QByteArray("news");
    QTest::newRow("an event") << QByteArray(R"({"event":"note","node_sample":{}})");
    QTest::newRow("torn") << line.left(line.size() / 2);
    QTest::newRow("a number") << QByteArray(R"({"node_sample":7})");
    QTest::newRow("without a time") << QByteArray(R"({"node_sample":{"loads":[],"node":"n"}})");
    QTest::newRow("time is text") << QByteArray(R"({"node_sample":{"loads":[],"node":"n","time":"x"}})");
    QTest::newRow("loads of a kind") << QByteArray(R"({"node_sample":{"loads":[7],"node":"n","time":1}})");
    QTest::newRow("a short load") << QByteArray(R"({"node_sample":{"loads":[[1,2]],"node":"n","time":1}})");
    QTest::newRow("a chip of a kind") << QByteArray(
        R"({"node_sample":{"chips":[7],"devices":{"devices":[]},"loads":[],"node":"n","time":1}})");
    QTest::newRow("a problem of a kind")
        << QByteArray(R"({"node_sample":{"loads":[],"node":"n","problem":[],"time":1}})");
    QTest::newRow("nested") << QByteArray(R"({"node_sample":)") + QByteArray(100000, '[');
    QTest::newRow("too long") << line.left(line.size() - 1) + QByteArray(NodeSample::longestLine, ' ') + '}';
}

void NodeSampleTest::whatIsNoSampleIsNone()
{
    QFETCH(const QByteArray, line);
    QVERIFY(!NodeSample::fromLine(line));
}

void NodeSampleTest::indicesThatLeadNowhereAreAbsent()
{
    const auto sample = NodeSample::fromLine(
        R"({"node_sample":{"node":"n","time":1,"devices":{"devices":[{"logical_id":0},7]},)"
        R"("users":[[{"pid":1}],[]],"chips":[[0,0],[1,1],[-1,0],[2,-1],[99999999999,0],["a",0]],)"
        R"("loads":[[-1,1,1,1,1,1],[99999999999,1,1,1,1,1],[1.5,1,1,1,1,1]]}})");
    QVERIFY(sample);
    QCOMPARE(sample->devices->samples.size(), 1);
    // They are parallel, or worth nothing.
    QVERIFY(sample->users.isEmpty());
    QCOMPARE(sample->chips, (QMap<int, int>{{0, 0}}));
    QVERIFY(sample->loads.isEmpty());
}

void NodeSampleTest::amountsThatNothingCanHaveAreAbsent()
{
    const auto sample =
        NodeSample::fromLine(R"({"node_sample":{"node":"n","time":1,"loads":[[0,-5,-7,-1.5,null,"x"]]}})");
    QVERIFY(sample);
    QCOMPARE(sample->loads.keys(), QList<int>{0});
    QCOMPARE(sample->loads[0].processes, 0);
    QCOMPARE(sample->loads[0].residentBytes, 0);
    QVERIFY(!sample->loads[0].cpuPercent);
    QVERIFY(!sample->loads[0].readBytesPerSecond);
    QVERIFY(!sample->loads[0].writtenBytesPerSecond);
    QVERIFY(sample->devices == std::nullopt);
}

void NodeSampleTest::aNodeWithManyProcessesFitsIntoALine()
{
    NodeSample sample = wholeSample();
    for (int number = 2; number < 64; ++number)
        sample.devices->samples << chip(number);
    for (int process = 0; process < 1024; ++process)
        sample.loads.insert(process, TreeLoad{1000, 1LL << 50, 12345.678901234567, 1.2345678901e12, 1e9 / 3});
    const QByteArray line = sample.toLine();
    QVERIFY2(line.size() < NodeSample::longestLine / 4, qPrintable(QString::number(line.size())));
    QVERIFY(NodeSample::fromLine(line));
}

void NodeSampleTest::aWishIsOneLineAndBack()
{
    for (const SampleWish &wish :
         {SampleWish{}, SampleWish{true, -1}, SampleWish{true, 0}, SampleWish{true, 1023}})
        QCOMPARE(clientMessageFrom(toLine(wish)), std::optional(ClientMessage(wish)));
    for (const char *line : {"", "sample all", R"({"do": "sample"})", R"({"do": "sample", "wanted": "all"})",
                             R"({"do": "sample", "wanted": true, "process": -2})"})
        QVERIFY2(!clientMessageFrom(line), line);
}

} // namespace tst_nodesample

RANKDECK_TEST(tst_nodesample, NodeSampleTest)
#include "tst_nodesample.moc"
