#include "agent/preflight/hostchecks.h"
#include "support/testmain.h"

#include <QTest>

#include <algorithm>

namespace tst_npusamples
{

using namespace rankdeck;

/// What a preflight makes of one reading of the NPUs.
class NpuSamplesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void npusThatAreWellPass();
    void anIllOneIsNamed_data();
    void anIllOneIsNamed();
    void othersAreNoBusinessOfTheLaunch();
    void whatIsNotListedFails();
    void memoryInUseIsAWarning();
    void lessMemoryThanIsNeededFails();
    void whatIsNotToldIsSkipped();
    void aFailedReadingIsAWarning();

private:
    using Status = PreflightCheck::Status;

    static DeviceSample sample(int logical, const char *health = "OK", qint64 used = 3000)
    {
        DeviceSample sample;
        sample.ids.logical = LogicalDeviceId(logical);
        sample.ids.card = CardId(logical);
        sample.healthWord = QString::fromLatin1(health);
        sample.health = healthFromWord(sample.healthWord);
        sample.hbm = {used, 65536};
        return sample;
    }
    static DeviceReading reading(const QList<DeviceSample> &samples)
    {
        DeviceReading reading;
        reading.source = DeviceSource::Kind::NpuSmi;
        reading.samples = samples;
        return reading;
    }
    static PreflightCheck named(const std::vector<PreflightCheck> &checks, const char *name)
    {
        const auto found = std::find_if(checks.begin(), checks.end(), [&](const PreflightCheck &check) {
            return check.name == QLatin1String(name);
        });
        return found == checks.end() ? PreflightCheck() : *found;
    }
};

void NpuSamplesTest::npusThatAreWellPass()
{
    const auto checks = npuSampleChecks(reading({sample(0), sample(1)}), {0, 1});
    QCOMPARE(checks.size(), std::size_t(2));
    QCOMPARE(named(checks, "npu-health").sentence, u"2 NPUs are healthy."_s);
    QCOMPARE(named(checks, "npu-memory").status, Status::Pass);
    QVERIFY(named(checks, "npu-memory").sentence.contains("62536 MB"_L1));
}

void NpuSamplesTest::anIllOneIsNamed_data()
{
    QTest::addColumn<QByteArray>("health");
    QTest::addColumn<int>("status");
    QTest::newRow("a warning") << QByteArray("Warning") << static_cast<int>(Status::Warn);
    QTest::newRow("an alarm") << QByteArray("Alarm") << static_cast<int>(Status::Fail);
    QTest::newRow("critical") << QByteArray("Critical") << static_cast<int>(Status::Fail);
}

void NpuSamplesTest::anIllOneIsNamed()
{
    QFETCH(QByteArray, health);
    QFETCH(int, status);
    const PreflightCheck check =
        named(npuSampleChecks(reading({sample(0), sample(1, health.constData())}), {0, 1}), "npu-health");
    QCOMPARE(static_cast<int>(check.status), status);
    QVERIFY2(check.sentence.contains("evice 1"_L1) && check.sentence.contains(QLatin1String(health)),
             qPrintable(check.sentence));
    QVERIFY(!check.mend.isEmpty());
}

void NpuSamplesTest::othersAreNoBusinessOfTheLaunch()
{
    const auto checks = npuSampleChecks(reading({sample(0), sample(1, "Critical", 60000)}), {0});
    QCOMPARE(named(checks, "npu-health").sentence, u"1 NPU is healthy."_s);
    QCOMPARE(named(checks, "npu-memory").status, Status::Pass);
}

void NpuSamplesTest::whatIsNotListedFails()
{
    const PreflightCheck check = named(npuSampleChecks(reading({sample(0)}), {0, 1, 2}), "npus-listed");
    QCOMPARE(check.status, Status::Fail);
    QVERIFY(check.sentence.contains("Devices 1-2"_L1));
    // Without logical ids the order of the chips stands for them.
    DeviceSample anonymous = sample(0);
    anonymous.ids.logical.reset();
    QCOMPARE(named(npuSampleChecks(reading({anonymous, anonymous}), {0, 1}), "npu-health").status,
             Status::Pass);
}

void NpuSamplesTest::lessMemoryThanIsNeededFails()
{
    const auto memory = [](int neededMb) {
        return named(npuSampleChecks(reading({sample(0), sample(1, "OK", 60000)}), {0, 1}, neededMb),
                     "npu-memory");
    };
    QCOMPARE(memory(5536).status, Status::Warn);
    QCOMPARE(memory(5537).status, Status::Fail);
    QCOMPARE(memory(5537).sentence,
             u"5537 MB are needed on each NPU, but device 1 has less free: 5536 MB."_s);
}

void NpuSamplesTest::memoryInUseIsAWarning()
{
    const PreflightCheck check =
        named(npuSampleChecks(reading({sample(0), sample(1, "OK", 60000)}), {0, 1}), "npu-memory");
    QCOMPARE(check.status, Status::Warn);
    QVERIFY2(check.sentence.contains("device 1; 5536 MB are free"_L1), qPrintable(check.sentence));
}

void NpuSamplesTest::whatIsNotToldIsSkipped()
{
    DeviceSample silent;
    silent.ids.logical = LogicalDeviceId(0);
    for (const PreflightCheck &check : npuSampleChecks(reading({silent}), {0}))
        QCOMPARE(check.status, Status::Skipped);
}

void NpuSamplesTest::aFailedReadingIsAWarning()
{
    const auto checks = npuSampleChecks(Error{u"no answer"_s, u"npu-smi"_s, {}}, {0});
    QCOMPARE(checks.size(), std::size_t(1));
    QCOMPARE(checks.front().status, Status::Warn);
    QCOMPARE(checks.front().sentence, u"npu-smi: no answer."_s);
}

} // namespace tst_npusamples

RANKDECK_TEST(tst_npusamples, NpuSamplesTest)
#include "tst_npusamples.moc"
