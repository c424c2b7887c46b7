#include "base/times.h"
#include "device/history/devicehistory.h"
#include "run/record/runreader.h"
#include "run/samples/historytexts.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_samplehistory
{

using namespace rankdeck;

/// The history of process trees, and what a run's histories come to.
class SampleHistoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatIsWrittenIsReadBack();
    void processesMayComeAndGo();
    void aLongHistoryIsThinnedAndSpansTheWholeRun();
    void whatIsTornOrLeftOutIsPassedOver();
    void whatIsNoHistoryIsSaid();
    void csvHasTheValuesOfAProcess();
    void nodesCountAsThePlanNamesThem();
    void theSummaryIsOfTheNpus();
    void theSummaryCallsACommandNoRank();
    void theSummaryNamesTheRanksWhereTheyWere();
    void whereNoRankIsKnownTheSummaryIsOfAllNpus();
    void whereThereAreNoneItIsOfTheProcesses();
    void ofManyItIsOneLine();
    void withoutAHistoryThereIsNone();

private:
    static NodeSample sampleAt(int seconds, const QList<int> &processes, double cpu = 150.4)
    {
        NodeSample sample;
        sample.time = utcTime(1'700'000'000'000 + 1000LL * seconds);
        for (const int process : processes)
            sample.loads.insert(process, TreeLoad{3, (100LL + process) << 20, cpu, 2.5 * (1 << 20), {}});
        return sample;
    }
    static DeviceReading readingAt(int seconds, int chips, int busy)
    {
        DeviceReading reading;
        reading.time = sampleAt(seconds, {}).time;
        for (int chip = 0; chip < chips; ++chip) {
            DeviceSample sample;
            sample.ids.logical = LogicalDeviceId(chip);
            sample.hbm = {1000 + 100 * seconds + chip, 65536};
            sample.rates.aiCore = busy;
            sample.temperatureC = 40 + chip;
            reading.samples << sample;
        }
        return reading;
    }
    QString path() const { return m_home->path("history"); }
    RunState stateOf(const RecordedRun &run) const { return *RunReader(run.directory()).open(); }

    std::unique_ptr<TestHome> m_home;
};

void SampleHistoryTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void SampleHistoryTest::whatIsWrittenIsReadBack()
{
    LoadHistoryWriter writer(path());
    QVERIFY(!writer.add(sampleAt(0, {0, 1})));
    QVERIFY(!writer.add(sampleAt(2, {0, 1})));
    QVERIFY(!writer.add(sampleAt(4, {})));
    QCOMPARE(QFileInfo(path()).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    const auto history = LoadHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->moments.size(), 2);
    QCOMPARE(history->processes, (QList<QList<int>>{{0, 1}}));
    const LoadMoment &moment = history->moments.last();
    QCOMPARE(moment.time, sampleAt(2, {}).time);
    QCOMPARE(moment.points.size(), 2);
    QCOMPARE(moment.points[1], (LoadPoint{150, 101, 2.5, {}, 3}));
    // What is as it was takes no room.
    QVERIFY(fileText(path()).endsWith(" = =\n"));
}

void SampleHistoryTest::processesMayComeAndGo()
{
    LoadHistoryWriter writer(path());
    QVERIFY(!writer.add(sampleAt(0, {0, 1, 2, 7})));
    QVERIFY(!writer.add(sampleAt(2, {7})));
    // As another supervisor would go on.
    QVERIFY(!LoadHistoryWriter(path()).add(sampleAt(4, {7, 9})));
    const auto history = LoadHistory::read(path());
    QVERIFY(history);
    QCOMPARE(history->processes, (QList<QList<int>>{{0, 1, 2, 7}, {7}, {7, 9}}));
    QCOMPARE(history->moments[1].points[0].residentMb, 107);
    QCOMPARE(history->moments[2].points[1].residentMb, 109);
}

