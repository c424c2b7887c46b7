#include "base/fields.h"
#include "base/json.h"
#include "device/sampling/chipturns.h"
#include "device/sampling/devicealarm.h"
#include "device/sampling/devicesampler.h"
#include "run/process/processtree.h"
#include "support/npusmistandin.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

namespace tst_devicesampler
{

using namespace rankdeck;

namespace
{

constexpr int longest = 30000;

DeviceSamplerSettings quick()
{
    using namespace std::chrono_literals;
    return {.interval = 5ms,
            .restFactor = 0,
            .limit = 20000ms,
            .afterFailure = 5ms,
            .helper = {},
            .hccnTool = {},
            .errorCodesAge = 60000ms,
            .linkAge = 60000ms,
            .bitErrorsAge = 600000ms,
            .besidesRest = 300000ms};
}

/// So many cards of a chip each, none of them well.
QByteArray manyCards(int count)
{
    QByteArray table = "| NPU   Name  | Health  | Power(W)    Temp(C)           Hugepages-Usage(page)|\n"
                       "| Chip        | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n";
    for (int card = 0; card < count; ++card) {
        const QByteArray number = QByteArray::number(card);
        table += "| " + number +
                 "     910B3 | Alarm   | 91.1        32                0    / 0             |\n"
                 "| 0           | 0000:0" +
                 number + ":00.0  | 0           0    / 0          3000 / 65536         |\n";
    }
    return table;
}

DeviceSource sourceOf(const NpuSmiStandIn &standIn)
{
    return {DeviceSource::Kind::NpuSmi, standIn.path()};
}

bool isAlive(const QByteArray &pid)
{
    return ::kill(pid.trimmed().toInt(), 0) == 0;
}

} // namespace

class DeviceSamplerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qRegisterMetaType<Error>(); }
    void cleanup();
    void chipsAreSampledWithAllTheirIds();
    void inventedChipsAreMarked();
    void nothingFindsAnInventedSource();
    void everySampleIsNewAndTheMapIsAskedOnce();
    void recordedOutputIsSampled_data();
    void recordedOutputIsSampled();
    void nothingRunsWhileNobodyWants();
    void comingAndGoingDoesNotSampleMoreOften();
    void whoIsDeletedWantsNothing();
    void aSlowOneIsAskedLessOften();
    void oneThatHangsIsKilledWithItsChildren();
    void aSamplerThatGoesTakesItsProcessAlong();
    void oneThatFailsIsExplained_data();
    void oneThatFailsIsExplained();
    void anEarlierReadingStaysAndALaterOneMends();
    void oneThatDoesNotKnowMappingsIsCounted();
    void otherChipsAreMappedAgain();
    void errorCodesAreAskedOfChipsThatAreNotWell();
    void aCardIsLookedAtCloselyWhereThatIsWanted();
    void whatIsNotToldBesidesIsNoFailure();
    void whatHangsBesidesCostsNoReading();
    void oneThatIsSlowStreamsInBetween();
    void oneThatCannotStreamIsNotAskedAgain_data();
    void oneThatCannotStreamIsNotAskedAgain();
    void whoWasAskedLongestAgoIsNext();
    void theLinkOfEachChipIsAskedInTurn();
    void everyChipAndQuestionHasItsTurnWhereReadingsAreRare();
    void aReadingDoesNotWaitForALink();
    void slowQuestionsBesidesAreSpaced();
    void bitErrorsAreAskedOfEachChipAndKept();
    void bitErrorsThatAreNotToldAreNoFailure_data();
    void bitErrorsThatAreNotToldAreNoFailure();
    void anHccnToolThatFailsIsNoFailure_data();
    void anHccnToolThatFailsIsNoFailure();
    void whereThereIsNothingThatIsSaid();
    void dcmiIsAskedInAProcessOfItsOwn();
    void dcmiThatHangsOrCrashesHarmsNobody();
};

/// However a sampler came to its end, it leaves no process behind.
void DeviceSamplerTest::cleanup()
{
    QTRY_VERIFY_WITH_TIMEOUT(ownChildren().empty(), longest);
}

void DeviceSamplerTest::chipsAreSampledWithAllTheirIds()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    DeviceSampler sampler(sourceOf(standIn), quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    QVERIFY(!sampler.last());
    sampler.setWanted(this, true);
    QVERIFY(sampled.wait(longest));
    sampler.setWanted(this, false);
    const auto reading = sampled.constFirst().constFirst().value<DeviceReading>();
    QCOMPARE(reading.source, DeviceSource::Kind::NpuSmi);
    QCOMPARE(reading.driverVersion, u"25.5.1"_s);
    QVERIFY(reading.time.isValid());
    QCOMPARE(reading.samples.size(), 2);
    QCOMPARE(reading.samples[1].ids,
             (DeviceIds{LogicalDeviceId(1), {}, CardId(5), ChipId(0), {}, BusId{u"0000:C2:00.0"_s}}));
    QCOMPARE(reading.samples[0].rates.aiCore, 7);
    QCOMPARE(standIn.calls().mid(0, 2), (QList<QByteArray>{"C info -m", "C info"}));
}

