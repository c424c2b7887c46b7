#include "agent/channel/clocks.h"
#include "base/times.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_sampleclock
{

using namespace rankdeck;

/// Samples of a node whose clock is not this machine's.
class SampleClockTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesAreThisMachines_data();
    void timesAreThisMachines();
};

void SampleClockTest::timesAreThisMachines_data()
{
    QTest::addColumn<int>("ahead"); // Seconds, of the node's clock.
    QTest::newRow("behind") << -3600;
    QTest::newRow("the same") << 0;
    QTest::newRow("ahead") << 3600;
}

void SampleClockTest::timesAreThisMachines()
{
    QFETCH(int, ahead);
    const QDateTime here = utcTime(1'700'000'000'000);
    const QDateTime there = here.addSecs(ahead);
    SampleClock clock;
    NodeSample sample;
    sample.time = there;
    QCOMPARE(clock.mapped(sample, here).time, here);
    QVERIFY(!clock.mapped(sample, here).devices);

    // Made four seconds before, and sent on once more, which takes a little longer.
    sample.devices.emplace();
    sample.devices->time = there.addSecs(-4);
    QCOMPARE(clock.mapped(sample, here).devices->time, here.addSecs(-4));
    sample.time = there.addSecs(2);
    const NodeSample second = clock.mapped(sample, here.addMSecs(2300));
    QCOMPARE(second.time, here.addMSecs(2300));
    QCOMPARE(second.devices->time, here.addSecs(-4));
    sample.devices->time = there.addSecs(1);
    QCOMPARE(clock.mapped(sample, here.addMSecs(2300)).devices->time, here.addMSecs(1300));
    // One that a clock which was set back says is of the future is of now.
    sample.devices->time = there.addSecs(900);
    QCOMPARE(clock.mapped(sample, here).devices->time, here);
}

} // namespace tst_sampleclock

RANKDECK_TEST(tst_sampleclock, SampleClockTest)
#include "tst_sampleclock.moc"
