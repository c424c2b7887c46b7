#include "device/sampling/devicealarm.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_devicealarm
{

using namespace rankdeck;

namespace
{

DeviceReading readingOf(const QList<DeviceHealth> &healths)
{
    DeviceReading reading;
    for (const DeviceHealth health : healths) {
        DeviceSample sample;
        const int index = static_cast<int>(reading.samples.size());
        sample.ids.logical = LogicalDeviceId(index);
        sample.ids.card = CardId(index + 4);
        sample.ids.chip = ChipId(0);
        sample.name = u"910B3"_s;
        sample.health = health;
        sample.healthWord = healthWord(health);
        reading.samples << sample;
    }
    return reading;
}

QStringList sentencesOf(const QList<DeviceAlarm> &alarms)
{
    QStringList sentences;
    for (const DeviceAlarm &alarm : alarms)
        sentences << alarm.sentence();
    return sentences;
}

} // namespace

class DeviceAlarmTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChangeOfHealthIsToldOnce();
    void newErrorCodesAreTold();
    void bitErrorsThatWereNotMendedAreTold();
    void linksThatGoAndComeAreTold();
    void chipsThatGoAndComeAreTold();
    void aFirstReadingTellsWhoIsNotWell();
    void freeIsWhatNothingRunsOn();
    void freeMemoryIsOfTheMemoryThereIs();
};

void DeviceAlarmTest::aChangeOfHealthIsToldOnce()
{
    using enum DeviceHealth;
    const DeviceReading well = readingOf({Ok, Ok, Warning});
    const DeviceReading ill = readingOf({Ok, Alarm, Critical});
    QCOMPARE(alarmsBetween(well, well), QList<DeviceAlarm>());
    QCOMPARE(alarmsBetween(ill, ill), QList<DeviceAlarm>());
    QCOMPARE(sentencesOf(alarmsBetween(well, ill)),
             (QStringList{u"Device 1 (910B3, card 5): its health was OK and is Alarm."_s,
                          u"Device 2 (910B3, card 6): its health was Warning and is Critical."_s}));
    const QList<DeviceAlarm> back = alarmsBetween(ill, well);
    QCOMPARE(back.size(), 2);
    QCOMPARE(back[0].kind, DeviceAlarm::Kind::Better);
    QCOMPARE(alarmsBetween(readingOf({Critical}), readingOf({Unknown}))[0].kind, DeviceAlarm::Kind::Worse);
}

void DeviceAlarmTest::newErrorCodesAreTold()
{
    DeviceReading before = readingOf({DeviceHealth::Alarm});
    DeviceReading after = before;
    before.samples[0].errorCodes = QList<quint32>{1};
    after.samples[0].errorCodes = QList<quint32>{1, 0x80E18005};
    const QList<DeviceAlarm> alarms = alarmsBetween(before, after);
    QCOMPARE(sentencesOf(alarms),
             QStringList{u"Device 0 (910B3, card 4): it reports the error 0x80e18005."_s});
    after.samples[0].errorCodes.reset(); // It was not asked this time.
    QCOMPARE(alarmsBetween(before, after), QList<DeviceAlarm>());
}

void DeviceAlarmTest::bitErrorsThatWereNotMendedAreTold()
{
    DeviceReading before = readingOf({DeviceHealth::Ok});
    DeviceReading after = before;
    before.samples[0].bitErrors = {7, 1, 3, 0};
    after.samples[0].bitErrors = {9, 1, 4, 2};
    QCOMPARE(sentencesOf(alarmsBetween(before, after)),
             QStringList{u"Device 0 (910B3, card 4): 2 more uncorrected bit errors of its memory."_s});
    QCOMPARE(alarmsBetween(after, after), QList<DeviceAlarm>());
    QCOMPARE(alarmsBetween(after, before), QList<DeviceAlarm>()); // The driver was loaded anew.
    QCOMPARE(alarmsBetween({}, after), QList<DeviceAlarm>());     // Of before nobody knows.
}

void DeviceAlarmTest::linksThatGoAndComeAreTold()
{
    const DeviceReading unknown = readingOf({DeviceHealth::Ok});
    DeviceReading up = unknown;
    DeviceReading down = unknown;
    up.samples[0].isLinkUp = true;
    down.samples[0].isLinkUp = false;
    const QStringList wentDown{u"Device 0 (910B3, card 4): the link of its network port is down."_s};
    QCOMPARE(sentencesOf(alarmsBetween(up, down)), wentDown);
    QCOMPARE(sentencesOf(alarmsBetween(unknown, down)), wentDown);
    QCOMPARE(sentencesOf(alarmsBetween({}, down)), wentDown);
    QCOMPARE(sentencesOf(alarmsBetween(down, up)),
             QStringList{u"Device 0 (910B3, card 4): the link of its network port is up again."_s});
    QCOMPARE(alarmsBetween(unknown, up), QList<DeviceAlarm>());
    QCOMPARE(alarmsBetween(down, unknown), QList<DeviceAlarm>());
    QVERIFY(isWell(up.samples[0]) && isWell(unknown.samples[0]) && !isWell(down.samples[0]));
}

void DeviceAlarmTest::chipsThatGoAndComeAreTold()
{
    using enum DeviceHealth;
    const QList<DeviceAlarm> gone = alarmsBetween(readingOf({Ok, Ok}), readingOf({Ok}));
    QCOMPARE(gone.size(), 1);
    QCOMPARE(gone[0].kind, DeviceAlarm::Kind::Vanished);
    QCOMPARE(gone[0].ids.card, CardId(5));
    const QList<DeviceAlarm> back = alarmsBetween(readingOf({Ok}), readingOf({Ok, Warning}));
    QCOMPARE(back.size(), 2);
    QCOMPARE(back[0].kind, DeviceAlarm::Kind::Returned);
    QCOMPARE(back[1].kind, DeviceAlarm::Kind::Worse);
}

void DeviceAlarmTest::aFirstReadingTellsWhoIsNotWell()
{
    using enum DeviceHealth;
    QCOMPARE(sentencesOf(alarmsBetween({}, readingOf({Ok, Alarm}))),
             QStringList{u"Device 1 (910B3, card 5): its health is Alarm."_s});
}

void DeviceAlarmTest::freeIsWhatNothingRunsOn()
{
    DeviceSample sample;
    QCOMPARE(isFree(sample), std::nullopt);
    sample.processes.emplace();
    QCOMPARE(isFree(sample), true);
    sample.health = DeviceHealth::Critical;
    QCOMPARE(isFree(sample), false);
    sample.health = DeviceHealth::Ok;
    *sample.processes << DeviceProcess{12, {}, {}, {}};
    QCOMPARE(isFree(sample), false);
}

void DeviceAlarmTest::freeMemoryIsOfTheMemoryThereIs()
{
    DeviceSample sample;
    QCOMPARE(freeMemoryMb(sample), std::nullopt);
    sample.ddr = {100, 1000};
    QCOMPARE(freeMemoryMb(sample), 900);
    sample.hbm = {60000, 65536};
    QCOMPARE(freeMemoryMb(sample), 5536);
    sample.hbm.used.reset();
    QCOMPARE(freeMemoryMb(sample), std::nullopt);
}

} // namespace tst_devicealarm

RANKDECK_TEST(tst_devicealarm, DeviceAlarmTest)
#include "tst_devicealarm.moc"