void DeviceSamplerTest::inventedChipsAreMarked()
{
    NpuSmiStandIn npuSmi;
    npuSmi.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(20));
    DeviceSampler sampler({DeviceSource::Kind::Invented, npuSmi.path()}, quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QVERIFY(sampled.wait(longest));
    const auto reading = readingFromJson(jsonTextOf(sampled.first().first().value<DeviceReading>()));
    QVERIFY(reading);
    QVERIFY(reading->source == DeviceSource::Kind::Invented);
    QCOMPARE(reading->samples.size(), 2);
    for (const DeviceSample &sample : reading->samples) {
        QVERIFY(sample.isInvented);
        QCOMPARE(sample.name, u"910B3 (invented)"_s);
    }
    QCOMPARE(reading->samples.first().rates.aiCore.value_or(-1), 20);
}

void DeviceSamplerTest::nothingFindsAnInventedSource()
{
    const NpuSmiStandIn npuSmi;
    QVERIFY(findDeviceSource(DeviceSource::Kind::Invented).kind == DeviceSource::Kind::None);
    QVERIFY(findDeviceSource().kind != DeviceSource::Kind::Invented);
}

void DeviceSamplerTest::everySampleIsNewAndTheMapIsAskedOnce()
{
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(555));
    standIn.install("if [ \"$*\" = 'info -m' ]; then cat '" + map +
                    "'; else sed \"s/ 555 / $(grep -c ' info$' \"${0%/*}/calls\") /\" '" + table + "'; fi");
    DeviceSampler sampler(sourceOf(standIn), quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 3, longest);
    sampler.setWanted(this, false);
    for (int index = 0; index < 3; ++index)
        QCOMPARE(sampled[index].constFirst().value<DeviceReading>().samples[0].rates.aiCore, index + 1);
    QCOMPARE(standIn.calls().count("C info -m"), 1);
}

void DeviceSamplerTest::recordedOutputIsSampled_data()
{
    QTest::addColumn<QString>("capture");
    const QString folder = sharedData("npu-smi");
    if (folder.isEmpty()) {
        QTest::newRow("the captures are not on this machine") << QString();
        return;
    }
    for (const QString &file : QDir(folder).entryList({u"*.txt"_s}, QDir::Files))
        QTest::newRow(qPrintable(file)) << QString(folder + '/'_L1 + file);
}

void DeviceSamplerTest::recordedOutputIsSampled()
{
    QFETCH(QString, capture);
    if (capture.isEmpty())
        QSKIP("shared data: npu-smi is not on this machine");
    QFile file(testData("npu-smi-expected/") + QFileInfo(capture).completeBaseName() + u".json"_s);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const auto expected = parseJson(file.readAll());
    QVERIFY(expected);
    NpuSmiStandIn standIn;
    standIn.install("[ \"$*\" = info ] && exec cat '" + capture.toLocal8Bit() + "'; echo none");
    DeviceSampler sampler(sourceOf(standIn), quick());
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last() || sampler.error(), longest);
    if ((*expected)["devices"].empty()) {
        QVERIFY(!sampler.last() && !sampler.error()->what.isEmpty());
        return;
    }
    QVERIFY2(sampler.last(), qPrintable(sampler.error().value_or(Error()).sentence()));
    const QList<DeviceSample> &samples = sampler.last()->samples;
    QCOMPARE(static_cast<std::size_t>(samples.size()), (*expected)["devices"].size());
    for (qsizetype index = 0; index < samples.size(); ++index) {
        QVERIFY(samples[index].ids.logical);
        nlohmann::json found = toJson(samples[index]);
        const nlohmann::json &wanted = (*expected)["devices"][static_cast<std::size_t>(index)];
        for (const auto &[key, value] : wanted.items())
            QVERIFY2(found.contains(key) && found[key] == value, key.c_str());
    }
}

void DeviceSamplerTest::nothingRunsWhileNobodyWants()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    NpuSmiStandIn other; // Goes on meanwhile, so that time passes.
    other.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    DeviceSampler sampler(sourceOf(standIn), quick());
    DeviceSampler otherSampler(sourceOf(other), quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    QSignalSpy otherSampled(&otherSampler, &DeviceSampler::sampled);
    otherSampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(otherSampled.size() >= 3, longest);
    QCOMPARE(standIn.calls().size(), 0);

    QObject second;
    sampler.setWanted(this, true);
    sampler.setWanted(&second, true);
    QVERIFY(sampled.wait(longest));
    sampler.setWanted(this, false);
    QVERIFY(sampled.wait(longest)); // One is left who wants.
    sampler.setWanted(&second, false);
    QVERIFY(!sampler.isWanted());
    const auto before = sampled.size();
    otherSampled.clear();
    QTRY_VERIFY_WITH_TIMEOUT(otherSampled.size() >= 3, longest);
    const auto calls = standIn.calls().size();
    otherSampled.clear();
    QTRY_VERIFY_WITH_TIMEOUT(otherSampled.size() >= 3, longest);
    QCOMPARE(standIn.calls().size(), calls);
    QCOMPARE(sampled.size(), before);
}

