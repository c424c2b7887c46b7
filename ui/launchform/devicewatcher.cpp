#include "launchform/devicewatcher.h"

#include "device/devicealarm.h"
#include "device/devicemap.h"
#include "rankdeckctlpath.h"
#include "run/pidview.h"

namespace rankdeck
{

namespace
{

QString nameOf(const DeviceUser &user)
{
    const QString name = user.process.name.isEmpty() ? DeviceWatcher::tr("a process") : user.process.name;
    QString details = DeviceWatcher::tr("pid %1").arg(user.ownPid > 0 ? user.ownPid : user.process.pid);
    if (user.process.memoryMb)
        details = DeviceWatcher::tr("%1, %2 MB").arg(details).arg(*user.process.memoryMb);
    return user.user.isEmpty() ? DeviceWatcher::tr("%1 (%2)").arg(name, details)
                               : DeviceWatcher::tr("%1 (%2) of %3").arg(name, details, user.user);
}

QList<DeviceHere> devicesIn(const DeviceReading &reading)
{
    const PidView view = pidViewOfAll();
    QList<DeviceHere> devices;
    for (qsizetype chip = 0; chip < reading.samples.size(); ++chip) {
        const DeviceSample &sample = reading.samples.at(chip);
        DeviceHere device{programNumber(reading.samples, chip), isFree(sample), {}, {}, freeMemoryMb(sample)};
        if (sample.health && *sample.health != DeviceHealth::Ok)
            device.illness = sample.healthWord;
        for (const DeviceUser &user : joinProcesses(sample.processes.value_or(QList<DeviceProcess>()), view))
            device.users << nameOf(user);
        devices << device;
    }
    return devices;
}

} // namespace

void DeviceWatcher::setWanted(bool isWanted)
{
    if (isWanted && !m_sampler) {
        const DeviceSource source = findDeviceSource();
        if (source.kind == DeviceSource::Kind::None) {
            Q_EMIT seen({});
            return;
        }
        DeviceSamplerSettings settings;
        settings.helper = rankdeckctlPath() ? *rankdeckctlPath() : QString();
        m_sampler = std::make_unique<DeviceSampler>(source, settings);
        connect(m_sampler.get(), &DeviceSampler::sampled, this,
                [this](const DeviceReading &reading) { Q_EMIT seen(devicesIn(reading)); });
        connect(m_sampler.get(), &DeviceSampler::failed, this, &DeviceWatcher::failed);
    }
    if (m_sampler)
        m_sampler->setWanted(this, isWanted);
}

} // namespace rankdeck
