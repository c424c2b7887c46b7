#include "run/samples/samplefilter.h"
#include "support/madesamples.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_samplefilter
{

using namespace rankdeck;

namespace
{

/// Rank 3: an NPU that is at work, and its processes.
RankLook busyRank()
{
    RankLook look;
    look.place = 3;
    look.rank = 3;
    look.text = u"rank 3 device 3 192.168.103.101 10.0.0.1 running 第3步 loss=2.1 Temp ok"_s;
    look.states = {u"running"_s, u"stalled"_s};
    look.severity = 4;
    DeviceSample device = madeDevice(3);
    device.rates.aiCore = 87;
    device.hbm = {60'006, 65'536};
    device.temperatureC = 63;
    device.powerW = 312.4;
    device.clockMhz = 1500;
    device.ratedClockMhz = 1800;
    device.health = DeviceHealth::Warning;
    look.sample.device = device;
    look.sample.foreign = {madeStranger(), madeStranger(4712)};
    look.sample.load = TreeLoad{9, 12LL * 1024 * 1024 * 1024, 812.4, 3.1 * 1024 * 1024, 0.2 * 1024 * 1024};
    return look;
}

/// A rank of which nothing is sampled.
RankLook bareRank()
{
    RankLook look;
    look.place = 4;
    look.rank = 4;
    look.text = u"rank 4 waiting"_s;
    look.states = {u"waiting"_s};
    return look;
}

} // namespace

/// Which ranks of a grid are wanted, and in which order.
class TestSampleFilter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void termsHoldOrNot_data();
    void termsHoldOrNot();
    void ofWhatIsNotKnownNoComparisonHolds();
    void othersThatCannotBeToldAreNotNone();
    void anEmptyFilterWantsAll();
    void aTermThatMeansNothingIsExplained_data();
    void aTermThatMeansNothingIsExplained();
    void ranksAreSortedByEveryValue_data();
    void ranksAreSortedByEveryValue();
    void whatIsAbsentComesLastBothWays();
    void equalRanksKeepTheirOrder();
};

void TestSampleFilter::termsHoldOrNot_data()
{
    QTest::addColumn<bool>("isWanted");
    const auto row = [](const char *text, bool isWanted) {
        QTest::newRow(text) << isWanted;
    };
    row("ai<10", false);
    row("ai>=87%", true);
    row("AI>87", false);
    row("hbm>90%", true);
    row("hbm>95%", false);
    row("hbm>50GB", true);
    row("hbm>=59gb", false);
    row("hbm<60007MB", true);
    row("temp>=63", true);
    row("temp=63C", true);
    row("temp!=63°C", false);
    row("power>300", true);
    row("power=312W", true);
    row("clock<1.6GHz", true);
    row("clock==1500", true);
    row("health!=ok", true);
    row("health=Warning", true);
    row("health>=alarm", false);
    row("foreign", true);
    row("foreign>2", false);
    row("throttled", true);
    row("alarm", true);
    row("cpu>800", true);
    row("mem>10GB", true);
    row("mem>12000MB", true);
    row("mem>1TB", false);
    row("mem=12GB", true);
    row("hbm!=59GB", false); // 58.6.
    row("read>3MB", true);
    row("read>3.2MB/s", false);
    row("written<1MB/s", true);
    row("rank<4", true);
    row("rank!=3", false);
    row("state=stalled", true);
    row("state=failed", false);
    row("state!=Failed", true);
    row("RANK 103", true);
    row("rank 104", false);
    row("第3步", true);
    row("\"loss=2.1\"", true);
    row("\"loss=2.1", true); // The user is not done.
    row("\"3 device\"", true);
    row("\"device 4\"", false);
    row("running ai>80 hbm>90%", true);
    row("running ai>80 hbm>99%", false);
    row("  running\t", true);
}