void SampleHistoryTest::aLongHistoryIsThinnedAndSpansTheWholeRun()
{
    constexpr qint64 limit = 20'000;
    LoadHistoryWriter writer(path(), limit);
    constexpr int samples = 4000;
    for (int sample = 0; sample < samples; ++sample)
        QVERIFY(!writer.add(sampleAt(2 * sample, {0, 1}, sample)));
    QVERIFY(QFileInfo(path()).size() < limit + 200);
    const auto history = LoadHistory::read(path());
    QVERIFY(history);
    QVERIFY(history->moments.size() > 200);
    QCOMPARE(history->moments.first().time, sampleAt(0, {}).time);
    QVERIFY(history->moments.last().time > sampleAt(2 * samples - 200, {}).time);
}

void SampleHistoryTest::whatIsTornOrLeftOutIsPassedOver()
{
    const QByteArray heading = "# rankdeck processes 1 1\n";
    const auto history =
        LoadHistory::from(heading + "C 0-1\nS 1000 1,2 3,4\n[left out]\nS 2000 = 5,6\n"
                                    "S 3000 7,8 9,10\nS x 1 1\nS 4000 1\nS 5000 1,x 2\n"
                                    "C 0-99999999\nS 6000 1 1\nC 0-2\nC 3\nS 7000 1\nS 8000 2");
    QVERIFY(history);
    QCOMPARE(history->processes, (QList<QList<int>>{{0, 1}, {3}}));
    QStringList times;
    for (const LoadMoment &moment : history->moments)
        times << QString::number(moment.time.toMSecsSinceEpoch());
    QCOMPARE(times.join(' '_L1), u"1000 3000 7000"_s);
}

void SampleHistoryTest::whatIsNoHistoryIsSaid()
{
    QVERIFY(!LoadHistory::read(path()));
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# rankdeck devices 1 1\n");
    file.close();
    const auto history = LoadHistory::read(path());
    QVERIFY(!history);
    QVERIFY2(history.error().sentence().contains(path()), qPrintable(history.error().sentence()));
    LoadHistoryWriter writer(path());
    QVERIFY(writer.add(sampleAt(0, {0})));
    QCOMPARE(fileText(path()), QByteArray("# rankdeck devices 1 1\n"));
}

void SampleHistoryTest::csvHasTheValuesOfAProcess()
{
    LoadHistoryWriter writer(path());
    QVERIFY(!writer.add(sampleAt(0, {3, 4})));
    const auto history = LoadHistory::read(path());
    QCOMPARE(LoadHistory::csvHeading(),
             QByteArray("cpu_percent,resident_mb,read_mb_per_second,written_mb_per_second,processes"));
    QCOMPARE(LoadHistory::csvValues(history->moments.first().points[1]), QByteArray("150,104,2.5,,3"));
}

void SampleHistoryTest::nodesCountAsThePlanNamesThem()
{
    LaunchPlan plan;
    for (const char *node : {"b", "b", "a", "b", "c"}) {
        ProcessPlan process;
        process.node = QLatin1String(node);
        plan.processes.push_back(process);
    }
    QCOMPARE(sampledNodes(plan).join(' '_L1), u"b a c"_s);
    QCOMPARE(deviceHistoryPath(u"/r"_s, 2), u"/r/samples/devices-2"_s);
    QCOMPARE(loadHistoryPath(u"/r"_s, 0), u"/r/samples/processes-0"_s);
}

void SampleHistoryTest::theSummaryIsOfTheNpus()
{
    RecordedRun run(1, 2);
    QDir(run.directory()).mkdir(u"samples"_s);
    DeviceHistoryWriter devices(deviceHistoryPath(run.directory(), 0));
    QVERIFY(!devices.add(readingAt(0, 3, 90)));
    QVERIFY(!devices.add(readingAt(2, 3, 50)));
    QVERIFY(!LoadHistoryWriter(loadHistoryPath(run.directory(), 0)).add(sampleAt(0, {0, 1})));
    QCOMPARE(textsOf(sampleSummary(stateOf(run))),
             (QStringList{u"Device 0 (rank 0): at most 1200 of 65536 MB of its memory, AICore 70 "
                          "% on average, up to 40 °C"_s,
                          u"Device 1 (rank 1): at most 1201 of 65536 MB of its memory, AICore 70 "
                          "% on average, up to 41 °C"_s}));
}

