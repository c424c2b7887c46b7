#include "devicegrid/cellsamples.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

struct DeviceGridText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::DeviceGrid)
};

constexpr int deviceRows = 3;
constexpr int processRows = 2;
constexpr int processRowsBesideDevices = 1;
/// Beyond these nobody reads on.
constexpr int mostSpokenUsers = 5;
constexpr double mebibyte = 1024.0 * 1024;
constexpr double mbPerGb = 1024;

/// "58.6", of as many characters as `like` has in GB, so that what stands behind it stays where it is.
QString gigabytes(double mb, double like)
{
    const auto width = QString::number(like / mbPerGb, 'f', 1).size();
    return QString::number(mb / mbPerGb, 'f', 1).rightJustified(width);
}

QString bytesText(double bytes)
{
    const double mb = bytes / mebibyte;
    if (mb < mbPerGb)
        return DeviceGridText::tr("%1 MB").arg(qRound(mb));
    return DeviceGridText::tr("%1 GB").arg(mb / mbPerGb, 0, 'f', 1);
}

/// MB a second: "0", "3.1", "312".
QString rateText(double bytesPerSecond)
{
    const double mb = bytesPerSecond / mebibyte;
    return mb == 0 ? QStringLiteral("0") : QString::number(mb, 'f', mb < 9.95 ? 1 : 0);
}

QString timeText(const QDateTime &time)
{
    return time.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
}

SampleLine oldLine(const QDateTime &since)
{
    SampleLine line;
    line.left = DeviceGridText::tr("no sample since %1").arg(timeText(since));
    line.spoken = line.left;
    return line;
}

Tone toneOf(DeviceHealth health)
{
    switch (health) {
    case DeviceHealth::Ok:
        return Tone::Idle;
    case DeviceHealth::Alarm:
    case DeviceHealth::Critical:
        return Tone::Bad;
    case DeviceHealth::Warning:
    case DeviceHealth::Unknown:
        break;
    }
    return Tone::Caution;
}

SampleLine busyLine(const RunSamples::Sample &sample, const QList<std::optional<double>> &recent)
{
    SampleLine line;
    const auto busy = sample.busyPercent();
    if (!busy)
        return line;
    // The word that npu-smi has for what is said.
    const bool isAiCore = sample.device->rates.aiCore.has_value();
    line.left = isAiCore ? DeviceGridText::tr("AI %1%").arg(*busy, 3)
                         : DeviceGridText::tr("NPU %1%", "how busy it is").arg(*busy, 3);
    line.spoken = isAiCore ? DeviceGridText::tr("AI cores %1%").arg(*busy)
                           : DeviceGridText::tr("NPU %1%", "how busy it is").arg(*busy);
    line.percent = *busy;
    line.history = sparkline(recent, 100);
    return line;
}

SampleLine memoryLine(const RunSamples::Sample &sample)
{
    SampleLine line;
    const Amount memory = sample.memory();
    const bool isHbm = sample.device->hbm.total || sample.device->hbm.used || !memory.total;
    const QString name = isHbm ? QStringLiteral("HBM") : QStringLiteral("DDR");
    line.percent = memory.percent();
    if (memory.used && memory.total) {
        line.left = DeviceGridText::tr("%1 %2/%3 GB", "memory, used, total")
                        .arg(name, gigabytes(double(*memory.used), double(*memory.total)),
                             gigabytes(double(*memory.total), double(*memory.total)));
        line.right = DeviceGridText::tr("%1%").arg(int(std::floor(*line.percent)), 3);
        line.spoken = DeviceGridText::tr("%1 %2 of %3 GB", "memory, used, total")
                          .arg(name, gigabytes(double(*memory.used), 0).trimmed(),
                               gigabytes(double(*memory.total), 0).trimmed());
        return line;
    }
    const auto rate = isHbm ? sample.device->rates.hbm : sample.device->rates.ddr;
    if (!rate)
        return line;
    line.percent = *rate;
    line.left = DeviceGridText::tr("%1 %2%", "memory, how much of it is used").arg(name).arg(*rate, 3);
    line.spoken = line.left;
    return line;
}

