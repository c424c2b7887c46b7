#include "devicedetails/devicecolumns.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

using Sample = RunSamples::Sample;

constexpr double mbPerGb = 1024;
constexpr double bytesPerMb = 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceTable", text);
}

DeviceValue number(const std::optional<qint64> &value)
{
    return value ? DeviceValue{double(*value), QString::number(*value)} : DeviceValue();
}

DeviceValue number(const std::optional<int> &value)
{
    return number(value ? std::optional<qint64>(*value) : std::nullopt);
}

DeviceValue decimal(const std::optional<double> &value, double unit = 1, int decimals = 1)
{
    return value ? DeviceValue{*value, QString::number(*value / unit, 'f', decimals)} : DeviceValue();
}

DeviceValue gigabytes(const std::optional<qint64> &mb)
{
    return decimal(mb ? std::optional<double>(double(*mb)) : std::nullopt, mbPerGb);
}

template <typename Id>
DeviceValue number(const std::optional<Id> &id)
{
    return id ? number(std::optional<qint64>(id->value)) : DeviceValue();
}

/// A column of what an NPU says.
template <typename Value>
DeviceValue ofDevice(const Sample &sample, Value value)
{
    return sample.device ? value(*sample.device) : DeviceValue();
}

template <typename Value>
DeviceValue ofLoad(const Sample &sample, Value value)
{
    return sample.load ? value(*sample.load) : DeviceValue();
}

DeviceValue health(const DeviceSample &device)
{
    if (device.healthWord.isEmpty() && !device.health)
        return {};
    const DeviceHealth health = device.health.value_or(DeviceHealth::Unknown);
    const Tone tone = health == DeviceHealth::Ok        ? Tone::Idle
                      : health == DeviceHealth::Warning ? Tone::Caution
                      : health == DeviceHealth::Unknown ? Tone::Caution
                                                        : Tone::Bad;
    return {static_cast<int>(health), device.healthWord.isEmpty() ? healthWord(health) : device.healthWord,
            tone};
}

DeviceValue throttled(const DeviceSample &device)
{
    if (!device.clockMhz || !device.ratedClockMhz)
        return {};
    return device.isThrottled() ? DeviceValue{1, tr("⚠ throttled"), Tone::Caution} : DeviceValue{0, tr("no")};
}

DeviceValue errorCodes(const DeviceSample &device)
{
    if (!device.errorCodes)
        return {};
    QStringList codes;
    for (const quint32 code : *device.errorCodes)
        codes << QStringLiteral("0x") + QStringLiteral("%1").arg(code, 8, 16, QLatin1Char('0')).toUpper();
    return {codes.size(), codes.isEmpty() ? tr("none") : codes.join(QLatin1Char(' ')),
            codes.isEmpty() ? Tone::Idle : Tone::Caution};
}

/// Errors that were not mended are bad news from the first one on.
DeviceValue unmended(const std::optional<qint64> &errors)
{
    DeviceValue value = number(errors);
    value.tone = errors.value_or(0) > 0 ? Tone::Bad : Tone::Idle;
    return value;
}

DeviceValue foreign(const Sample &sample)
{
    const std::optional<qsizetype> count = sample.foreignCount();
    if (!count)
        return sample.untoldUsers() ? DeviceValue{{}, tr("not known"), Tone::Idle, whyUsersAreUntold()}
                                    : DeviceValue();
    if (count == 0)
        return {0, tr("none")};
    QStringList users;
    for (const DeviceUser &user : sample.foreign) {
        QStringList words{user.process.name, QString::number(user.process.pid), user.user};
        words.removeAll(QString());
        users << words.join(QLatin1Char(' '));
    }
    return {sample.foreign.size(),
            QStringLiteral("⚠ %1: %2").arg(users.size()).arg(users.join(QStringLiteral(", "))),
            Tone::Caution};
}

