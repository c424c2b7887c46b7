#include "device/dcmi/dcmichip.h"

#include <algorithm>
#include <limits>

namespace rankdeck::dcmi
{

QString textOf(const std::array<unsigned char, 32> &name)
{
    const auto *const end = std::find(name.begin(), name.end(), '\0');
    return QString::fromUtf8(reinterpret_cast<const char *>(name.data()), end - name.begin()).trimmed();
}

void setHealth(DeviceSample &sample, unsigned int health)
{
    // 0 fine, 1 minor, 2 major, 3 critical, 0xFFFFFFFF: there is no device.
    sample.health = health <= 3 ? static_cast<DeviceHealth>(health) : DeviceHealth::Unknown;
    sample.healthWord = healthWord(*sample.health);
}

void setHbm(DeviceSample &sample, const HbmInfo &info)
{
    constexpr unsigned long long mostMb = 1ULL << 40;
    if (info.memorySize == 0 || info.memorySize > mostMb || info.memoryUsage > mostMb)
        return;
    sample.hbm = {static_cast<qint64>(info.memoryUsage), static_cast<qint64>(info.memorySize)};
    if (info.frequency > 0 && info.frequency < 100000)
        sample.hbmClockMhz = static_cast<int>(info.frequency);
    if (info.temperature > -100 && info.temperature < 1000)
        sample.hbmTemperatureC = info.temperature;
}

void setTemperature(DeviceSample &sample, int temperature)
{
    // 0x7ffd: not valid, 0x7fff: it could not be read.
    if (temperature > -100 && temperature < 1000)
        sample.temperatureC = temperature;
}

void setPower(DeviceSample &sample, int power)
{
    // In 0.1 W; 0 and the marks of temperatures are no power.
    if (power > 0 && power != 0x7ffd && power != 0x7fff && power < 1000000)
        sample.powerW = power / 10.0;
}

void setBus(DeviceSample &sample, const PcieInfo &info)
{
    const auto hex = [](auto number, int width) {
        return QStringLiteral("%1").arg(static_cast<uint>(number), width, 16, QLatin1Char('0')).toUpper();
    };
    sample.ids.bus =
        BusId{QStringLiteral("%1:%2:%3.%4")
                  .arg(hex(info.domain, 4), hex(info.bus, 2), hex(info.slot, 2), hex(info.function, 1))};
}

void setProcesses(DeviceSample &sample, const std::array<ProcessMemory, mostProcesses> &processes, int count)
{
    constexpr unsigned long bytesOfMb = 1024UL * 1024UL;
    sample.processes.emplace();
    for (int index = 0; index < std::clamp(count, 0, mostProcesses); ++index) {
        const ProcessMemory &process = processes.at(static_cast<std::size_t>(index));
        if (process.pid > 0)
            *sample.processes << DeviceProcess{
                process.pid, {}, static_cast<qint64>(process.bytes / bytesOfMb), {}};
    }
}

void setErrorCodes(DeviceSample &sample, const std::array<unsigned int, mostErrorCodes> &codes, int count)
{
    sample.errorCodes.emplace();
    for (int index = 0; index < std::clamp(count, 0, mostErrorCodes); ++index)
        *sample.errorCodes << codes.at(static_cast<std::size_t>(index));
}

} // namespace rankdeck::dcmi
