#include "agent/supervise/samplekeeper.h"
#include "base/times.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_samplealarms
{

using namespace rankdeck;

namespace
{

constexpr qint64 minute = 60'000;

DeviceSample chip(int number, const char *health = "OK")
{
    DeviceSample sample;
    sample.ids.logical = LogicalDeviceId(number);
    sample.ids.card = CardId(number);
    sample.setHealth(QLatin1String(health));
    return sample;
}

DeviceUser stranger(qint64 pid)
{
    return {{pid, u"python\x1b[2J"_s, 300, {}}, pid, -1, u"bob"_s};
}

} // namespace

/// What becomes of samples in the journal.
class SampleAlarmsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aChipThatIsIllAtFirstIsTold();
    void whatIsToldIsToldOnce();
    void aLinkThatIsDownStandsUntilItIsUp();
    void aChipThatVanishesIsThatOfItsRank();
    void whatIsNotSaidThisTimeIsAsItWas();
    void anErrorThatHasGoneIsOver();
    void onManyNodesTheNodeIsNamed();
    void whatFlapsIsToldSeldom();
    void aStrangerIsToldOnceWhenItStays();
    void oneOfOursIsNoStranger();
    void aSampleWithoutNpusSaysNothing();

private:
    /// A new reading of these. Ranks of others have no chip from now on.
    QStringList take(const QList<DeviceSample> &chips, const QList<QList<DeviceUser>> &users = {})
    {
        m_sample.devices = DeviceReading{DeviceSource::Kind::NpuSmi, m_time, {}, chips};
        m_sample.users = users;
        m_sample.chips.removeIf([&](const auto &chip) { return chip.value() >= chips.size(); });
        m_time = m_time.addSecs(2);
        return taken();
    }
    QStringList taken()
    {
        m_now += 2000;
        QStringList texts;
        m_events = m_alarms.take(m_sample, m_plan, m_now);
        for (const RunEvent &event : std::as_const(m_events))
            texts << event.text();
        return texts;
    }

    LaunchPlan m_plan;
    SampleAlarms m_alarms;
    NodeSample m_sample;
    QList<RunEvent> m_events;
    QDateTime m_time;
    qint64 m_now = 0;
};

void SampleAlarmsTest::init()
{
    m_plan = {};
    m_alarms = {};
    m_sample = {};
    m_sample.node = u"one"_s;
    m_time = utcTime(1'700'000'000'000);
    m_now = m_time.toMSecsSinceEpoch();
    for (int rank = 0; rank < 2; ++rank) {
        ProcessPlan process;
        process.rank = Rank(rank + 4);
        process.node = u"one"_s;
        m_plan.processes.push_back(process);
        m_sample.chips.insert(rank, rank);
        m_sample.loads.insert(rank, TreeLoad());
    }
}

void SampleAlarmsTest::aChipThatIsIllAtFirstIsTold()
{
    QCOMPARE(take({chip(0), chip(1, "Alarm"), chip(2, "Critical")}),
             (QStringList{u"Device 1 (card 1): its health is Alarm. Rank 5 runs on it."_s,
                          u"Device 2 (card 2): its health is Critical."_s}));
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
    QCOMPARE(m_events[0].process(), 1);
    QCOMPARE(m_events[0].node, u"one"_s);
    QCOMPARE(m_events[1].process(), -1);
}

