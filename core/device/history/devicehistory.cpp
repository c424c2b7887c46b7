#include "device/history/devicehistory.h"

#include "base/fields.h"
#include "base/times.h"

namespace rankdeck
{

/// Returns the values of a chip that do not change.
static DeviceSample fixedPart(const DeviceSample &sample)
{
    DeviceSample fixed;
    fixed.ids = sample.ids;
    fixed.name = sample.name;
    fixed.isInvented = sample.isInvented;
    fixed.hbm.total = sample.hbm.total;
    fixed.ddr.total = sample.ddr.total;
    fixed.ratedClockMhz = sample.ratedClockMhz;
    fixed.aiCores = sample.aiCores;
    return fixed;
}

constexpr qint64 mostProcesses = 65536; ///< A plan has fewer.
/// In all sets together. There is a new set where a chip vanishes or a rank ends.
constexpr qsizetype mostListedChips = 65536;

namespace
{

/// A chip and the run's processes that use it.
struct UsedChip {
    DeviceSample sample;
    QList<qint64> users;
};

void visitFields(Fields &fields, UsedChip &chip)
{
    visitFields(fields, chip.sample);
    fields.lenient("used_by", chip.users);
}

} // namespace

/// Returns false if the text is not a list of chips.
static bool addChips(DeviceHistory &history, const QByteArray &text)
{
    // A set without moments is not kept: a few bytes may claim very many chips.
    if (!history.chips.isEmpty() &&
        (history.moments.isEmpty() || history.moments.last().chips + 1 < history.chips.size())) {
        history.chips.removeLast();
        history.chipsOfProcesses.removeLast();
    }
    qsizetype listed = text.count('{');
    for (const QList<DeviceSample> &chips : std::as_const(history.chips))
        listed += chips.size();
    if (listed > mostListedChips)
        return false;
    const auto used = fromJsonText<QList<UsedChip>>(text);
    if (!used)
        return false;
    QList<DeviceSample> chips;
    QMap<int, qsizetype> chipsOfProcesses;
    for (const UsedChip &chip : *used) {
        // Any number is harmless: it is only looked up.
        for (const qint64 user : chip.users) {
            if (user >= 0)
                chipsOfProcesses.insert(static_cast<int>(user % mostProcesses), chips.size());
        }
        chips << chip.sample;
    }
    history.chips << chips;
    history.chipsOfProcesses << chipsOfProcesses;
    return true;
}

template <typename Id>
static QByteArray csvCell(const std::optional<Id> &id)
{
    return id ? QByteArray::number(id->value) : QByteArray();
}

DevicePoint DevicePoint::of(const DeviceSample &sample)
{
    DevicePoint point;
    point.aiCorePercent = sample.rates.aiCore;
    point.npuPercent = sample.rates.npu;
    point.hbmUsedMb = sample.hbm.used;
    point.ddrUsedMb = sample.ddr.used;
    point.temperatureC = sample.temperatureC;
    if (sample.powerW)
        point.powerW = std::round(*sample.powerW * 10) / 10;
    point.clockMhz = sample.clockMhz;
    point.health = sample.health;
    if (sample.errorCodes)
        point.errors = static_cast<int>(sample.errorCodes->size());
    return point;
}

void DevicePoint::addTo(DeviceSample &sample) const
{
    sample.rates.aiCore = aiCorePercent;
    sample.rates.npu = npuPercent;
    sample.hbm.used = hbmUsedMb;
    sample.ddr.used = ddrUsedMb;
    sample.temperatureC = temperatureC;
    sample.powerW = powerW;
    sample.clockMhz = clockMhz;
    if (health)
        sample.setHealth(rankdeck::healthWord(*health));
}

QByteArray valueText(const std::optional<DeviceHealth> &value)
{
    return value ? QByteArray::number(static_cast<int>(*value)) : QByteArray();
}

bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value)
{
    std::optional<int> number;
    if (!readValue(text, number) || *number < 0 || *number > static_cast<int>(DeviceHealth::Unknown))
        return false;
    value = static_cast<DeviceHealth>(*number);
    return true;
}

DeviceHistoryWriter::DeviceHistoryWriter(const QString &path, qint64 limit)
    : m_file(path, deviceHistoryHeading, limit)
{
}

std::optional<Error> DeviceHistoryWriter::add(const DeviceReading &reading,
                                              const QMap<int, int> &chipsOfProcesses)
{
    if (m_file.isSkipped())
        return std::nullopt;
    QList<UsedChip> chips;
    QList<QByteArray> points;
    for (const DeviceSample &sample : reading.samples) {
        chips.append({fixedPart(sample), {}});
        points << pointText(DevicePoint::of(sample));
    }
    for (auto chip = chipsOfProcesses.begin(); chip != chipsOfProcesses.end(); ++chip) {
        if (*chip >= 0 && *chip < reading.samples.size())
            chips[*chip].users << chip.key();
    }
    return m_file.add(jsonTextOf(chips), reading.time, points);
}

std::optional<DeviceHistory> DeviceHistory::from(QByteArrayView text)
{
    DeviceHistory history;
    bool hasChips = false;
    const auto takeSubjects = [&](const QByteArray &subjects) {
        hasChips = addChips(history, subjects);
    };
    const auto takeMoment = [&](qint64 ms, const QList<QByteArray> &texts) {
        if (!hasChips || texts.size() != history.chips.last().size())
            return;
        if (const auto points = pointsFrom<DevicePoint>(texts))
            history.moments << DeviceMoment{utcTime(ms), history.chips.size() - 1, *points};
    };
    if (!readHistory(text, deviceHistoryHeading, takeSubjects, takeMoment))
        return std::nullopt;
    return history;
}

Result<DeviceHistory> DeviceHistory::read(const QString &path)
{
    return historyIn<DeviceHistory>(path, tr("not a history of devices"));
}

QByteArray DeviceHistory::csvHeading()
{
    QByteArray heading = "time,device,physical_id,card,chip,bus,name";
    const DevicePoint names;
    forEachValue(names, [&](const char *name, const auto &) { heading += QByteArray(",") + name; });
    return heading;
}

QByteArray DeviceHistory::csvRow(const DeviceMoment &moment, qsizetype chip) const
{
    const DeviceSample &its = chips[moment.chips][chip];
    QByteArray row = moment.time.toString(Qt::ISODateWithMs).toUtf8() + ',' + csvCell(its.ids.logical) + ',' +
                     csvCell(its.ids.physical) + ',' + csvCell(its.ids.card) + ',' + csvCell(its.ids.chip) +
                     ',' + csvCell(its.ids.bus.value_or(BusId()).text) + ',' + csvCell(its.name);
    forEachValue(moment.points[chip],
                 [&](const char *, const auto &value) { row += ',' + valueText(value); });
    return row;
}

} // namespace rankdeck