void TestSampleFilter::termsHoldOrNot()
{
    QFETCH(bool, isWanted);
    const auto filter = SampleFilter::from(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY2(filter, qPrintable(filter ? QString() : filter.error().sentence()));
    QVERIFY(!filter->isEmpty());
    QCOMPARE(filter->wants(busyRank()), isWanted);
}

void TestSampleFilter::ofWhatIsNotKnownNoComparisonHolds()
{
    for (const char *text : {"ai<10", "ai>=0", "ai!=5", "hbm<1%", "hbm<1GB", "temp<90", "power<90",
                             "clock<9GHz", "health!=ok", "health=ok", "foreign<1", "foreign", "throttled",
                             "alarm", "cpu<1", "mem<1GB", "read<1MB", "written<1MB"}) {
        const auto filter = SampleFilter::from(QString::fromUtf8(text));
        QVERIFY2(filter && !filter->wants(bareRank()), text);
    }
}

void TestSampleFilter::othersThatCannotBeToldAreNotNone()
{
    RankLook look = busyRank();
    look.sample.foreign.clear();
    look.sample.device->processes = QList<DeviceProcess>{{4711, {}, 1024, {}}};
    const SampleFilter none = *SampleFilter::from(u"foreign<1"_s);
    QVERIFY(!none.wants(look));
    QVERIFY(!numberOf(RankValue::Foreign, look));
    look.sample.users = {DeviceUser{look.sample.device->processes->first(), 4711, 103, {}}};
    QVERIFY(none.wants(look));
    look.sample.users.clear();
    look.sample.device->processes->clear();
    QVERIFY(none.wants(look));
}

void TestSampleFilter::anEmptyFilterWantsAll()
{
    QVERIFY(SampleFilter().wants(bareRank()));
    for (const char *text : {"", "  ", "\"\"", "\""}) {
        const auto filter = SampleFilter::from(QString::fromLatin1(text));
        QVERIFY(filter && filter->isEmpty() && filter->wants(bareRank()));
    }
}

void TestSampleFilter::aTermThatMeansNothingIsExplained_data()
{
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *text, const char *sentence) {
        QTest::newRow(text) << QString::fromUtf8(sentence);
    };
    row("hbm>90", "hbm>90: Missing unit. Give %, GB or MB.");
    row("mem>10", "mem>10: Missing unit. Give GB or MB.");
    row("running ai<much", "ai<much: \"much\" is not a number. Write e.g. 12 or 1.5.");
    row("ai<", "ai<: \"\" is not a number. Write e.g. 12 or 1.5.");
    row("temp>80F", "temp>80F: \"F\" is not a unit of temp. Give °C.");
    row("foreign>2W", "foreign>2W: foreign is a number without a unit. Remove \"W\".");
    row("health=fine",
        "health=fine: \"fine\" is not a health value. Give ok, warning, alarm, critical or unknown.");
    row("state<failed", "state<failed: States cannot be compared. Write state=failed or state!=running.");
    row("rank=x", "rank=x: \"x\" is not a rank. Write e.g. rank<8.");
    row("loss=2.1", "loss=2.1: Unknown value \"loss\". Use ai, hbm, temp, power, clock, health, foreign, "
                    "cpu, mem, read, written, rank or state. Quote text to search for it literally.");
}

void TestSampleFilter::aTermThatMeansNothingIsExplained()
{
    const auto filter = SampleFilter::from(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(!filter);
    QTEST(filter.error().sentence(), "sentence");
}

void TestSampleFilter::ranksAreSortedByEveryValue_data()
{
    QTest::addColumn<int>("value");
    QTest::newRow("rank") << int(RankValue::Place);
    QTest::newRow("state") << int(RankValue::State);
    QTest::newRow("AI core") << int(RankValue::AiCore);
    QTest::newRow("HBM") << int(RankValue::Hbm);
    QTest::newRow("temperature") << int(RankValue::Temperature);
    QTest::newRow("power") << int(RankValue::Power);
    QTest::newRow("health") << int(RankValue::Health);
    QTest::newRow("clock") << int(RankValue::Clock);
    QTest::newRow("foreign") << int(RankValue::Foreign);
    QTest::newRow("CPU") << int(RankValue::Cpu);
    QTest::newRow("memory") << int(RankValue::Memory);
    QTest::newRow("read") << int(RankValue::Read);
    QTest::newRow("written") << int(RankValue::Written);
}

void TestSampleFilter::ranksAreSortedByEveryValue()
{
    QFETCH(int, value);
    RankLook more = busyRank();
    more.place = 9;
    more.severity = 5;
    more.sample.device->rates.aiCore = 88;
    more.sample.device->hbm.used = 65'000;
    more.sample.device->temperatureC = 64;
    more.sample.device->powerW = 313;
    more.sample.device->health = DeviceHealth::Critical;
    more.sample.device->clockMhz = 1600;
    more.sample.foreign << madeStranger(4713);
    more.sample.load = TreeLoad{9, 13LL * 1024 * 1024 * 1024, 813, 4.0 * 1024 * 1024, 2.0 * 1024 * 1024};
    const QList<RankLook> looks{more, busyRank()};
    QCOMPARE(inOrder(looks, {RankValue(value), false}), (QList<int>{1, 0}));
    QCOMPARE(inOrder(looks, {RankValue(value), true}), (QList<int>{0, 1}));
}

void TestSampleFilter::whatIsAbsentComesLastBothWays()
{
    RankLook idle = busyRank();
    idle.sample.device->rates.aiCore = 0;
    const QList<RankLook> looks{bareRank(), busyRank(), bareRank(), idle};
    QCOMPARE(inOrder(looks, {RankValue::AiCore, false}), (QList<int>{3, 1, 0, 2}));
    QCOMPARE(inOrder(looks, {RankValue::AiCore, true}), (QList<int>{1, 3, 0, 2}));
}

void TestSampleFilter::equalRanksKeepTheirOrder()
{
    const QList<RankLook> looks(4, busyRank());
    QCOMPARE(inOrder(looks, {RankValue::Power, true}), (QList<int>{0, 1, 2, 3}));
    QCOMPARE(inOrder(looks, {RankValue::Power, false}), (QList<int>{0, 1, 2, 3}));
}

} // namespace tst_samplefilter

RANKDECK_TEST(tst_samplefilter, TestSampleFilter)
#include "tst_samplefilter.moc"
