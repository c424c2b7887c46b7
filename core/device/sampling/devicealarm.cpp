#include "device/sampling/devicealarm.h"

#include "base/listcomma.h"

#include <algorithm>

namespace rankdeck
{

static DeviceAlarm alarmOf(DeviceAlarm::Kind kind, const DeviceSample &sample)
{
    return {kind, sample.ids, sample.name, {}, {}, 0, 0};
}

static void compareHealth(QList<DeviceAlarm> &alarms, const DeviceSample &before, const DeviceSample &after)
{
    if (!after.health || before.healthWord == after.healthWord)
        return;
    const bool isWorse =
        *after.health > before.health.value_or(DeviceHealth::Ok) || *after.health == DeviceHealth::Unknown;
    if (!isWorse && !before.health)
        return; // Nothing was known, and all is well.
    DeviceAlarm alarm = alarmOf(isWorse ? DeviceAlarm::Kind::Worse : DeviceAlarm::Kind::Better, after);
    alarm.before = before.healthWord;
    alarm.now = after.healthWord;
    alarms << alarm;
}

static void compareErrors(QList<DeviceAlarm> &alarms, const DeviceSample &before, const DeviceSample &after)
{
    const QList<quint32> known = before.errorCodes.value_or(QList<quint32>());
    for (const quint32 code : after.errorCodes.value_or(QList<quint32>())) {
        if (known.contains(code))
            continue;
        DeviceAlarm alarm = alarmOf(DeviceAlarm::Kind::Error, after);
        alarm.code = code;
        alarms << alarm;
    }
}

static void compareBitErrors(QList<DeviceAlarm> &alarms, const DeviceSample &before,
                             const DeviceSample &after)
{
    const auto more = [](const std::optional<qint64> &earlier, const std::optional<qint64> &later) {
        return earlier && later ? std::max<qint64>(0, *later - *earlier) : 0;
    };
    DeviceAlarm alarm = alarmOf(DeviceAlarm::Kind::BitError, after);
    alarm.count = more(before.bitErrors.ddrDouble, after.bitErrors.ddrDouble) +
                  more(before.bitErrors.hbmDouble, after.bitErrors.hbmDouble);
    if (alarm.count > 0)
        alarms << alarm;
}

static void compareAll(QList<DeviceAlarm> &alarms, const DeviceSample &before, const DeviceSample &after)
{
    const qsizetype count = alarms.size();
    compareHealth(alarms, before, after);
    compareErrors(alarms, before, after);
    compareBitErrors(alarms, before, after);
    if (after.isLinkUp && before.isLinkUp.value_or(true) != *after.isLinkUp)
        alarms << alarmOf(*after.isLinkUp ? DeviceAlarm::Kind::LinkUp : DeviceAlarm::Kind::LinkDown, after);
    if (alarms.size() == count && !isWell(before) && isWell(after))
        alarms << alarmOf(DeviceAlarm::Kind::Well, after);
}

Sentence DeviceAlarm::sentence() const
{
    QList<Sentence> details;
    if (!name.isEmpty())
        details << shownName(name);
    if (ids.card)
        details << Sentence::tr("card %1").arg(ids.card->value);
    if (ids.chip && ids.chip->value > 0)
        details << Sentence::tr("chip %1").arg(ids.chip->value);
    const QString number = ids.logical ? QString::number(ids.logical->value) : u"?"_s;
    const Sentence device =
        details.isEmpty()
            ? Sentence::tr("Device %1").arg(number)
            : Sentence::tr("Device %1 (%2)").arg(number, Sentence::joined(details, listComma()));
    switch (kind) {
    case Kind::Worse:
    case Kind::Better:
        return before.isEmpty() ? Sentence::tr("%1: its health is %2.").arg(device, now)
                                : Sentence::tr("%1: its health was %2 and is %3.").arg(device, before, now);
    case Kind::Error:
        return Sentence::tr("%1: it reports the error 0x%2.").arg(device).arg(code, 8, 16, '0'_L1);
    case Kind::BitError:
        return Sentence::tr("%1: %2 more uncorrected bit errors of its memory.").arg(device).arg(count);
    case Kind::LinkDown:
        return Sentence::tr("%1: the link of its network port is down.").arg(device);
    case Kind::LinkUp:
        return Sentence::tr("%1: the link of its network port is up again.").arg(device);
    case Kind::Vanished:
        return Sentence::tr("%1: the driver no longer lists it.").arg(device);
    case Kind::Returned:
        return Sentence::tr("%1: the driver lists it again.").arg(device);
    case Kind::Well:
        return Sentence::tr("%1: no problems are known any more.").arg(device);
    }
    return device;
}

DeviceReading withKnown(const DeviceReading &before, DeviceReading after)
{
    for (DeviceSample &sample : after.samples) {
        const DeviceSample *earlier = sampleOf(before.samples, sample.ids);
        if (!earlier)
            continue;
        if (!sample.health) {
            sample.health = earlier->health;
            sample.healthWord = earlier->healthWord;
        }
        if (sample.health != DeviceHealth::Ok)
            fillIn(sample.errorCodes, earlier->errorCodes);
        fillIn(sample.isLinkUp, earlier->isLinkUp);
        fillIn(sample.bitErrors.ddrDouble, earlier->bitErrors.ddrDouble);
        fillIn(sample.bitErrors.hbmDouble, earlier->bitErrors.hbmDouble);
    }
    return after;
}

QList<DeviceAlarm> alarmsBetween(const DeviceReading &before, const DeviceReading &later)
{
    const DeviceReading after = withKnown(before, later);
    QList<DeviceAlarm> alarms;
    for (const DeviceSample &sample : before.samples) {
        if (!sampleOf(after.samples, sample.ids))
            alarms << alarmOf(DeviceAlarm::Kind::Vanished, sample);
    }
    for (const DeviceSample &sample : after.samples) {
        const DeviceSample *earlier = sampleOf(before.samples, sample.ids);
        if (!earlier && !before.samples.isEmpty())
            alarms << alarmOf(DeviceAlarm::Kind::Returned, sample);
        compareAll(alarms, earlier ? *earlier : DeviceSample(), sample);
    }
    return alarms;
}

bool isWell(const DeviceSample &sample)
{
    return sample.health.value_or(DeviceHealth::Ok) == DeviceHealth::Ok && sample.isLinkUp.value_or(true) &&
           sample.errorCodes.value_or(QList<quint32>()).isEmpty();
}

std::optional<bool> isFree(const DeviceSample &sample)
{
    if (sample.health == DeviceHealth::Critical)
        return false;
    return sample.processes ? std::optional(sample.processes->isEmpty()) : std::nullopt;
}

std::optional<int> busyPercent(const DeviceSample &sample)
{
    return sample.rates.aiCore ? sample.rates.aiCore : sample.rates.npu;
}

std::optional<qint64> freeMemoryMb(const DeviceSample &sample)
{
    const Amount &memory = sample.hbm.total ? sample.hbm : sample.ddr;
    if (!memory.total || !memory.used)
        return std::nullopt;
    return std::max<qint64>(0, *memory.total - *memory.used);
}

} // namespace rankdeck
