#include "base/fields.h"
#include "base/json.h"
#include "device/npusmi/npusmireport.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_npusmireport
{

using namespace rankdeck;

namespace
{

nlohmann::json cardJson(const NpuCard &card)
{
    nlohmann::json json{{"card", card.card.value}};
    if (!card.productName.isEmpty())
        json["product"] = card.productName;
    if (!card.serialNumber.isEmpty())
        json["serial"] = card.serialNumber;
    if (card.chipCount)
        json["chips"] = *card.chipCount;
    if (card.bus)
        json["bus"] = card.bus->text;
    if (card.boardTemperatureC)
        json["board_temperature_c"] = *card.boardTemperatureC;
    return json;
}

/// A report as the files of expected values have it.
nlohmann::json reportJson(const NpuSmiReport &report)
{
    nlohmann::json json{{"devices", nlohmann::json::array()},
                        {"cards", nlohmann::json::array()},
                        {"map", nlohmann::json::array()}};
    if (!report.toolVersion.isEmpty())
        json["tool_version"] = report.toolVersion;
    if (!report.driverVersion.isEmpty())
        json["driver_version"] = report.driverVersion;
    if (report.failure)
        json["failure"] = {{"line", report.failure->line}};
    if (report.failure && report.failure->code)
        json["failure"]["code"] = *report.failure->code;
    for (const DeviceSample &sample : report.samples)
        json["devices"].push_back(toJson(sample));
    for (const NpuCard &card : report.cards)
        json["cards"].push_back(cardJson(card));
    for (const DeviceIds &ids : report.map.chips())
        json["map"].push_back(toJson(ids));
    return json;
}

DeviceSample onlySample(const QByteArray &text)
{
    const NpuSmiReport report = parseNpuSmi(text);
    return report.samples.size() == 1 ? report.samples.first() : DeviceSample();
}

const QByteArray npuRow = "| 0     910B3    | OK    | 90.4   32    0    / 0    |\n";
const QByteArray chipRow = "| 0    | 0000:C1:00.0  | 7    0    / 0    41697/ 65536    |\n";

} // namespace

class NpuSmiReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCaptureSaysWhatWasReadInIt_data();
    void everyCaptureSaysWhatWasReadInIt();
    void everyCaptureHasItsExpectedValues();
    void lineEndsOfWindowsAndCutLinesAreRead();
    void aChipThatIsCutOffIsNotInvented();
    void aNameMayHaveBars();
    void theContainersPidIsRead();
    void whatIsOutOfRangeIsAbsent();
    void aCardMayHaveNoHealthWordThatWeKnow();
    void anEmptyHealthSaysNothing();
    void linesOfWatchAreReadAsTheyCome();
    void anotherProgramsOutputSaysNothing();
    void aFloodIsCut();
    void samplesSurviveJson();
};

void NpuSmiReportTest::everyCaptureSaysWhatWasReadInIt_data()
{
    QTest::addColumn<QString>("name");
    const QDir captures(sharedData("npu-smi"));
    if (sharedData("npu-smi").isEmpty()) {
        QTest::newRow("the captures are not on this machine") << QString();
        return;
    }
    for (const QString &file : captures.entryList({u"*.txt"_s}, QDir::Files))
        QTest::newRow(qPrintable(file)) << QFileInfo(file).completeBaseName();
}

void NpuSmiReportTest::everyCaptureSaysWhatWasReadInIt()
{
    QFETCH(QString, name);
    if (name.isEmpty())
        QSKIP("shared data: npu-smi is not on this machine");
    QFile capture(sharedData("npu-smi/") + name + u".txt"_s);
    QVERIFY(capture.open(QIODevice::ReadOnly));
    QFile file(testData("npu-smi-expected/") + name + u".json"_s);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const auto expected = parseJson(file.readAll());
    QVERIFY2(expected, qPrintable(file.fileName()));
    const nlohmann::json found = reportJson(parseNpuSmi(capture.readAll()));
    const nlohmann::json difference = nlohmann::json::diff(*expected, found);
    QVERIFY2(difference.empty(), jsonText(difference, 2).constData());
}

