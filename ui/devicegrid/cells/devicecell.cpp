#include "devicegrid/cells/devicecell.h"

#include "base/listcomma.h"
#include "base/times.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "widgets/statelook.h"

#include <cmath>

namespace rankdeck
{

constexpr int deviceRows = 3;
constexpr int processRows = 2;
constexpr int processRowsBesideDevices = 1;
/// Limit for screen readers.
constexpr int mostSpokenUsers = 5;
constexpr double mebibyte = 1024.0 * 1024;
constexpr double mbPerGb = 1024;

/// Returns "58.6", as wide as `like` in GB, so that the text after it does not move.
static QString gigabytes(double mb, double like)
{
    const auto width = QString::number(like / mbPerGb, 'f', 1).size();
    return QString::number(mb / mbPerGb, 'f', 1).rightJustified(width);
}

static QString bytesText(double bytes)
{
    const double mb = bytes / mebibyte;
    return mb < mbPerGb ? tr("%1 MB").arg(qRound(mb)) : tr("%1 GB").arg(mb / mbPerGb, 0, 'f', 1);
}

/// Returns MB a second: "0", "3.1", "312".
static QString rateText(double bytesPerSecond)
{
    const double mb = bytesPerSecond / mebibyte;
    return mb == 0 ? u"0"_s : QString::number(mb, 'f', mb < 9.95 ? 1 : 0);
}

static QString joined(const QString &one, const QString &separator, const QString &other)
{
    return one.isEmpty() || other.isEmpty() ? one + other : one + separator + other;
}

static SampleLine oldLine(const QDateTime &since)
{
    const QString text = tr("no sample since %1").arg(clockText(since));
    return {.left = text, .spoken = text};
}

static SampleLine busyLine(const RunSamples::Sample &sample, const QList<std::optional<double>> &recent)
{
    SampleLine line;
    const auto busy = sample.busyPercent();
    if (!busy)
        return line;
    // npu-smi's word for this rate.
    const bool isAiCore = sample.device->rates.aiCore.has_value();
    line.left = isAiCore ? tr("AI %1%").arg(*busy, 3) : tr("NPU %1%", "how busy it is").arg(*busy, 3);
    line.spoken = isAiCore ? tr("AI cores %1%").arg(*busy) : tr("NPU %1%", "how busy it is").arg(*busy);
    line.percent = *busy;
    line.history = sparkline(recent, 100);
    return line;
}

static SampleLine memoryLine(const RunSamples::Sample &sample)
{
    SampleLine line;
    const Amount memory = sample.memory();
    const bool isHbm = sample.device->hbm.total || sample.device->hbm.used || !memory.total;
    const QString name = isHbm ? u"HBM"_s : u"DDR"_s;
    line.percent = memory.percent();
    if (memory.used && memory.total) {
        line.left = tr("%1 %2/%3 GB", "memory, used, total")
                        .arg(name, gigabytes(double(*memory.used), double(*memory.total)),
                             gigabytes(double(*memory.total), double(*memory.total)));
        line.right = tr("%1%").arg(int(std::floor(*line.percent)), 3);
        line.spoken = tr("%1 %2 of %3 GB", "memory, used, total")
                          .arg(name, gigabytes(double(*memory.used), 0).trimmed(),
                               gigabytes(double(*memory.total), 0).trimmed());
        return line;
    }
    const auto rate = isHbm ? sample.device->rates.hbm : sample.device->rates.ddr;
    if (!rate)
        return line;
    line.percent = *rate;
    line.left = tr("%1 %2%", "memory, how much of it is used").arg(name).arg(*rate, 3);
    line.spoken = line.left;
    return line;
}

static SampleLine healthLine(const DeviceSample &device)
{
    SampleLine line;
    QStringList parts;
    QStringList spoken;
    if (device.temperatureC) {
        parts << tr("%1°C").arg(*device.temperatureC, 2);
        spoken << tr("%1°C").arg(*device.temperatureC);
    }
    if (device.powerW) {
        parts << tr("%1 W").arg(qRound(*device.powerW), 3);
        spoken << tr("%1 W").arg(qRound(*device.powerW));
    }
    line.left = parts.join(u"  "_s);
    if (device.health) {
        line.right = device.healthWord.isEmpty() ? healthWord(*device.health) : device.healthWord;
        if (*device.health != DeviceHealth::Ok)
            line.tone = toneOf(*device.health);
        spoken << tr("health %1").arg(line.right);
    }
    if (device.isInvented) {
        line.right = device.health && *device.health != DeviceHealth::Ok ? tr("%1, invented").arg(line.right)
                                                                         : tr("invented");
        spoken << tr("invented");
    }
    line.spoken = spoken.join(listComma());
    return line;
}

static QString cpuText(const TreeLoad &load, int width)
{
    return load.cpuPercent ? tr("CPU %1%").arg(qRound(*load.cpuPercent), width) : QString();
}

/// Adds the read and write traffic of a process tree, if known.
static void addTraffic(SampleLine &line, const TreeLoad &load)
{
    if (!load.readBytesPerSecond || !load.writtenBytesPerSecond)
        return;
    const QString read = rateText(*load.readBytesPerSecond);
    const QString written = rateText(*load.writtenBytesPerSecond);
    line.right = tr("R%1 W%2 MB/s", "read and written").arg(read, written);
    line.spoken = joined(line.spoken, listComma(), tr("read %1, written %2 MB/s").arg(read, written));
}

/// Numbers have a fixed width, so that the text after them does not move.
static QList<SampleLine> processLines(const TreeLoad &load, const QString &history)
{
    constexpr int width = 4; // "1600": 16 cores.
    const SampleLine cpu{.left = cpuText(load, width), .history = history, .spoken = cpuText(load, 0)};
    const QString bytes = bytesText(double(load.residentBytes));
    SampleLine memory{.left = tr("Mem %1").arg(bytes), .spoken = tr("memory %1").arg(bytes)};
    addTraffic(memory, load);
    return {cpu, memory};
}

/// Returns the same in one line, without what does not fit.
static SampleLine processLine(const TreeLoad &load)
{
    constexpr int width = 4;
    SampleLine line;
    const QString memory = bytesText(double(load.residentBytes));
    line.left = load.cpuPercent ? cpuText(load, width) + u"  "_s + memory : tr("Mem %1").arg(memory);
    line.spoken = joined(cpuText(load, 0), listComma(), tr("memory %1").arg(memory));
    addTraffic(line, load);
    return line;
}

/// Returns an alarm such as "its health was OK and is Alarm." without node and device, which the cell shows.
static QString withoutPlace(const QString &alarm, const QString &node)
{
    const QString colon = withColon(QString(), QString());
    const qsizetype device = alarm.startsWith(node + colon) ? node.size() + colon.size() : 0;
    const qsizetype what = alarm.indexOf(colon, device);
    return alarm.mid(what < 0 ? device : what + colon.size());
}

static QString userText(const DeviceUser &user)
{
    QStringList parts;
    if (!user.process.name.isEmpty())
        parts << user.process.name;
    parts << QString::number(user.process.pid);
    if (!user.user.isEmpty())
        parts << user.user;
    if (user.process.memoryMb)
        parts << bytesText(double(*user.process.memoryMb) * mebibyte);
    return parts.join(' '_L1);
}

/// Returns the time, with the date if it is not today.
static QString shortTime(const QDateTime &time, const QDateTime &now)
{
    const QDateTime local = time.toLocalTime();
    return local.toString(local.date() == now.toLocalTime().date() ? u"HH:mm"_s : u"MM-dd HH:mm"_s);
}

/// Returns the held ranks for which others wait; empty if there are none.
static QString waitedFor(const RunState &state)
{
    const auto held = std::ranges::count_if(state.ranks, &RankState::isHeld);
    if (held != 1)
        return held == 0 ? QString() : tr("%n ranks", "%n rank", int(held));
    const auto index = std::ranges::find_if(state.ranks, &RankState::isHeld) - state.ranks.begin();
    return tr("rank %1").arg(state.plan->processes[std::size_t(index)].rank.value);
}

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
        if (known.deviceOldSince.isValid())
            lines << oldLine(known.deviceOldSince);
        else
            lines << busyLine(sample, known.recent) << memoryLine(sample) << healthLine(*sample.device);
    }
    if (!rows.processes || !sample.load)
        return lines;
    const bool isBeside = !lines.isEmpty();
    if (isBeside)
        lines.resize(deviceRows);
    if (known.loadOldSince.isValid()) {
        // Not twice in a cell.
        if (!known.deviceOldSince.isValid())
            lines << oldLine(known.loadOldSince);
    } else if (isBeside) {
        lines << processLine(*sample.load);
    } else {
        constexpr double full = 100; // One core.
        // With an NPU, the recent values are those of the NPU.
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
    // An idle NPU may well be slow.
    if (sample && sample->device && sample->device->isThrottled() && sample->busyPercent() != 0) {
        parts << tr("throttled %1/%2 MHz").arg(*sample->device->clockMhz).arg(*sample->device->ratedClockMhz);
        spoken << tr("throttled: %1 of %2 MHz")
                      .arg(*sample->device->clockMhz)
                      .arg(*sample->device->ratedClockMhz);
    }
    if (sample && !sample->foreign.isEmpty()) {
        const int count = int(sample->foreign.size());
        const QStringList users =
            listOf(sample->foreign, [&](const DeviceUser &user) { return userText(user); });
        parts << tr("+%n others: %1", "+%n other: %1", count).arg(users.join(listComma()));
        spoken << tr("used by others: %1").arg(users.mid(0, mostSpokenUsers).join(listComma()));
    }
    if (parts.isEmpty())
        return note;
    note.text = u"⚠ "_s + parts.join(u" · "_s);
    note.spoken = spoken.join(listComma());
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

QString DeviceCell::spoken() const
{
    QStringList parts;
    for (int line = 0; line < lineCount - 1; ++line)
        parts << lines[size_t(line)].left << lines[size_t(line)].right;
    for (const SampleLine &line : samples)
        parts << line.spoken;
    parts << note.spoken << lines[lineCount - 1].left;
    if (process < 0)
        parts.append(tr("not part of this launch"));
    parts.removeAll(QString());
    return parts.join(listComma());
}

DeviceCell deviceCell(const PlacedDevice &device, const RunState &state, const QString &lastLine,
                      const QDateTime &now, const DeviceCell::Line &progress, const QString &finding)
{
    const QString dot = u" · "_s;
    DeviceCell cell;
    cell.process = device.process;
    cell.lines[0].left = device.title;
    cell.lines[1].left = device.address;
    if (device.process < 0)
        return cell;
    const auto index = size_t(device.process);
    const RankState rank = index < state.ranks.size() ? state.ranks[index] : RankState();
    const RankPhase phase = state.shownPhase(rank);
    cell.tone = toneOf(phase);
    cell.lines[0].right = shownWord(phase);
    if (rank.pid > 0)
        cell.lines[1].right = tr("pid %1").arg(rank.pid);
    const bool isTraining = rank.phase == RankPhase::Running && !progress.right.isEmpty();
    const QString exit = rank.status ? rank.status->text() : QString();
    const QDateTime end = rank.ended.isValid() ? rank.ended : now;
    const QString elapsed = rank.started.isValid() ? elapsedText(rank.started.secsTo(end)) : QString();
    cell.lines[2] = {joined(finding.isEmpty() ? exit : finding, dot, progress.left),
                     isTraining ? progress.right : elapsed};
    if (rank.hold != Hold::None) {
        cell.tone = Tone::Caution;
        cell.lines[0].right = shownWord(rank.hold);
        cell.lines[2] = {
            joined(rank.hold == Hold::Suspended ? tr("by SIGSTOP") : tr("by a debugger"), dot, progress.left),
            {}};
    }
    if (rank.prompt) {
        const RankPrompt &prompt = *rank.prompt;
        cell.tone = Tone::Caution;
        cell.lines[0].right = u"❯ "_s + prompt.word;
        cell.lines[2] = {joined(prompt.place(), dot, prompt.function),
                         tr("%1.").arg(state.promptOrder(device.process))};
    }
    if (const QDateTime since = state.silentSince(device.process); since.isValid()) {
        // No running time: the rank makes no progress.
        cell.tone = Tone::Caution;
        const QString held = waitedFor(state);
        cell.lines[0].right = held.isEmpty() ? tr("⚠ stalled") : tr("… waiting");
        const QString text = held.isEmpty() ? tr("silent since %1").arg(shortTime(since, now))
                                            : tr("for %1 since %2").arg(held, shortTime(since, now));
        cell.lines[2] = {joined(text, dot, progress.left), {}};
    }
    cell.lines[3].left = lastLine;
    return cell;
}

} // namespace rankdeck