void DeviceSamplerTest::comingAndGoingDoesNotSampleMoreOften()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    NpuSmiStandIn other;
    other.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    DeviceSamplerSettings settings = quick();
    settings.interval = std::chrono::hours(1);
    DeviceSampler sampler(sourceOf(standIn), settings);
    DeviceSampler otherSampler(sourceOf(other), quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    QSignalSpy otherSampled(&otherSampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QVERIFY(sampled.wait(longest));
    QTRY_VERIFY_WITH_TIMEOUT(sampler.lastDuration().count() > 0, longest);
    const auto calls = standIn.calls().count("C info");
    otherSampler.setWanted(this, true);
    for (int turn = 0; turn < 3; ++turn) {
        sampler.setWanted(this, false);
        sampler.setWanted(this, true);
        otherSampled.clear();
        QVERIFY(otherSampled.wait(longest));
    }
    QCOMPARE(standIn.calls().count("C info"), calls);

    // One that was killed meanwhile is replaced only when it has ended.
    standIn.install("echo $$ >'" + standIn.folder().toLocal8Bit() + "/pid'; exec sleep 1000");
    DeviceSampler hanging(sourceOf(standIn), quick());
    hanging.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(standIn.read("pid").endsWith('\n'), longest);
    const QByteArray first = standIn.read("pid");
    hanging.setWanted(this, false);
    hanging.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(standIn.read("pid").endsWith('\n') && standIn.read("pid") != first, longest);
    QVERIFY(!isAlive(first));
    QVERIFY(!hanging.error());
}

void DeviceSamplerTest::whoIsDeletedWantsNothing()
{
    NpuSmiStandIn standIn;
    DeviceSampler sampler(sourceOf(standIn), quick());
    {
        QObject who;
        sampler.setWanted(&who, true);
        sampler.setWanted(&who, true);
        QVERIFY(sampler.isWanted());
    }
    QVERIFY(!sampler.isWanted());
}

void DeviceSamplerTest::aSlowOneIsAskedLessOften()
{
    using namespace std::chrono_literals;
    const DeviceSampler usual({DeviceSource::Kind::NpuSmi, {}});
    QCOMPARE(usual.intervalAfter(10ms), 2000ms);
    QCOMPARE(usual.intervalAfter(5000ms), 25000ms);

    NpuSmiStandIn standIn;
    standIn.install("sleep 0.2; cat '" + standIn.write("table", NpuSmiStandIn::table(7)) + "'");
    DeviceSamplerSettings settings = quick();
    settings.restFactor = 4;
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QVERIFY(sampled.wait(longest));
    QElapsedTimer clock;
    clock.start();
    QVERIFY(sampled.wait(longest));
    // Two calls took 0.4 s, so that the next begins 1.6 s after the first did.
    QVERIFY2(clock.elapsed() >= 1300, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(sampler.lastDuration() >= 200ms);
}

void DeviceSamplerTest::oneThatHangsIsKilledWithItsChildren()
{
    NpuSmiStandIn standIn;
    standIn.install("sleep 1000 & echo $! >'" + standIn.folder().toLocal8Bit() + "/child'; echo $$ >'" +
                    standIn.folder().toLocal8Bit() + "/pid'; wait");
    DeviceSamplerSettings settings = quick();
    settings.limit = std::chrono::milliseconds(1000);
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    sampler.setWanted(this, true);
    QVERIFY(failed.wait(longest));
    const auto error = failed.constFirst().constFirst().value<Error>();
    QVERIFY2(error.what.contains(u"did not answer within 1 s"_s), qPrintable(error.sentence()));
    QCOMPARE(error.where, standIn.path());
    QCOMPARE(sampler.error(), error);
    // It comes again, and the earlier one has gone by then.
    const QByteArray pid = standIn.read("pid");
    const QByteArray child = standIn.read("child");
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), longest);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(child), longest);
}

void DeviceSamplerTest::aSamplerThatGoesTakesItsProcessAlong()
{
    NpuSmiStandIn standIn;
    standIn.install("echo $$ >'" + standIn.folder().toLocal8Bit() + "/pid'; exec sleep 1000");
    {
        DeviceSampler sampler(sourceOf(standIn), quick());
        sampler.setWanted(this, true);
        QTRY_VERIFY_WITH_TIMEOUT(standIn.read("pid").endsWith('\n'), longest);
        QVERIFY(isAlive(standIn.read("pid")));
    }
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(standIn.read("pid")), longest);
}