void SampleHistoryTest::theSummaryCallsACommandNoRank()
{
    RecordedRun run(1, 1);
    QDir(run.directory()).mkdir(u"samples"_s);
    QVERIFY(!LoadHistoryWriter(loadHistoryPath(run.directory(), 0)).add(sampleAt(0, {0})));
    RunState state = stateOf(run);
    LaunchPlan plan = *state.plan;
    plan.processes.front().role = Role::Console;
    state.plan = std::make_shared<const LaunchPlan>(plan);
    const QString line = sampleSummary(state).value(0);
    QVERIFY2(line.startsWith("Command: "_L1), qPrintable(line));
}

void SampleHistoryTest::theSummaryNamesTheRanksWhereTheyWere()
{
    RecordedRun run(1, 3);
    QDir(run.directory()).mkdir(u"samples"_s);
    DeviceHistoryWriter devices(deviceHistoryPath(run.directory(), 0));
    QVERIFY(!devices.add(readingAt(0, 4, 90), {{0, 3}, {1, 3}}));
    QVERIFY(!devices.add(readingAt(2, 4, 50), {{0, 3}, {1, 3}, {2, 1}}));
    QCOMPARE(textsOf(sampleSummary(stateOf(run))),
             (QStringList{u"Device 1 (rank 2): at most 1201 of 65536 MB of its memory, AICore 70 "
                          "% on average, up to 41 °C"_s,
                          u"Device 3 (ranks 0,1): at most 1203 of 65536 MB of its memory, AICore "
                          "70 % on average, up to 43 °C"_s}));
}

void SampleHistoryTest::whereNoRankIsKnownTheSummaryIsOfAllNpus()
{
    RecordedRun run(1, 2);
    QDir(run.directory()).mkdir(u"samples"_s);
    DeviceReading reading = readingAt(0, 2, 90);
    for (DeviceSample &sample : reading.samples)
        sample.ids.logical->value += 8; // Planned were 0 and 1.
    QVERIFY(!DeviceHistoryWriter(deviceHistoryPath(run.directory(), 0)).add(reading));
    const QStringList lines = textsOf(sampleSummary(stateOf(run)));
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].startsWith(u"Device 8: at most 1000 of 65536 MB"_s), qPrintable(lines[0]));
}

void SampleHistoryTest::whereThereAreNoneItIsOfTheProcesses()
{
    RecordedRun run(1, 2);
    QDir(run.directory()).mkdir(u"samples"_s);
    LoadHistoryWriter writer(loadHistoryPath(run.directory(), 0));
    QVERIFY(!writer.add(sampleAt(0, {0, 1}, 100)));
    QVERIFY(!writer.add(sampleAt(0, {0, 1}, 50)));
    QCOMPARE(sampleSummary(stateOf(run)).first(),
             u"Rank 0: at most 100 MB resident, 75 % of a processor on average"_s);
}

void SampleHistoryTest::ofManyItIsOneLine()
{
    RecordedRun run(1, 64);
    QDir(run.directory()).mkdir(u"samples"_s);
    QVERIFY(!DeviceHistoryWriter(deviceHistoryPath(run.directory(), 0)).add(readingAt(0, 64, 90)));
    const QStringList lines = textsOf(sampleSummary(stateOf(run)));
    QCOMPARE(lines.size(), 1);
    QVERIFY2(lines[0].startsWith(u"Of 64, most memory was used by Device 63 (rank 63): at most 1063"_s),
             qPrintable(lines[0]));
}

void SampleHistoryTest::withoutAHistoryThereIsNone()
{
    const RecordedRun run;
    QVERIFY(sampleSummary(stateOf(run)).isEmpty());
}

} // namespace tst_samplehistory

RANKDECK_TEST(tst_samplehistory, SampleHistoryTest)
#include "tst_samplehistory.moc"
