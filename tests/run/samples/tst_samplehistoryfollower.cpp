#include "base/times.h"
#include "device/history/devicehistory.h"
#include "launch/plan/launchplan.h"
#include "run/samples/historytexts.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "run/samples/samplehistoryfollower.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_samplehistoryfollower
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;
constexpr qint64 begin = 1'700'000'000'000;

DeviceReading reading(int second, int chips, int busy)
{
    DeviceReading reading;
    reading.time = utcTime(begin + second * qint64(1000));
    for (int chip = 0; chip < chips; ++chip) {
        DeviceSample sample;
        // The source lists them the other way round.
        sample.ids.logical = LogicalDeviceId(chips - 1 - chip);
        sample.rates.aiCore = busy + (chips - 1 - chip);
        sample.hbm = {1024 * busy, 65536};
        sample.temperatureC = 40;
        reading.samples << sample;
    }
    return reading;
}

QList<double> valuesOf(const ValueSeries &series)
{
    QList<double> values;
    for (int at = 0; at < series.size(); ++at) {
        if (!series.at(at).isEmpty())
            values << double(series.at(at).last);
    }
    return values;
}

} // namespace

class TestSampleHistoryFollower : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void eachRankHasTheValuesOfItsChip();
    void whatChipsTellInsteadIsCalledSo();
    void whatIsAppendedIsReadOn();
    void aFileThatWasThinnedIsBegunAnew();
    void aHistoryOfManyPiecesIsWhole();
    void withoutAHistoryTheCurvesAreEmpty();
    void ofNobodyNothingIsTold();
    void whatWasLatelyIsTold();
    void timesOfNoRunAreLeftOut();
    void whatWasRecordedOfChipsWins();
    void processTreesHaveCurvesToo();
    void allOfItIsCommaSeparated();

private:
    QString file(int node) const { return deviceHistoryPath(m_folder->path(), node); }
    void write(int node, int second, int busy)
    {
        DeviceHistoryWriter writer(file(node));
        QVERIFY(!writer.add(reading(second, 2, busy)));
    }

    /// Of rank 1.
    void writeLoad(int node, int second, double cpu)
    {
        NodeSample sample;
        sample.time = utcTime(begin + second * qint64(1000));
        sample.loads.insert(1, TreeLoad{3, qint64(2) << 30, cpu, {}, {}});
        LoadHistoryWriter writer(loadHistoryPath(m_folder->path(), node));
        QVERIFY(!writer.add(sample));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<const LaunchPlan> m_plan; ///< Two servers of two devices; ranks 0-1 and 2-3.
};

void TestSampleHistoryFollower::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkdir(u"samples"_s));
    m_plan = handMadeRun(2, 2, 2).plan;
}

void TestSampleHistoryFollower::eachRankHasTheValuesOfItsChip()
{
    write(0, 0, 10);
    write(0, 2, 20);
    write(1, 0, 50);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({1, 2});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const auto curves = plotted.first().first().value<SampleCurves>();
    QCOMPARE(curves.curves.size(), 2);
    QCOMPARE(curves.curves.at(0).process, 1);
    QCOMPARE(valuesOf(curves.curves.at(0).of(SampleQuantity::AiCore)), (QList<double>{11, 21}));
    QCOMPARE(valuesOf(curves.curves.at(0).of(SampleQuantity::Hbm)), (QList<double>{10, 20}));
    QCOMPARE(curves.curves.at(1).process, 2);
    QCOMPARE(valuesOf(curves.curves.at(1).of(SampleQuantity::AiCore)), QList<double>{50});
    // What a card does not give is not 0.
    QVERIFY(curves.curves.at(0).of(SampleQuantity::Power).isEmpty());
    // The first value is where it was.
    const ValueSeries &series = curves.curves.at(0).of(SampleQuantity::AiCore);
    QVERIFY(series.stepOf(0) <= begin && begin < series.stepOf(1));
    QVERIFY(curves.gap > 2000);
}