SampleLine healthLine(const DeviceSample &device)
{
    SampleLine line;
    QStringList parts;
    QStringList spoken;
    if (device.temperatureC) {
        parts << DeviceGridText::tr("%1°C").arg(*device.temperatureC, 2);
        spoken << DeviceGridText::tr("%1°C").arg(*device.temperatureC);
    }
    if (device.powerW) {
        parts << DeviceGridText::tr("%1 W").arg(qRound(*device.powerW), 3);
        spoken << DeviceGridText::tr("%1 W").arg(qRound(*device.powerW));
    }
    line.left = parts.join(QStringLiteral("  "));
    if (device.health) {
        line.right = device.healthWord.isEmpty() ? healthWord(*device.health) : device.healthWord;
        if (*device.health != DeviceHealth::Ok)
            line.tone = toneOf(*device.health);
        spoken << DeviceGridText::tr("health %1").arg(line.right);
    }
    line.spoken = spoken.join(QStringLiteral(", "));
    return line;
}

QString cpuText(const TreeLoad &load, int width)
{
    return load.cpuPercent ? DeviceGridText::tr("CPU %1%").arg(qRound(*load.cpuPercent), width) : QString();
}

/// What the processes of a tree read and write; of what is not known nothing is said.
void addTraffic(SampleLine &line, const TreeLoad &load)
{
    if (!load.readBytesPerSecond || !load.writtenBytesPerSecond)
        return;
    const QString read = rateText(*load.readBytesPerSecond);
    const QString written = rateText(*load.writtenBytesPerSecond);
    line.right = DeviceGridText::tr("R%1 W%2 MB/s", "read and written").arg(read, written);
    line.spoken += (line.spoken.isEmpty() ? QString() : QStringLiteral(", ")) +
                   DeviceGridText::tr("read %1, written %2 MB/s").arg(read, written);
}

QString joinedWords(const QString &one, const QString &other)
{
    return one.isEmpty() || other.isEmpty() ? one + other : one + QStringLiteral(", ") + other;
}

/// Widths are such that what stands behind a number stays where it is.
QList<SampleLine> processLines(const TreeLoad &load, const QString &history)
{
    constexpr int width = 4; // "1600": 16 cores.
    SampleLine cpu;
    cpu.left = cpuText(load, width);
    cpu.spoken = cpuText(load, 0);
    cpu.history = history;
    SampleLine memory;
    memory.left = DeviceGridText::tr("Mem %1").arg(bytesText(double(load.residentBytes)));
    memory.spoken = DeviceGridText::tr("memory %1").arg(bytesText(double(load.residentBytes)));
    addTraffic(memory, load);
    return {cpu, memory};
}

/// The same in one line, what does not fit left out.
SampleLine processLine(const TreeLoad &load)
{
    constexpr int width = 4;
    SampleLine line;
    const QString memory = bytesText(double(load.residentBytes));
    line.left = load.cpuPercent ? cpuText(load, width) + QStringLiteral("  ") + memory
                                : DeviceGridText::tr("Mem %1").arg(memory);
    line.spoken = joinedWords(cpuText(load, 0), DeviceGridText::tr("memory %1").arg(memory));
    addTraffic(line, load);
    return line;
}

/// "its health was OK and is Alarm.": which node and device it is of the cell says itself.
QString withoutPlace(const QString &alarm, const QString &node)
{
    const QString colon = QStringLiteral(": ");
    const qsizetype device = alarm.startsWith(node + colon) ? node.size() + colon.size() : 0;
    const qsizetype what = alarm.indexOf(colon, device);
    return alarm.mid(what < 0 ? device : what + colon.size());
}

