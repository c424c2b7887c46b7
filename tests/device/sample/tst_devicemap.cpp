#include "device/npusmi/npusmireport.h"
#include "device/sample/devicemap.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_devicemap
{

using namespace rankdeck;

class DeviceMapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChipIsFoundByAnyOfItsNumbers();
    void whatTwoChipsShareFindsNone();
    void aSampleGetsTheIdsThatItLacks();
    void logicalIdsAreCountedOnlyWhereNoneIsKnown();
};

/// Returns these ids, completed by the map.
DeviceIds chipOf(const DeviceMap &map, CardId card, std::optional<ChipId> chip)
{
    DeviceIds ids;
    ids.card = card;
    ids.chip = chip;
    map.complete(ids);
    return ids;
}

void DeviceMapTest::aChipIsFoundByAnyOfItsNumbers()
{
    const DeviceMap map = parseNpuSmi("\tNPU ID    Chip ID    Chip Logic ID    Chip Phy-ID    Chip Name\n"
                                      "\t4         0          0                8              Ascend910\n"
                                      "\t4         1          1                9              Ascend910\n"
                                      "\t4         2          -                -              Mcu\n")
                              .map;
    QCOMPARE(map.chips().size(), 2);
    DeviceIds byPhysicalId;
    byPhysicalId.physical = PhysicalDeviceId(9);
    map.complete(byPhysicalId);
    QCOMPARE(byPhysicalId.logical, LogicalDeviceId(1));
    QCOMPARE(chipOf(map, CardId(4), ChipId(1)).physical, PhysicalDeviceId(9));
    QCOMPARE(chipOf(map, CardId(4), std::nullopt).physical, PhysicalDeviceId(8));
    QVERIFY(!chipOf(map, CardId(8), ChipId(0)).physical);
}

void DeviceMapTest::whatTwoChipsShareFindsNone()
{
    DeviceMap map;
    for (int chip : {0, 1}) {
        DeviceIds ids;
        ids.card = CardId(1);
        ids.chip = ChipId(chip);
        ids.physical = PhysicalDeviceId(7);
        map.add(ids);
    }
    DeviceIds shared;
    shared.physical = PhysicalDeviceId(7);
    map.complete(shared);
    QVERIFY(!shared.card);
    QCOMPARE(chipOf(map, CardId(1), ChipId(1)).physical, PhysicalDeviceId(7));
}

void DeviceMapTest::aSampleGetsTheIdsThatItLacks()
{
    const DeviceMap map = parseNpuSmi("NPU ID  Slot ID  Chip ID  Chip Phy-ID  Chip Name\n"
                                      "0       1        0        5            Ascend950PR\n")
                              .map;
    DeviceIds ids; // As a 950's table has them.
    ids.card = CardId(0);
    ids.bus = BusId{u"0000:91:00.0"_s};
    map.complete(ids);
    QCOMPARE(ids.physical, PhysicalDeviceId(5));
    QCOMPARE(ids.slot, SlotId(1));
    QCOMPARE(ids.bus->text, u"0000:91:00.0"_s);
    DeviceIds other;
    other.card = CardId(3);
    const DeviceIds before = other;
    map.complete(other);
    QCOMPARE(other, before);
}

void DeviceMapTest::logicalIdsAreCountedOnlyWhereNoneIsKnown()
{
    QList<DeviceSample> samples(2);
    countLogicalIds(samples);
    QCOMPARE(samples[1].ids.logical, LogicalDeviceId(1));
    samples[0].ids.logical.reset();
    samples[1].ids.logical = LogicalDeviceId(7);
    countLogicalIds(samples);
    QVERIFY(!samples[0].ids.logical);
    QCOMPARE(samples[1].ids.logical, LogicalDeviceId(7));
}

} // namespace tst_devicemap

RANKDECK_TEST(tst_devicemap, DeviceMapTest)
#include "tst_devicemap.moc"