void NpuSmiReportTest::everyCaptureHasItsExpectedValues()
{
    if (sharedData("npu-smi").isEmpty())
        QSKIP("shared data: npu-smi is not on this machine");
    const auto count = [](const QString &folder, const char *pattern) {
        return QDir(folder).entryList({QLatin1String(pattern)}, QDir::Files).size();
    };
    QCOMPARE(count(testData("npu-smi-expected"), "*.json"), 88);
    QCOMPARE(count(sharedData("npu-smi"), "*.txt"), 88);
}

void NpuSmiReportTest::lineEndsOfWindowsAndCutLinesAreRead()
{
    QByteArray text = npuRow + chipRow;
    const DeviceSample sample = onlySample(text);
    QCOMPARE(sample.rates.aiCore, 7);
    QCOMPARE(onlySample(text.replace("\n", "\r\n")), sample);
    text.chop(4); // Without the last bar.
    QCOMPARE(onlySample(text), sample);
}

void NpuSmiReportTest::aChipThatIsCutOffIsNotInvented()
{
    const QByteArray text = npuRow + chipRow + "| 1     910B3    | OK    | 90.4   32    0    / 0    |\n";
    QCOMPARE(parseNpuSmi(text).samples.size(), 1);
    QCOMPARE(parseNpuSmi(text + npuRow + chipRow).samples.size(), 1);
    QCOMPARE(parseNpuSmi(chipRow).samples.size(), 0);
    for (qsizetype size = 0; size <= text.size(); ++size)
        QVERIFY(parseNpuSmi(text.first(size)).samples.size() <= 1);
}

void NpuSmiReportTest::aNameMayHaveBars()
{
    const QByteArray head = "| NPU  Chip | Process id | Process name | Process memory(MB) |\n";
    const DeviceSample sample = onlySample(head + "| 0  0 | 12 | a|b | 100 |\n");
    QVERIFY(sample.processes);
    QCOMPARE(*sample.processes, (QList<DeviceProcess>{{12, u"a|b"_s, 100, {}}}));
}

void NpuSmiReportTest::theContainersPidIsRead()
{
    const DeviceSample sample =
        onlySample("| NPU Chip | Process id | Process name | Process memory(MB) | Process id in container |\n"
                   "| 0  1 | 77 | python | 100 | 12 |\n| 0  1 | 78 |  | 90 | NA |\n");
    QVERIFY(sample.processes);
    QCOMPARE(*sample.processes, (QList<DeviceProcess>{{77, u"python"_s, 100, 12}, {78, QString(), 90, {}}}));
    QCOMPARE(sample.ids.chip, ChipId(1));
}

void NpuSmiReportTest::whatIsOutOfRangeIsAbsent()
{
    const DeviceSample sample = onlySample(
        "| 0  910B3 | OK | 1e99 32765 -1 / 5 |\n| 0 | NA | 4000000000 7 / 0 -3 / 99999999999999999999 |\n");
    QCOMPARE(sample.ids.card, CardId(0));
    QVERIFY(!sample.ids.bus);
    QVERIFY(!sample.powerW);
    QVERIFY(!sample.temperatureC);
    QVERIFY(!sample.rates.aiCore);
    QCOMPARE(sample.hugepages, (Amount{{}, 5}));
    QCOMPARE(sample.ddr, Amount());
    QCOMPARE(sample.hbm, Amount());
    QCOMPARE(onlySample("NPU ID : 0\nTemperature(C) : -12\nNPU Real-time Power(W) : NA\n").temperatureC, -12);
}

void NpuSmiReportTest::aCardMayHaveNoHealthWordThatWeKnow()
{
    const DeviceSample sample =
        onlySample("| 0  910B3 | Resetting | NA NA NA / NA |\n| 0 | 0000:C1:00.0 | NA NA / NA NA / NA |\n");
    QCOMPARE(sample.health, DeviceHealth::Unknown);
    QCOMPARE(sample.healthWord, u"Resetting"_s);
    QVERIFY(!sample.rates.aiCore);
    QCOMPARE(onlySample("| 0  910B3 | | 1.0 2 0 / 0 |\n| 0 | NA | 3 0 / 0 1 / 2 |\n").health, std::nullopt);
}