/// A 950 tells how busy it is as a whole, a 310 has DDR alone.
void TestSampleHistoryFollower::whatChipsTellInsteadIsCalledSo()
{
    DeviceReading both = reading(0, 2, 10);
    DeviceSample &other = both.samples[0]; // Of rank 1.
    other.rates.npu = other.rates.aiCore;
    other.rates.aiCore.reset();
    other.ddr = {3072, 8192};
    other.hbm = {};
    both.samples[1].rates.npu = 99; // Its AI cores say more.
    DeviceHistoryWriter writer(file(0));
    QVERIFY(!writer.add(both));
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({0, 1});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const auto curves = plotted.first().first().value<SampleCurves>().curves;
    QCOMPARE(valuesOf(curves.at(0).of(SampleQuantity::AiCore)), QList<double>{10});
    QVERIFY(curves.at(0).of(SampleQuantity::Npu).isEmpty());
    QCOMPARE(valuesOf(curves.at(0).of(SampleQuantity::Hbm)), QList<double>{10});
    QVERIFY(curves.at(0).of(SampleQuantity::Ddr).isEmpty());
    QVERIFY(curves.at(1).of(SampleQuantity::AiCore).isEmpty());
    QCOMPARE(valuesOf(curves.at(1).of(SampleQuantity::Npu)), QList<double>{11});
    QVERIFY(curves.at(1).of(SampleQuantity::Hbm).isEmpty());
    QCOMPARE(valuesOf(curves.at(1).of(SampleQuantity::Ddr)), QList<double>{3});
    // How busy they were lately is either.
    QSignalSpy recent(&follower, &SampleHistoryFollower::recentTold);
    follower.tellRecent(begin);
    QTRY_COMPARE_WITH_TIMEOUT(recent.size(), 1, deadlineMs);
    QMap<int, double> busy;
    for (const auto &moment : recent.first().first().value<RecentBusyness>().moments)
        busy.insert(moment.process, moment.busy);
    QCOMPARE(busy, (QMap<int, double>{{0, 10}, {1, 11}}));
}

void TestSampleHistoryFollower::whatIsAppendedIsReadOn()
{
    write(0, 0, 10);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.setLive(true);
    follower.plot({0});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    DeviceHistoryWriter writer(file(0));
    QVERIFY(!writer.add(reading(2, 2, 20)));
    // The same again is a mark for that in the file.
    QVERIFY(!writer.add(reading(4, 2, 20)));
    QTRY_VERIFY_WITH_TIMEOUT(plotted.size() > 1, deadlineMs);
    QVERIFY(!writer.add(reading(6, 2, 20)));
    const auto last = [&plotted] {
        return valuesOf(
            plotted.last().first().value<SampleCurves>().curves.first().of(SampleQuantity::AiCore));
    };
    QTRY_COMPARE_WITH_TIMEOUT(last(), (QList<double>{10, 20, 20, 20}), deadlineMs);
    // It sends nothing while nothing comes, and reads to the end when the run is over.
    QVERIFY(!writer.add(reading(8, 2, 30)));
    follower.setLive(false);
    QTRY_COMPARE_WITH_TIMEOUT(last(), (QList<double>{10, 20, 20, 20, 30}), deadlineMs);
}

void TestSampleHistoryFollower::aFileThatWasThinnedIsBegunAnew()
{
    write(0, 0, 10);
    write(0, 2, 20);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.setLive(true);
    follower.plot({0});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const QString other = file(7);
    for (const int second : {0, 6}) {
        DeviceHistoryWriter writer(other);
        QVERIFY(!writer.add(reading(second, 2, 70)));
    }
    QCOMPARE(std::rename(QFile::encodeName(other).constData(), QFile::encodeName(file(0)).constData()), 0);
    QTRY_VERIFY_WITH_TIMEOUT(plotted.size() > 1, deadlineMs);
    QCOMPARE(valuesOf(plotted.last().first().value<SampleCurves>().curves.first().of(SampleQuantity::AiCore)),
             (QList<double>{70, 70}));
}

void TestSampleHistoryFollower::aHistoryOfManyPiecesIsWhole()
{
    constexpr int moments = 20'000;
    {
        DeviceHistoryWriter writer(file(0));
        for (int at = 0; at < moments; ++at)
            QVERIFY(!writer.add(reading(2 * at, 2, at % 90)));
    }
    QVERIFY(QFile(file(0)).size() > 2 * HistoryTail::pieceBytes);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({0});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const auto curves = plotted.first().first().value<SampleCurves>();
    const ValueSeries &series = curves.curves.first().of(SampleQuantity::AiCore);
    quint32 values = 0;
    for (int at = 0; at < series.size(); ++at)
        values += series.at(at).count;
    QCOMPARE(values, quint32(moments));
}

void TestSampleHistoryFollower::withoutAHistoryTheCurvesAreEmpty()
{
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({0, 99, -1});
    QCOMPARE(plotted.size(), 1);
    const auto curves = plotted.first().first().value<SampleCurves>();
    QCOMPARE(curves.curves.size(), 1);
    QVERIFY(curves.curves.first().of(SampleQuantity::AiCore).isEmpty());
}

void TestSampleHistoryFollower::ofNobodyNothingIsTold()
{
    write(0, 0, 10);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.setLive(true);
    follower.plot({});
    QVERIFY(plotted.isEmpty());
    QCOMPARE(follower.findChildren<QTimer *>().size(), 3);
    for (const QTimer *timer : follower.findChildren<QTimer *>())
        QVERIFY(!timer->isActive());
}