void SampleAlarmsTest::whatIsToldIsToldOnce()
{
    QVERIFY(take({chip(0), chip(1)}).isEmpty());
    QCOMPARE(take({chip(0, "Warning"), chip(1)}).size(), 1);
    QVERIFY(take({chip(0, "Warning"), chip(1)}).isEmpty());
    QVERIFY(taken().isEmpty()); // The same reading in a later sample.
    QCOMPARE(take({chip(0, "OK"), chip(1)}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceWell>());
    QCOMPARE(m_events[0].process(), 0);
    // Better is not well.
    QCOMPARE(take({chip(0, "Alarm"), chip(1)}).size(), 1);
    QCOMPARE(take({chip(0, "Warning"), chip(1)}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
}

void SampleAlarmsTest::aLinkThatIsDownStandsUntilItIsUp()
{
    DeviceSample down = chip(0, "Alarm");
    down.isLinkUp = false;
    QVERIFY(take({chip(0)}).isEmpty());
    QCOMPARE(take({down}).size(), 2);
    // Its health is back, its link is not.
    down.healthWord = u"OK"_s;
    down.health = DeviceHealth::Ok;
    QCOMPARE(take({down}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
    DeviceSample up = chip(0);
    up.isLinkUp = true;
    QCOMPARE(
        take({up}),
        QStringList{u"Device 0 (card 0): the link of its network port is up again. Rank 4 runs on it."_s});
    QVERIFY(m_events[0].is<events::DeviceWell>());
}

void SampleAlarmsTest::aChipThatVanishesIsThatOfItsRank()
{
    QVERIFY(take({chip(0), chip(1)}).isEmpty());
    QCOMPARE(take({chip(0)}),
             QStringList{u"Device 1 (card 1): the driver no longer lists it. Rank 5 runs on it."_s});
    QCOMPARE(m_events[0].process(), 1);
    m_sample.chips = {{0, 0}, {1, 1}};
    QCOMPARE(take({chip(0), chip(1)}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceWell>());
    QCOMPARE(m_events[0].process(), 1);
}

void SampleAlarmsTest::whatIsNotSaidThisTimeIsAsItWas()
{
    DeviceSample ill = chip(0, "Alarm");
    ill.isLinkUp = false;
    ill.errorCodes = QList<quint32>{7};
    QCOMPARE(take({ill}).size(), 3);
    QVERIFY(take({chip(0, "Alarm")}).isEmpty()); // Neither link nor codes could be asked.
    QVERIFY(take({ill}).isEmpty());
    QVERIFY(take({chip(0, "")}).isEmpty());
    DeviceSample up = chip(0, "Alarm");
    up.isLinkUp = true;
    QCOMPARE(take({up}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
    QCOMPARE(take({chip(0)}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceWell>());
}

void SampleAlarmsTest::anErrorThatHasGoneIsOver()
{
    DeviceSample erring = chip(0);
    erring.errorCodes = QList<quint32>{7};
    QCOMPARE(take({erring}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
    QCOMPARE(take({chip(0)}),
             QStringList{u"Device 0 (card 0): no problems are known any more. Rank 4 runs on it."_s});
    QVERIFY(m_events[0].is<events::DeviceWell>());
    QVERIFY(take({chip(0)}).isEmpty());
    // A health that is well before the code has gone is not yet that.
    erring.setHealth(u"Warning"_s);
    QCOMPARE(take({erring}).size(), 2);
    erring.setHealth(u"OK"_s);
    QCOMPARE(take({erring}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceAlarm>());
    QCOMPARE(take({chip(0)}).size(), 1);
    QVERIFY(m_events[0].is<events::DeviceWell>());
}

void SampleAlarmsTest::onManyNodesTheNodeIsNamed()
{
    m_plan.processes[1].node = u"two"_s;
    QCOMPARE(take({chip(0, "Alarm")}),
             QStringList{u"one: Device 0 (card 0): its health is Alarm. Rank 4 runs on it."_s});
}

void SampleAlarmsTest::whatFlapsIsToldSeldom()
{
    int told = 0;
    constexpr int readings = 900; // Half an hour.
    for (int reading = 0; reading < readings; ++reading)
        told += static_cast<int>(take({chip(0, reading % 2 == 0 ? "OK" : "Alarm")}).size());
    QVERIFY2(told <= 20 + 10 * 30 + 1, qPrintable(QString::number(told)));
    QVERIFY(told > 100);
    // Another node has a share of its own.
    m_sample.node = u"two"_s;
    QCOMPARE(take({chip(0, "Alarm")}).size(), 1);
    m_sample.node = u"one"_s;
    // What holds is told in the end.
    m_now += minute;
    take({chip(0, "Critical")});
    QVERIFY(!m_events.isEmpty());
    QVERIFY2(m_events.last().text().text().contains(u"Critical"_s), qPrintable(m_events.last().text()));
}

void SampleAlarmsTest::aStrangerIsToldOnceWhenItStays()
{
    QVERIFY(take({chip(0), chip(1)}, {{}, {stranger(4711)}}).isEmpty());
    QCOMPARE(take({chip(0), chip(1)}, {{}, {stranger(4711)}}),
             QStringList{u"Device 1 of rank 5 is also used by python\x1b[2J (pid 4711, bob, "
                         "300 MB), which is not part of this run."_s});
    QVERIFY(m_events[0].is<events::Note>());
    QVERIFY(take({chip(0), chip(1)}, {{}, {stranger(4711)}}).isEmpty());
    QVERIFY(take({chip(0), chip(1)}, {{}, {}}).isEmpty());
    QVERIFY(take({chip(0), chip(1)}, {{}, {stranger(4711)}}).isEmpty());
    QVERIFY(take({chip(0), chip(1)}, {{}, {stranger(4711)}}).isEmpty());
    // One that is there for a reading alone may have been ours.
    QVERIFY(take({chip(0), chip(1)}, {{stranger(1)}, {}}).isEmpty());
    QVERIFY(take({chip(0), chip(1)}, {{}, {}}).isEmpty());
    // Nor is it told of a rank that does not run.
    m_sample.loads.clear();
    QVERIFY(take({chip(0), chip(1)}, {{stranger(2)}, {}}).isEmpty());
    QVERIFY(take({chip(0), chip(1)}, {{stranger(2)}, {}}).isEmpty());
}

void SampleAlarmsTest::oneOfOursIsNoStranger()
{
    DeviceUser ours = stranger(4711);
    ours.owner = 0;
    for (int reading = 0; reading < 3; ++reading)
        QVERIFY(take({chip(0), chip(1)}, {{ours}, {ours}}).isEmpty());
}

void SampleAlarmsTest::aSampleWithoutNpusSaysNothing()
{
    QVERIFY(taken().isEmpty());
    m_sample.chips = {{99, 0}}; // As nobody sends it.
    QVERIFY(take({chip(0, "Alarm")}).isEmpty());
}

} // namespace tst_samplealarms

RANKDECK_TEST(tst_samplealarms, SampleAlarmsTest)
#include "tst_samplealarms.moc"