QList<DeviceColumn> makeColumns()
{
    return {
        {tr("Device"), tr("The NPU's logical id: what programs count their devices by."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.ids.logical); });
         }},
        {tr("Health"), tr("What the driver says of the NPU."),
         [](const Sample &sample) {
             return ofDevice(sample, health);
         }},
        {tr("AICore %"), tr("How busy the AI cores are."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.rates.aiCore); });
         }},
        {tr("NPU %"), tr("How busy the NPU is as a whole."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.rates.npu); });
         }},
        {tr("AI vector %"), tr("How busy the vector cores are."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return number(device.rates.aiVector); });
         }},
        {tr("AI CPU %"), tr("How busy the NPU's own processors are."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.rates.aiCpu); });
         }},
        {tr("HBM GB"), tr("How much of the NPU's memory is used; 1 GB is 1,024 MB."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return gigabytes(device.hbm.used); });
         }},
        {tr("of GB"), tr("How much HBM the NPU has."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return gigabytes(device.hbm.total); });
         }},
        {tr("HBM %"), tr("How much of the HBM is used."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return decimal(device.hbm.percent()); });
         }},
        {tr("DDR GB"), tr("How much of the NPU's DDR is used."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return gigabytes(device.ddr.used); });
         }},
        {tr("of GB DDR"), tr("How much DDR the NPU has."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return gigabytes(device.ddr.total); });
         }},
        {tr("°C"), tr("How hot the NPU is."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.temperatureC); });
         }},
        {tr("HBM °C"), tr("How hot the HBM is."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return number(device.hbmTemperatureC); });
         }},
        {tr("W"), tr("How much power it takes; of two chips on a card the first tells the card's."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return decimal(device.powerW); });
         }},
        {tr("MHz"), tr("The clock of the AI cores; known of the NPU that is looked at closely."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.clockMhz); });
         }},
        {tr("of MHz"), tr("The clock that the AI cores are rated for."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.ratedClockMhz); });
         }},
        {tr("Throttled"),
         tr("Whether the AI cores run slower than they are rated for: hot, capped, or idle."),
         [](const Sample &sample) {
             return ofDevice(sample, throttled);
         }},
        {tr("Error codes"), tr("What the NPU reports, whatever its health says."),
         [](const Sample &sample) {
             return ofDevice(sample, errorCodes);
         }},
        {tr("HBM mended"), tr("Bit errors of the HBM that were mended (ECC) since the driver was loaded."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return number(device.bitErrors.hbmSingle); });
         }},
        {tr("HBM lost"), tr("Bit errors of the HBM that could not be mended since the driver was loaded."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return unmended(device.bitErrors.hbmDouble); });
         }},
        {tr("DDR mended"), tr("The same of the DDR: bit errors that were mended."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return number(device.bitErrors.ddrSingle); });
         }},
        {tr("DDR lost"), tr("The same of the DDR: bit errors that could not be mended."),
         [](const Sample &sample) {
             return ofDevice(sample,
                             [](const DeviceSample &device) { return unmended(device.bitErrors.ddrDouble); });
         }},
        {tr("Others"), tr("Processes on the NPU that are none of this run's."), foreign},
        {tr("CPU %"), tr("What the rank and all that it started use, in percent of one core."),
         [](const Sample &sample) {
             return ofLoad(sample, [](const TreeLoad &load) { return decimal(load.cpuPercent); });
         }},
        {tr("Memory GB"), tr("Their resident memory; pages that they share count in each."),
         [](const Sample &sample) {
             return ofLoad(sample, [](const TreeLoad &load) {
                 return decimal(double(load.residentBytes), bytesPerMb * mbPerGb, 2);
             });
         }},
        {tr("Processes"), tr("How many they are."),
         [](const Sample &sample) {
             return ofLoad(sample,
                           [](const TreeLoad &load) { return number(std::optional(load.processes)); });
         }},
        {tr("Read MB/s"), tr("What they read from disks, network file systems included."),
         [](const Sample &sample) {
             return ofLoad(sample,
                           [](const TreeLoad &load) { return decimal(load.readBytesPerSecond, bytesPerMb); });
         }},
        {tr("Written MB/s"), tr("What they write there."),
         [](const Sample &sample) {
             return ofLoad(sample, [](const TreeLoad &load) {
                 return decimal(load.writtenBytesPerSecond, bytesPerMb);
             });
         }},
        {tr("Physical"), tr("The NPU's number on its host, as in /dev/davinciN."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.ids.physical); });
         }},
        {tr("Card"), tr("The NPU's card: what npu-smi calls NPU ID."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.ids.card); });
         }},
        {tr("Chip"), tr("The chip on its card."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) { return number(device.ids.chip); });
         }},
        {tr("Bus"), tr("The card's place on the PCIe bus."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) {
                 return device.ids.bus ? DeviceValue{device.ids.bus->text, device.ids.bus->text}
                                       : DeviceValue();
             });
         }},
        {tr("Name"), tr("What kind of NPU it is."),
         [](const Sample &sample) {
             return ofDevice(sample, [](const DeviceSample &device) {
                 return device.name.isEmpty() ? DeviceValue() : DeviceValue{device.name, device.name};
             });
         }},
    };
}

} // namespace

QString whyUsersAreUntold()
{
    return tr("npu-smi names them by pids of the host, which say nothing in a container.");
}

const QList<DeviceColumn> &deviceColumns()
{
    static const QList<DeviceColumn> columns = makeColumns();
    return columns;
}

} // namespace rankdeck