QString userText(const DeviceUser &user)
{
    QStringList parts;
    if (!user.process.name.isEmpty())
        parts << user.process.name;
    parts << QString::number(user.process.pid);
    if (!user.user.isEmpty())
        parts << user.user;
    if (user.process.memoryMb)
        parts << bytesText(double(*user.process.memoryMb) * mebibyte);
    return parts.join(QLatin1Char(' '));
}

} // namespace

int SampleRows::count() const
{
    if (devices)
        return deviceRows + (processes ? processRowsBesideDevices : 0);
    return processes ? processRows : 0;
}

QList<SampleLine> sampleLines(const KnownSample &known, const SampleRows &rows)
{
    QList<SampleLine> lines;
    if (!known.sample)
        return lines;
    const RunSamples::Sample &sample = *known.sample;
    if (rows.devices && sample.device) {
        if (known.deviceOldSince.isValid()) {
            lines << oldLine(known.deviceOldSince);
        } else {
            lines << busyLine(sample, known.recent) << memoryLine(sample) << healthLine(*sample.device);
        }
    }
    if (!rows.processes || !sample.load)
        return lines;
    const bool isBeside = !lines.isEmpty();
    if (isBeside)
        lines.resize(deviceRows);
    if (known.loadOldSince.isValid()) {
        // Once is enough.
        if (!known.deviceOldSince.isValid())
            lines << oldLine(known.loadOldSince);
    } else if (isBeside) {
        lines << processLine(*sample.load);
    } else {
        double full = 1;
        for (const std::optional<double> &value : known.recent)
            full = std::max(full, value.value_or(0));
        // Beside an NPU these are how busy that was.
        lines << processLines(*sample.load, sample.device ? QString() : sparkline(known.recent, full));
    }
    return lines;
}

SampleNote sampleNote(const KnownSample &known, const QString &alarm, const QString &node)
{
    SampleNote note;
    QStringList parts;
    QStringList spoken;
    if (!alarm.isEmpty()) {
        parts << withoutPlace(alarm, node);
        spoken << alarm;
        note.tone = Tone::Bad;
    }
    const RunSamples::Sample *const sample = known.deviceOldSince.isValid() ? nullptr : known.sample;
    // Who has nothing to do may well do it slowly.
    if (sample && sample->device && sample->device->isThrottled() && sample->busyPercent() != 0) {
        parts << DeviceGridText::tr("throttled %1/%2 MHz")
                     .arg(*sample->device->clockMhz)
                     .arg(*sample->device->ratedClockMhz);
        spoken << DeviceGridText::tr("throttled: %1 of %2 MHz")
                      .arg(*sample->device->clockMhz)
                      .arg(*sample->device->ratedClockMhz);
    }
    if (sample && !sample->foreign.isEmpty()) {
        const int count = int(sample->foreign.size());
        QStringList users;
        for (const DeviceUser &user : sample->foreign)
            users << userText(user);
        parts
            << (count == 1
                    ? DeviceGridText::tr("+1 other: %1").arg(users.constFirst())
                    : DeviceGridText::tr("+%1 others: %2").arg(count).arg(users.join(QStringLiteral(", "))));
        spoken << DeviceGridText::tr("used by others: %1")
                      .arg(users.mid(0, mostSpokenUsers).join(QStringLiteral(", ")));
    }
    if (parts.isEmpty())
        return note;
    note.text = QStringLiteral("⚠ ") + parts.join(QStringLiteral(" · "));
    note.spoken = spoken.join(QStringLiteral(", "));
    return note;
}

QString sparkline(const QList<std::optional<double>> &values, double full)
{
    constexpr char16_t lowest = u'▁';
    constexpr int levels = 8;
    QString line;
    for (const std::optional<double> &value : values) {
        const int level = value && full > 0 ? int(*value / full * levels) : 0;
        line += value ? QChar(lowest + std::clamp(level, 0, levels - 1)) : QChar(QChar::Space);
    }
    return line;
}

} // namespace rankdeck