void DeviceSamplerTest::oneThatFailsIsExplained_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("words");
    QTest::newRow("-8005") << QByteArray("echo 'dcmi module initialize failed. ret is -8005'; exit 1")
                           << "-8005";
    QTest::newRow("-8005, and it says that it went well")
        << QByteArray("echo 'DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)'\n"
                      "echo 'dcmi module initialize failed. ret is -8005'")
        << "-8005";
    QTest::newRow("on standard error")
        << QByteArray(
               "echo 'dcmi model initialized failed, because the device is in use. ret is -8020' >&2; exit 1")
        << "-8020";
    QTest::newRow("no card") << QByteArray("echo 'There is no NPU card on this server.'") << "no NPU card";
    QTest::newRow("a library is missing")
        << QByteArray("echo 'npu-smi: error while loading shared libraries: libdcmi.so' >&2; exit 127")
        << "libdcmi.so";
    QTest::newRow("silent") << QByteArray("exit 3") << "printed nothing and ended with code 3";
    QTest::newRow("crashed") << QByteArray("kill -SEGV $$") << "signal 11";
    QTest::newRow("endless") << QByteArray("exec yes") << "endlessly";
    QTest::newRow("endless on standard error") << QByteArray("exec yes >&2") << "endlessly";
    QTest::newRow("foreign") << QByteArray("echo Hello; echo World") << "Hello";
    QTest::newRow("cut off, with a code")
        << QByteArray("[ \"$*\" = 'info -m' ] && echo none && exit 0\ncat \"$0.table\"; exit 9") << "code 9";
}

void DeviceSamplerTest::oneThatFailsIsExplained()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, words);
    NpuSmiStandIn standIn;
    standIn.write("npu-smi.table", NpuSmiStandIn::table(7).left(600));
    // Whatever -m says, it is for `info` to fail, unless that is DCMI's.
    standIn.install(script);
    DeviceSampler sampler(sourceOf(standIn), quick());
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.error() && sampler.error()->sentence().contains(words), longest);
    QCOMPARE(sampled.size(), 0);
    QVERIFY(!sampler.last());
    // It is tried again.
    QTRY_VERIFY_WITH_TIMEOUT(failed.size() >= 2, longest);
}

void DeviceSamplerTest::anEarlierReadingStaysAndALaterOneMends()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    DeviceSampler sampler(sourceOf(standIn), quick());
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last(), longest);
    standIn.install("exit 1");
    QVERIFY(failed.wait(longest));
    QVERIFY(sampler.error());
    QVERIFY(sampler.last());
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(9));
    QTRY_VERIFY_WITH_TIMEOUT(!sampler.error(), longest);
    QCOMPARE(sampler.last()->samples[0].rates.aiCore, 9);
}

void DeviceSamplerTest::oneThatDoesNotKnowMappingsIsCounted()
{
    NpuSmiStandIn standIn;
    standIn.replay("Error parameter of -m\n", NpuSmiStandIn::table(7));
    DeviceSampler sampler(sourceOf(standIn), quick());
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last(), longest);
    QCOMPARE(sampler.last()->samples[1].ids.logical, LogicalDeviceId(1));
}

void DeviceSamplerTest::otherChipsAreMappedAgain()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    DeviceSampler sampler(sourceOf(standIn), quick());
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last(), longest);
    QByteArray one = NpuSmiStandIn::table(7);
    one.remove(one.indexOf("| 4     910B3"), one.indexOf("| 5     910B3") - one.indexOf("| 4     910B3"));
    standIn.replay("NPU ID  Chip ID  Chip Logic ID  Chip Name\n5  0  6  Ascend 910B3\n",
                   one.replace("| 4       0", "| 5       0"));
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last()->samples[0].ids.logical == LogicalDeviceId(6), longest);
    QCOMPARE(sampler.last()->samples.size(), 1);
}

void DeviceSamplerTest::errorCodesAreAskedOfChipsThatAreNotWell()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7),
                   "Health Status  : Alarm\nError Code  : 0x80E18005\nError Information : overheated\n");
    DeviceSampler sampler(sourceOf(standIn), quick());
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() >= 3, longest);
    sampler.setWanted(this, false);
    for (int index = 0; index < 3; ++index) {
        const auto reading = sampled[index].constFirst().value<DeviceReading>();
        QVERIFY(!reading.samples[0].errorCodes);
        QCOMPARE(reading.samples[1].errorCodes, QList<quint32>{0x80E18005});
    }
    // Of the one that is not OK, and only once: its health has stayed what it was.
    QCOMPARE(standIn.calls().count("C info -t health -i 5 -c 0"), 1);
    const QList<QByteArray> calls = standIn.calls();
    QCOMPARE(std::count_if(calls.begin(), calls.end(),
                           [](const QByteArray &call) { return call.contains("health"); }),
             1);
}