void TestSampleHistoryFollower::whatWasLatelyIsTold()
{
    write(0, 0, 10);
    write(0, 2, 20);
    write(1, 4, 50);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy told(&follower, &SampleHistoryFollower::recentTold);
    follower.tellRecent(begin + 1000);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, deadlineMs);
    const auto first = told.at(0).first().value<RecentBusyness>().moments;
    QCOMPARE(first.size(), 2);
    QCOMPARE(first.at(0).process, 0);
    QCOMPARE(first.at(0).time, begin + 2000);
    QCOMPARE(first.at(0).busy, 20.0);
    QCOMPARE(first.at(1).process, 1);
    QCOMPARE(told.at(1).first().value<RecentBusyness>().moments.first().process, 2);
}

void TestSampleHistoryFollower::timesOfNoRunAreLeftOut()
{
    QFile made(file(0));
    QVERIFY(made.open(QIODevice::WriteOnly));
    made.write("# rankdeck devices 1 1\nC [{\"logical_id\": 0}]\nS -5 1\nS 9223372036854775807 2\n"
               "S 1700000000000 3\nS junk 4\nS 1700000002000 5,6,7,8,9,10,11,12,13,14,15\n");
    made.close();
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({0});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    QCOMPARE(valuesOf(plotted.last().first().value<SampleCurves>().curves.first().of(SampleQuantity::AiCore)),
             QList<double>{3});
}

void TestSampleHistoryFollower::whatWasRecordedOfChipsWins()
{
    // Rank 0 worked with the chip that stands last, rank 1 with none.
    DeviceHistoryWriter writer(file(0));
    QVERIFY(!writer.add(reading(0, 2, 10), {{0, 0}}));
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    follower.plot({0, 1});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const auto curves = plotted.first().first().value<SampleCurves>().curves;
    QCOMPARE(valuesOf(curves.at(0).of(SampleQuantity::AiCore)), QList<double>{11});
    QVERIFY(curves.at(1).of(SampleQuantity::AiCore).isEmpty());
}

void TestSampleHistoryFollower::processTreesHaveCurvesToo()
{
    writeLoad(0, 0, 100);
    writeLoad(0, 2, 250);
    SampleHistoryFollower follower(m_folder->path(), m_plan);
    QSignalSpy plotted(&follower, &SampleHistoryFollower::plotted);
    QSignalSpy told(&follower, &SampleHistoryFollower::recentTold);
    follower.plot({1});
    QTRY_COMPARE_WITH_TIMEOUT(plotted.size(), 1, deadlineMs);
    const auto curve = plotted.first().first().value<SampleCurves>().curves.first();
    QCOMPARE(valuesOf(curve.of(SampleQuantity::Cpu)), (QList<double>{100, 250}));
    QCOMPARE(valuesOf(curve.of(SampleQuantity::Resident)), (QList<double>{2, 2}));
    QVERIFY(curve.of(SampleQuantity::AiCore).isEmpty());
    // Without an NPU it is the processes that are busy.
    follower.tellRecent(begin + 1000);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, deadlineMs);
    QCOMPARE(told.first().first().value<RecentBusyness>().moments.first().busy, 250.0);
}

void TestSampleHistoryFollower::allOfItIsCommaSeparated()
{
    QBuffer out;
    QVERIFY(out.open(QIODevice::WriteOnly));
    QVERIFY(writeSampleCsv(out, m_folder->path(), *m_plan, {0})); // There is none.
    write(0, 0, 10);
    writeLoad(0, 0, 100);
    write(1, 0, 10); // Nobody asked for that node.
    out.close();
    out.setData({});
    QVERIFY(out.open(QIODevice::WriteOnly));
    QVERIFY(!writeSampleCsv(out, m_folder->path(), *m_plan, {0}));
    QCOMPARE(out.data(),
             QByteArray("node,rank,time,device,physical_id,card,chip,bus,name,ai_core_percent,npu_percent,"
                        "hbm_used_mb,ddr_used_mb,temperature_c,power_w,clock_mhz,health,errors,"
                        "cpu_percent,resident_mb,read_mb_per_second,written_mb_per_second,processes\n"
                        "10.0.0.1,1,2023-11-14T22:13:20.000Z,1,,,,,,11,,10240,,40,,,,,,,,,\n"
                        "10.0.0.1,0,2023-11-14T22:13:20.000Z,0,,,,,,10,,10240,,40,,,,,,,,,\n"
                        "10.0.0.1,1,2023-11-14T22:13:20.000Z,,,,,,,,,,,,,,,,100,2048,,,3\n"));
}

} // namespace tst_samplehistoryfollower

RANKDECK_TEST(tst_samplehistoryfollower, TestSampleHistoryFollower)
#include "tst_samplehistoryfollower.moc"
