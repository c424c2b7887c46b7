#include "base/fields.h"
#include "device/dcmi/dcmilibrary.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QTest>

namespace tst_dcmi
{

using namespace rankdeck;

/// With a library that stands in for the driver's: dcmi_standin.cpp.
class DcmiTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { qunsetenv("DCMI_STANDIN"); }
    void everyFunctionIsRead();
    void whatACardDoesNotGiveIsAbsent();
    void a950IsAskedByItsOwnFunctions();
    void aReturnCodeIsExplained();
    void aLibraryWithoutChipsSaysSo();
    void whatIsNoLibraryIsSaid();
    void aReadingSurvivesJson();
};

namespace
{

const QString library = buildPath("tests/libdcmi_standin.so");

} // namespace

void DcmiTest::everyFunctionIsRead()
{
    const auto reading = readDcmi(library);
    QVERIFY2(reading, qPrintable(reading ? QString() : reading.error().sentence()));
    QCOMPARE(reading->source, DeviceSource::Kind::Dcmi);
    QCOMPARE(reading->driverVersion, u"25.5.1"_s);
    QCOMPARE(reading->samples.size(), 4);
    DeviceSample expected;
    expected.ids = {LogicalDeviceId(2),      PhysicalDeviceId(10), CardId(5), ChipId(0), {},
                    BusId{u"0000:C2:00.0"_s}};
    expected.name = u"910B3"_s;
    expected.aiCores = 20;
    expected.health = DeviceHealth::Ok;
    expected.healthWord = u"OK"_s;
    expected.rates = {50, 12, 14, 3, 4, 13, 1, {}, 5, 6, 10, {}, {}};
    expected.hbm = {3000, 65536};
    expected.ddr = {2567, 15567};
    expected.hugepages = {6, 10};
    expected.temperatureC = 36;
    expected.hbmTemperatureC = 41;
    expected.hbmClockMhz = 1600;
    expected.powerW = 99.4;
    expected.clockMhz = 1800;
    expected.ratedClockMhz = 1800;
    expected.bitErrors = {0, 1, 5, 1};
    expected.errorCodes = QList<quint32>();
    expected.processes = QList<DeviceProcess>{{4711, {}, 100, {}}};
    QCOMPARE(reading->samples[2], expected);
    const DeviceSample &second = reading->samples[3];
    QCOMPARE(second.health, DeviceHealth::Alarm);
    QCOMPARE(second.errorCodes, QList<quint32>{0x80E18005});
    QVERIFY(second.isThrottled());
    QVERIFY(!second.powerW);
}

void DcmiTest::whatACardDoesNotGiveIsAbsent()
{
    const auto full = readDcmi(library);
    QVERIFY(full);
    // The first card has no DDR, for which DCMI says 0.
    QCOMPARE(full->samples[0].ddr, Amount());
    QVERIFY(!full->samples[0].rates.ddr && !full->samples[0].rates.ddrBandwidth);
    QCOMPARE(full->samples[0].hugepages, Amount());
    QVERIFY(!full->samples[0].bitErrors.ddrDouble && full->samples[0].bitErrors.hbmDouble);

    qputenv("DCMI_STANDIN", "bare");
    const auto bare = readDcmi(library);
    QVERIFY(bare);
    QCOMPARE(bare->samples.size(), 4);
    DeviceSample sample = bare->samples[0];
    QCOMPARE(sample.name.size(), 32); // As much as there is room for.
    QCOMPARE(sample.health, DeviceHealth::Unknown);
    QVERIFY(sample.processes && sample.processes->size() == 1);
    sample.name.clear();
    sample.healthWord.clear();
    sample.health.reset();
    sample.processes.reset();
    sample.aiCores.reset();
    QVERIFY(!hasReadings(sample));
}

void DcmiTest::a950IsAskedByItsOwnFunctions()
{
    qputenv("DCMI_STANDIN", "950");
    const auto reading = readDcmi(library);
    QVERIFY(reading);
    QCOMPARE(reading->samples.size(), 1);
    const DeviceSample &sample = reading->samples[0];
    QCOMPARE(sample.ids,
             (DeviceIds{LogicalDeviceId(0), PhysicalDeviceId(3), CardId(0), ChipId(0), SlotId(1), {}}));
    QCOMPARE(sample.hbm, (Amount{4439, 131072}));
    QCOMPARE(sample.powerW, 204.4);
    QCOMPARE(sample.rates.npu, 17);
    QVERIFY(!sample.rates.aiCore);
    QCOMPARE(sample.health, DeviceHealth::Warning);
    QVERIFY(!sample.processes && !sample.errorCodes && !sample.temperatureC);
}

void DcmiTest::aReturnCodeIsExplained()
{
    qputenv("DCMI_STANDIN", "-8020");
    const auto reading = readDcmi(library);
    QVERIFY(!reading);
    QVERIFY2(reading.error().what.contains(u"-8020"_s), qPrintable(reading.error().sentence()));
    QCOMPARE(reading.error().where, library);
    QVERIFY(!reading.error().mend.isEmpty());
}

void DcmiTest::aLibraryWithoutChipsSaysSo()
{
    qputenv("DCMI_STANDIN", "empty");
    const auto reading = readDcmi(library);
    QVERIFY(!reading);
    QVERIFY2(reading.error().what.contains(u"no NPU"_s), qPrintable(reading.error().sentence()));
}

void DcmiTest::whatIsNoLibraryIsSaid()
{
    const auto missing = readDcmi(u"/nowhere/libdcmi.so"_s);
    QVERIFY(!missing);
    QVERIFY2(missing.error().what.contains(u"/nowhere/libdcmi.so"_s), qPrintable(missing.error().sentence()));
    const auto other = readDcmi(u"libc.so.6"_s);
    QVERIFY(!other);
    QVERIFY2(other.error().what.contains(u"dcmi_init"_s), qPrintable(other.error().sentence()));
}

void DcmiTest::aReadingSurvivesJson()
{
    const auto reading = readDcmi(library);
    QVERIFY(reading);
    auto again = readingFromJson(jsonTextOf(*reading));
    QVERIFY(again);
    again->time = reading->time; // To the millisecond.
    QCOMPARE(*again, *reading);
    const Error error{u"a"_s, u"b"_s, u"c"_s};
    QCOMPARE(readingFromJson(keyedLine("error", error)).error(), error);
    for (const char *text : {"", "{}", "[]", "{\"devices\": 3}", "nonsense"})
        QVERIFY2(!readingFromJson(text), text);
}

} // namespace tst_dcmi

RANKDECK_TEST(tst_dcmi, DcmiTest)
#include "tst_dcmi.moc"