void DeviceSamplerTest::aCardIsLookedAtCloselyWhereThatIsWanted()
{
    NpuSmiStandIn standIn;
    standIn.replay(
        NpuSmiStandIn::map(), NpuSmiStandIn::table(7),
        "NPU ID : 4\nChip Count : 1\n\nChip ID : 0\nAicore Usage Rate(%) : 99\n"
        "Aicore Freq(MHZ) : 1800\nAicore curFreq(MHZ) : 800\n\nChip Name : mcu\nTemperature(C) : 31\n");
    DeviceSampler sampler(sourceOf(standIn), quick());
    sampler.setDetailedCard(CardId(4));
    sampler.setWanted(this, true);
    // The health of the other one comes first.
    QTRY_VERIFY_WITH_TIMEOUT(standIn.calls().contains("C info -t common -i 4"), longest);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last() && sampler.last()->samples[0].isThrottled(), longest);
    QCOMPARE(sampler.last()->samples[0].rates.aiCore, 7); // What all cards were asked for stays.
    QVERIFY(!sampler.last()->samples[1].clockMhz);
    sampler.setDetailedCard(std::nullopt);
    QTRY_VERIFY_WITH_TIMEOUT(!sampler.last()->samples[0].clockMhz, longest);
}

void DeviceSamplerTest::oneThatIsSlowStreamsInBetween()
{
    using namespace std::chrono_literals;
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7).replace("Alarm", "OK   "));
    // Only with a buffer of one line does one see a line when it is printed.
    standIn.install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) sleep 0.3; cat '" + table +
                    "' ;; *ecc*) echo none ;; *) echo $$ >\"${0%/*}/pid\"; [ \"$_STDBUF_O\" = L ] || exit 1\n"
                    "echo 'NpuID(Idx)  ChipId(Idx) Pwr(W)  Temp(C)  AI Core(%)  NPU Util(%)'\n"
                    "busy=20; while :; do echo \"4  0  120.5  51  $busy  99\"; echo '5  0  -  52  NA  99'\n"
                    "busy=$((busy + 1)); sleep 0.3; done ;; esac");
    DeviceSamplerSettings settings = quick();
    settings.restFactor = 10'000;
    settings.slowCall = 100ms;
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() > 3, longest);
    // The first one is whole.
    QCOMPARE(sampled[0].constFirst().value<DeviceReading>().samples[0].rates.aiCore, 7);
    const auto before = sampled[1].constFirst().value<DeviceReading>();
    const auto after = sampled[3].constFirst().value<DeviceReading>();
    QVERIFY(before.time < after.time);
    QVERIFY(*before.samples[0].rates.aiCore >= 20);
    QVERIFY(*before.samples[0].rates.aiCore < *after.samples[0].rates.aiCore);
    QCOMPARE(after.samples[0].powerW, 120.5);
    QCOMPARE(after.samples[1].temperatureC, 52);
    // What is not given stays, and what `info` does not give does not come and go.
    QCOMPARE(after.samples[1].powerW, 91.1);
    QCOMPARE(after.samples[1].rates.aiCore, 0);
    QCOMPARE(after.samples[0].hbm.used, 59189);
    QVERIFY(!after.samples[0].rates.npu);
    QList<QByteArray> calls = standIn.calls();
    calls.removeOne("C info -t ecc -i 4 -c 0"); // Beside the stream, before it or after it.
    QCOMPARE(calls, (QList<QByteArray>{"C info -m", "C info", "C info watch -d 1"}));
    const QByteArray pid = standIn.read("pid");
    sampler.setWanted(this, false);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), longest);
}

void DeviceSamplerTest::oneThatCannotStreamIsNotAskedAgain_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("does not know how") << QByteArray("echo 'Invalid parameter'; exit 1");
    QTest::newRow("says nothing") << QByteArray("exec sleep 1000");
}

void DeviceSamplerTest::oneThatCannotStreamIsNotAskedAgain()
{
    using namespace std::chrono_literals;
    QFETCH(QByteArray, script);
    NpuSmiStandIn standIn;
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7).replace("Alarm", "OK   "));
    standIn.install("case \"$*\" in 'info -m') echo none ;; info) sleep 0.1; cat '" + table +
                    "' ;; *ecc*) echo none ;; *) echo $$ >\"${0%/*}/pid\"; " + script + " ;; esac");
    DeviceSamplerSettings settings = quick();
    settings.restFactor = 2;
    settings.slowCall = 50ms;
    settings.limit = 5s;
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(standIn.read("pid").endsWith('\n'), longest);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(standIn.read("pid")), longest);
    const auto readings = standIn.calls().count("C info");
    QTRY_VERIFY_WITH_TIMEOUT(standIn.calls().count("C info") > readings + 5, longest);
    QCOMPARE(standIn.calls().count("C info watch -d 1"), 1);
    QVERIFY(failed.isEmpty());
}

void DeviceSamplerTest::theLinkOfEachChipIsAskedInTurn()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    NpuSmiStandIn tool;
    tool.install("case \"$2\" in 0) echo 'link status: UP' ;; *) echo 'link status: DOWN' ;; esac");
    DeviceSamplerSettings settings = quick();
    settings.hccnTool = tool.path();
    DeviceSampler sampler(sourceOf(standIn), settings);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last() && sampler.last()->samples[1].isLinkUp, longest);
    QCOMPARE(sampler.last()->samples[0].isLinkUp, true);
    QCOMPARE(sampler.last()->samples[1].isLinkUp, false);
    // Once a minute each.
    const auto readings = standIn.calls().count("C info");
    QTRY_VERIFY_WITH_TIMEOUT(standIn.calls().count("C info") > readings + 3, longest);
    QCOMPARE(tool.calls(), (QList<QByteArray>{"C -i 0 -link -g", "C -i 1 -link -g"}));
}