void NpuSmiReportTest::anEmptyHealthSaysNothing()
{
    const NpuSmiReport report = parseNpuSmi("NPU ID : 0\nHealth : Alarm\nHealth :\nError Code : NA\n");
    QCOMPARE(report.samples.size(), 1);
    QCOMPARE(report.samples.first().healthWord, u"Alarm"_s);
    QCOMPARE(report.samples.first().health, DeviceHealth::Alarm);
}

void NpuSmiReportTest::linesOfWatchAreReadAsTheyCome()
{
    NpuSmiWatchRows rows;
    QVERIFY(!rows.addLine("0 0 90.1 34"));
    QVERIFY(!rows.addLine("NpuID(Idx)  ChipId(Idx) Pwr(W)      AI Core(%)  NPU Util(%)"));
    const auto first = rows.addLine("2           1           -           100         NA");
    QVERIFY(first);
    QCOMPARE(first->ids.card, CardId(2));
    QCOMPARE(first->ids.chip, ChipId(1));
    QVERIFY(!first->powerW);
    QCOMPARE(first->rates.aiCore, 100);
    QVERIFY(!first->rates.npu);
    QVERIFY(!rows.addLine("2           1"));
}

void NpuSmiReportTest::anotherProgramsOutputSaysNothing()
{
    for (const char *text : {"", "\n\n", "bash: npu-smi: command not found\n", "| a | b |\n",
                             "|\n||\n|||||\n", "<html><body>NPU ID</body></html>\n", "a : b\nc : d\n"}) {
        const NpuSmiReport report = parseNpuSmi(text);
        QVERIFY2(report.samples.isEmpty() && report.cards.isEmpty() && report.map.chips().isEmpty() &&
                     !report.failure,
                 text);
    }
    const auto none = parseNpuSmi("There is no NPU card on this server.\n").failure;
    QVERIFY(none);
    QVERIFY(!none->code);
    const auto occupied =
        parseNpuSmi("dcmi model initialized failed, because the device is in use. ret is -8020\n").failure;
    QVERIFY(occupied);
    QCOMPARE(occupied->code, -8020);
}

void NpuSmiReportTest::aFloodIsCut()
{
    QByteArray text = "| NPU Chip | Process id | Process name | Process memory(MB) |\n";
    QByteArray map = "NPU ID  Chip ID  Chip Logic ID  Chip Name\n";
    for (int number = 0; number < 50000; ++number) {
        text += "| " + QByteArray::number(number) + " 0 | 1 | a | 2 |\n";
        map += QByteArray::number(number) + "  0  0  Ascend\n";
    }
    QCOMPARE(parseNpuSmi(text).samples.size(), mostChips);
    QCOMPARE(parseNpuSmi(map).map.chips().size(), mostChips);
}

void NpuSmiReportTest::samplesSurviveJson()
{
    DeviceSample sample;
    sample.ids = {LogicalDeviceId(1), PhysicalDeviceId(9), CardId(4),
                  ChipId(1),          SlotId(3),           BusId{u"0000:C1:00.0"_s}};
    sample.name = u"910B3"_s;
    sample.setHealth(u"Alarm"_s);
    sample.errorCodes = QList<quint32>{0x81AF8000, 1};
    sample.processes = QList<DeviceProcess>{{77, u"python"_s, 100, 12}, {78, QString(), {}, {}}};
    int next = 1;
    forEachNumber(sample, [&](const char *, auto &number) { number = next++; });
    const auto again = fromJsonText<DeviceSample>(jsonTextOf(sample));
    QVERIFY(again);
    QCOMPARE(*again, sample);
    QVERIFY(toJson(DeviceSample()).empty());
    QVERIFY(!fromJsonText<DeviceSample>("[]"));
    const auto strange = fromJsonText<DeviceSample>(
        R"({"card": -1, "chip": 3000000000, "power_w": "x", "hbm_used_mb": 1.5, "processes": [1], "name": 7})");
    QVERIFY(strange);
    QCOMPARE(*strange->processes, QList<DeviceProcess>());
    QVERIFY(!strange->ids.card && !strange->ids.chip && !strange->powerW && !strange->hbm.used);
}

} // namespace tst_npusmireport

RANKDECK_TEST(tst_npusmireport, NpuSmiReportTest)
#include "tst_npusmireport.moc"