void DeviceSamplerTest::whoWasAskedLongestAgoIsNext()
{
    QList<DeviceSample> samples(3);
    for (int card = 0; card < 3; ++card)
        samples[card].ids.card = CardId(card);
    ChipTurns<int> turns;
    QList<int> asked;
    for (int turn = 0; turn < 7; ++turn) {
        // Each is due whenever it is looked at, but the second one only three times.
        const DeviceSample *next = turns.next(samples, [&](const DeviceSample &sample, const auto *last) {
            return sample.ids.card != CardId(1) || !last || last->answer < 2;
        });
        QVERIFY(next);
        turns.begin(next->ids);
        ++turns.current();
        asked << next->ids.card->value;
    }
    QCOMPARE(asked, (QList<int>{0, 1, 2, 0, 1, 2, 0}));
    QCOMPARE(*turns.answerOf(samples[1].ids), 2);
    QVERIFY(!turns.answerOf(DeviceIds()));
    QVERIFY(!turns.next(samples, [](const DeviceSample &, const auto *) { return false; }));
}

/// Where what was said is too old by the time of the next reading, as where one comes in a minute.
void DeviceSamplerTest::everyChipAndQuestionHasItsTurnWhereReadingsAreRare()
{
    using namespace std::chrono_literals;
    constexpr int cards = 8;
    NpuSmiStandIn standIn;
    const QByteArray table = standIn.write("table", manyCards(cards));
    standIn.install("case \"$*\" in 'info -m') echo none ;; info) cat '" + table +
                    "' ;; *health*) echo 'Error Code : 0x80E18005' ;; *ecc*) "
                    "echo 'HBM Double Bit Error Count : 0' ;; *) echo 'NPU ID : 3'; echo; "
                    "echo 'Chip ID : 0'; echo 'Aicore curFreq(MHZ) : 800' ;; esac");
    NpuSmiStandIn tool;
    tool.install("echo 'link status: UP'");
    DeviceSamplerSettings settings = quick();
    settings.hccnTool = tool.path();
    settings.errorCodesAge = 0ms;
    settings.linkAge = 0ms;
    settings.bitErrorsAge = 0ms;
    DeviceSampler sampler(sourceOf(standIn), settings);
    sampler.setDetailedCard(CardId(3));
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() > 2 * cards, longest);
    sampler.setWanted(this, false);
    QList<QByteArray> errors = standIn.calls();
    errors.removeIf([](const QByteArray &call) { return !call.contains("health"); });
    QList<QByteArray> bitErrors = standIn.calls();
    bitErrors.removeIf([](const QByteArray &call) { return !call.contains("ecc"); });
    for (int card = 0; card < cards; ++card) {
        const QByteArray number = QByteArray::number(card);
        QCOMPARE(tool.calls().value(card), "C -i " + number + " -link -g");
        QCOMPARE(errors.value(card), "C info -t health -i " + number + " -c 0");
        QCOMPARE(bitErrors.value(card), "C info -t ecc -i " + number + " -c 0");
        const DeviceSample &sample = sampler.last()->samples[card];
        QCOMPARE(sample.isLinkUp, true);
        QCOMPARE(sample.bitErrors.hbmDouble, 0);
        QCOMPARE(sample.errorCodes, QList<quint32>{0x80E18005});
    }
    QVERIFY(standIn.calls().count("C info -t common -i 3") >= cards - 1);
}

void DeviceSamplerTest::aReadingDoesNotWaitForALink()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    NpuSmiStandIn tool; // Answers when it is allowed to.
    tool.install("while [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done; echo 'link status: DOWN'");
    DeviceSamplerSettings settings = quick();
    settings.hccnTool = tool.path();
    settings.limit = std::chrono::hours(1);
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QVERIFY(sampled.wait(longest));
    QTRY_COMPARE_WITH_TIMEOUT(tool.calls().size(), 1, longest);
    QVERIFY(!sampler.last()->samples[0].isLinkUp);
    tool.write("go", {});
    QTRY_COMPARE_WITH_TIMEOUT(sampler.last()->samples[0].isLinkUp, false, longest);
}

void DeviceSamplerTest::slowQuestionsBesidesAreSpaced()
{
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7).replace("Alarm", "OK   "));
    NpuSmiStandIn tool;
    tool.install("date +%s%3N >>\"${0%/*}/times\"; sleep 0.2; echo 'link status: UP'");
    DeviceSamplerSettings settings = quick();
    settings.hccnTool = tool.path();
    settings.restFactor = 10;
    DeviceSampler sampler(sourceOf(standIn), settings);
    sampler.setWanted(this, true);
    QTRY_COMPARE_WITH_TIMEOUT(tool.read("times").count('\n'), 2, 2 * longest);
    const QList<QByteArray> times = tool.read("times").split('\n');
    QVERIFY2(times[1].toLongLong() - times[0].toLongLong() >= 2000, tool.read("times").constData());
}

void DeviceSamplerTest::bitErrorsAreAskedOfEachChipAndKept()
{
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7));
    const QByteArray errors = standIn.write("errors", NpuSmiStandIn::bitErrors(3));
    // Of one card with its numbers, of the other one the counts alone.
    standIn.install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) cat '" + table +
                    "' ;; 'info -t ecc -i 4 -c 0') cat '" + errors +
                    "' ;; 'info -t ecc -i 5 -c 0') grep HBM '" + errors + "' ;; *) echo none ;; esac");
    DeviceReading first;
    {
        DeviceSampler sampler(sourceOf(standIn), quick());
        QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
        sampler.setWanted(this, true);
        QTRY_VERIFY_WITH_TIMEOUT(sampler.last() && sampler.last()->samples[1].bitErrors.hbmDouble, longest);
        const auto readings = sampled.size();
        QTRY_VERIFY_WITH_TIMEOUT(sampled.size() > readings + 3, longest);
        for (const DeviceSample &sample : sampler.last()->samples)
            QCOMPARE(sample.bitErrors, (BitErrors{{}, {}, 12, 3}));
        const QList<QByteArray> calls = standIn.calls();
        QCOMPARE(calls.count("C info -t ecc -i 4 -c 0"), 1);
        QCOMPARE(calls.count("C info -t ecc -i 5 -c 0"), 1);
        first = *sampler.last();
    }
    // Where they are too old they are asked again, and what is new is an alarm.
    DeviceSamplerSettings settings = quick();
    settings.bitErrorsAge = std::chrono::milliseconds(0);
    DeviceSampler sampler(sourceOf(standIn), settings);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last() && sampler.last()->samples[1].bitErrors.hbmDouble, longest);
    standIn.write("errors", NpuSmiStandIn::bitErrors(5));
    QTRY_COMPARE_WITH_TIMEOUT(sampler.last()->samples[1].bitErrors.hbmDouble, 5, longest);
    const QList<DeviceAlarm> alarms = alarmsBetween(first, *sampler.last());
    QVERIFY(!alarms.isEmpty());
    QCOMPARE(alarms.last().kind, DeviceAlarm::Kind::BitError);
    QCOMPARE(alarms.last().count, 2);
}

void DeviceSamplerTest::bitErrorsThatAreNotToldAreNoFailure_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("not supported") << QByteArray("echo 'This device does not support querying ecc info.'");
    QTest::newRow("fails") << QByteArray("exit 3");
    QTest::newRow("hangs") << QByteArray("exec sleep 1000");
}

void DeviceSamplerTest::bitErrorsThatAreNotToldAreNoFailure()
{
    QFETCH(QByteArray, script);
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7).replace("Alarm", "OK   "));
    standIn.install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) cat '" + table + "' ;; *) " +
                    script + " ;; esac");
    DeviceSamplerSettings settings = quick();
    settings.limit = std::chrono::milliseconds(4000);
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampled.size() > 6, longest);
    QCOMPARE(standIn.calls().count("C info -t ecc -i 4 -c 0"), 1);
    QCOMPARE(standIn.calls().count("C info -t ecc -i 5 -c 0"), 0);
    QVERIFY(failed.isEmpty());
    QCOMPARE(sampler.last()->samples[0].bitErrors, BitErrors());
}

void DeviceSamplerTest::anHccnToolThatFailsIsNoFailure_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("calls"); // After one that hung there is a rest.
    QTest::newRow("fails") << QByteArray("exit 3") << 2;
    QTest::newRow("hangs") << QByteArray("exec sleep 1000") << 1;
    QTest::newRow("says something else")
        << QByteArray("echo 'hccn_tool is busy, please try again later'") << 2;
}

void DeviceSamplerTest::anHccnToolThatFailsIsNoFailure()
{
    QFETCH(QByteArray, script);
    QFETCH(int, calls);
    NpuSmiStandIn standIn;
    standIn.replay(NpuSmiStandIn::map(), NpuSmiStandIn::table(7));
    NpuSmiStandIn tool;
    tool.install(script);
    DeviceSamplerSettings settings = quick();
    settings.hccnTool = tool.path();
    settings.limit = std::chrono::milliseconds(4000);
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(tool.calls().size() == calls && sampled.size() > 6, longest);
    QCOMPARE(tool.calls().size(), calls);
    // What hung is no part of how long a reading takes.
    QVERIFY(sampler.lastDuration() < settings.limit);
    QVERIFY(failed.isEmpty());
    QVERIFY(!sampler.last()->samples[0].isLinkUp);
}

void DeviceSamplerTest::whatIsNotToldBesidesIsNoFailure()
{
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7));
    standIn.install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) cat '" + table +
                    "' ;; *) exit 3 ;; esac");
    DeviceSampler sampler(sourceOf(standIn), quick());
    sampler.setDetailedCard(CardId(4));
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    QSignalSpy sampled(&sampler, &DeviceSampler::sampled);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(standIn.calls().contains("C info -t common -i 4") && sampled.size() > 2,
                             longest);
    QVERIFY(failed.isEmpty());
}

void DeviceSamplerTest::whatHangsBesidesCostsNoReading()
{
    NpuSmiStandIn standIn;
    const QByteArray map = standIn.write("map", NpuSmiStandIn::map());
    const QByteArray table = standIn.write("table", NpuSmiStandIn::table(7));
    standIn.install("case \"$*\" in 'info -m') cat '" + map + "' ;; info) cat '" + table +
                    "' ;; *) exec sleep 1000 ;; esac");
    DeviceSamplerSettings settings = quick();
    settings.limit = std::chrono::seconds(5);
    DeviceSampler sampler(sourceOf(standIn), settings);
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    sampler.setWanted(this, true);
    QVERIFY(failed.wait(longest));
    QVERIFY(sampler.last());
    QVERIFY2(sampler.error()->what.contains(u"did not answer"_s), qPrintable(sampler.error()->sentence()));
    // The next round does not ask that again.
    QTRY_VERIFY_WITH_TIMEOUT(!sampler.error(), longest);

    sampler.setDetailedCard(CardId(4));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 2, longest);
    const auto readings = standIn.calls().count("C info");
    QTRY_VERIFY_WITH_TIMEOUT(!sampler.error() && standIn.calls().count("C info") > readings + 3, longest);
    QCOMPARE(standIn.calls().count("C info -t common -i 4"), 1);
    QCOMPARE(failed.size(), 2);
}

void DeviceSamplerTest::whereThereIsNothingThatIsSaid()
{
    DeviceSampler sampler(DeviceSource{}, quick());
    QSignalSpy failed(&sampler, &DeviceSampler::failed);
    sampler.setWanted(this, true);
    QVERIFY(failed.wait(longest));
    QCOMPARE(sampler.error(), noDeviceSource());
    QVERIFY(!noDeviceSource().mend.isEmpty());

    NpuSmiStandIn standIn; // Without the script.
    DeviceSampler missing(sourceOf(standIn), quick());
    missing.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(missing.error(), longest);
    QVERIFY2(missing.error()->what.contains(u"cannot be started"_s), qPrintable(missing.error()->sentence()));
}

void DeviceSamplerTest::dcmiIsAskedInAProcessOfItsOwn()
{
    qputenv("RANKDECK_DCMI", buildPath("tests/libdcmi_standin.so").toUtf8());
    const DeviceSource source = findDeviceSource(DeviceSource::Kind::Dcmi);
    QCOMPARE(source.path, buildPath("tests/libdcmi_standin.so"));
    DeviceSamplerSettings settings = quick();
    settings.helper = buildPath("bin/rankdeckctl");
    DeviceSampler sampler(source, settings);
    sampler.setWanted(this, true);
    QTRY_VERIFY_WITH_TIMEOUT(sampler.last() || sampler.error(), longest);
    QVERIFY2(sampler.last(), qPrintable(sampler.error().value_or(Error()).sentence()));
    QCOMPARE(sampler.last()->source, DeviceSource::Kind::Dcmi);
    QCOMPARE(sampler.last()->samples.size(), 4);
    QCOMPARE(sampler.last()->samples[3].ids.physical, PhysicalDeviceId(11));
    qunsetenv("RANKDECK_DCMI");
}

void DeviceSamplerTest::dcmiThatHangsOrCrashesHarmsNobody()
{
    qputenv("RANKDECK_DCMI", buildPath("tests/libdcmi_standin.so").toUtf8());
    DeviceSamplerSettings settings = quick();
    settings.helper = buildPath("bin/rankdeckctl");
    for (const auto &[word, said] : {std::pair{"hang", "did not answer within 2 s"},
                                     std::pair{"crash", "signal 6"}, std::pair{"-8005", "-8005"}}) {
        qputenv("DCMI_STANDIN", word);
        settings.limit = std::chrono::seconds(qstrcmp(word, "hang") == 0 ? 2 : 30);
        DeviceSampler sampler(findDeviceSource(DeviceSource::Kind::Dcmi), settings);
        QSignalSpy failed(&sampler, &DeviceSampler::failed);
        sampler.setWanted(this, true);
        QVERIFY(failed.wait(longest));
        const QString sentence = failed.constFirst().constFirst().value<Error>().sentence();
        QVERIFY2(sentence.contains(QLatin1String(said)), qPrintable(sentence));
    }
    qunsetenv("DCMI_STANDIN");
    qunsetenv("RANKDECK_DCMI");
}

} // namespace tst_devicesampler

RANKDECK_TEST(tst_devicesampler, DeviceSamplerTest)
#include "tst_devicesampler.moc"
