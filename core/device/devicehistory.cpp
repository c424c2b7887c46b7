#include "device/devicehistory.h"

#include "device/devicejson.h"
#include "json.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

// The file: "# rankdeck devices 1 EVERY", then lines "C " with the chips as a JSON array, and lines "S MS"
// with, for each chip of the last "C", the values of its point in the order of forEachValue(), commas between
// them and none at the end, or "=" for those of the moment before.
const QByteArray heading = "# rankdeck devices 1 ";

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceHistory", text);
}

template <typename Point, typename Visitor>
void forEachValue(Point &point, const Visitor &visit)
{
    visit("ai_core_percent", point.aiCorePercent);
    visit("npu_percent", point.npuPercent);
    visit("hbm_used_mb", point.hbmUsedMb);
    visit("ddr_used_mb", point.ddrUsedMb);
    visit("temperature_c", point.temperatureC);
    visit("power_w", point.powerW);
    visit("clock_mhz", point.clockMhz);
    visit("health", point.health);
    visit("errors", point.errors);
}

QByteArray valueText(const std::optional<int> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<qint64> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<double> &value)
{
    return value ? QByteArray::number(*value, 'f', 1) : QByteArray();
}

QByteArray valueText(const std::optional<DeviceHealth> &value)
{
    return value ? QByteArray::number(static_cast<int>(*value)) : QByteArray();
}

/// False for what is no such value.
bool readValue(const QByteArray &text, std::optional<int> &value)
{
    bool isNumber = false;
    value = text.toInt(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<qint64> &value)
{
    bool isNumber = false;
    value = text.toLongLong(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<double> &value)
{
    bool isNumber = false;
    value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*value);
}

bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value)
{
    std::optional<int> number;
    if (!readValue(text, number) || *number < 0 || *number > static_cast<int>(DeviceHealth::Unknown))
        return false;
    value = static_cast<DeviceHealth>(*number);
    return true;
}

QByteArray pointText(const DevicePoint &point)
{
    QByteArrayList values;
    forEachValue(point, [&](const char *, const auto &value) { values << valueText(value); });
    while (!values.isEmpty() && values.last().isEmpty())
        values.removeLast();
    return values.isEmpty() ? "," : values.join(',');
}

std::optional<DevicePoint> pointFrom(const QByteArray &text)
{
    const QList<QByteArray> values = text.split(',');
    DevicePoint point;
    qsizetype at = 0;
    bool isSound = true;
    forEachValue(point, [&](const char *, auto &value) {
        const QByteArray word = values.value(at++);
        isSound = isSound && (word.isEmpty() || readValue(word, value));
    });
    return isSound ? std::optional(point) : std::nullopt;
}

/// What stays as it is.
DeviceSample fixedPart(const DeviceSample &sample)
{
    DeviceSample fixed;
    fixed.ids = sample.ids;
    fixed.name = sample.name;
    fixed.hbm.total = sample.hbm.total;
    fixed.ddr.total = sample.ddr.total;
    fixed.ratedClockMhz = sample.ratedClockMhz;
    fixed.aiCores = sample.aiCores;
    return fixed;
}

/// Reads the lines of a file, one after the other.
class HistoryLines
{
public:
    explicit HistoryLines(DeviceHistory &history)
        : m_history(history)
    {
    }

    void add(const QByteArray &line)
    {
        if (line.startsWith("C "))
            addChips(line.mid(2));
        else if (line.startsWith("S "))
            addMoment(line.mid(2).split(' '));
    }

private:
    void addChips(const QByteArray &text)
    {
        m_points.clear();
        m_hasChips = false;
        const auto json = parseJson(text);
        if (!json || !json->is_array())
            return;
        QList<DeviceSample> chips;
        for (const nlohmann::json &chip : *json)
            chips << deviceSampleFrom(chip).value_or(DeviceSample());
        m_history.chips << chips;
        m_hasChips = true;
    }

    void addMoment(const QList<QByteArray> &words)
    {
        bool isTime = false;
        const qint64 ms = words.value(0).toLongLong(&isTime);
        if (!isTime || !m_hasChips || words.size() != m_history.chips.last().size() + 1)
            return;
        QList<DevicePoint> points;
        for (qsizetype chip = 0; chip + 1 < words.size(); ++chip) {
            if (words[chip + 1] == "=") {
                if (chip >= m_points.size())
                    return;
                points << m_points[chip];
                continue;
            }
            const auto point = pointFrom(words[chip + 1]);
            if (!point)
                return;
            points << *point;
        }
        m_points = points;
        m_history.moments << DeviceMoment{QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC),
                                          m_history.chips.size() - 1, points};
    }

    DeviceHistory &m_history;
    QList<DevicePoint> m_points; ///< Of the moment before.
    bool m_hasChips = false;
};

QByteArray csvCell(const QString &text)
{
    QByteArray cell = text.toUtf8();
    if (cell.contains(',') || cell.contains('"') || cell.contains('\n'))
        cell = '"' + cell.replace('"', "\"\"") + '"';
    return cell;
}

template <typename Id>
QByteArray csvCell(const std::optional<Id> &id)
{
    return id ? QByteArray::number(id->value) : QByteArray();
}

} // namespace

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

QString deviceHistoryPath(const QString &runDirectory)
{
    return runDirectory + QStringLiteral("/devices");
}

Result<DeviceHistory> DeviceHistory::read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), path, {}};
    if (!file.readLine(1024).startsWith(heading))
        return Error{tr("this is no history of devices"), path, {}};
    DeviceHistory history;
    HistoryLines lines(history);
    while (!file.atEnd()) {
        QByteArray line = file.readLine();
        if (!line.endsWith('\n'))
            break; // Being written, or cut off.
        line.chop(1);
        lines.add(line);
    }
    return history;
}

QByteArray DeviceHistory::toCsv() const
{
    QByteArray csv = "time,device,physical_id,card,chip,bus,name";
    DevicePoint names;
    forEachValue(names, [&](const char *name, const auto &) { csv += QByteArray(",") + name; });
    csv += '\n';
    for (const DeviceMoment &moment : moments) {
        for (qsizetype index = 0; index < moment.points.size(); ++index) {
            const DeviceSample &chip = chips[moment.chips][index];
            csv += moment.time.toString(Qt::ISODateWithMs).toUtf8() + ',' + csvCell(chip.ids.logical) + ',' +
                   csvCell(chip.ids.physical) + ',' + csvCell(chip.ids.card) + ',' + csvCell(chip.ids.chip) +
                   ',' + csvCell(chip.ids.bus.value_or(BusId()).text) + ',' + csvCell(chip.name);
            forEachValue(moment.points[index],
                         [&](const char *, const auto &value) { csv += ',' + valueText(value); });
            csv += '\n';
        }
    }
    return csv;
}

DeviceHistoryWriter::DeviceHistoryWriter(QString path, qint64 limit)
    : m_path(std::move(path))
    , m_limit(limit)
{
}

QByteArray DeviceHistoryWriter::linesOf(const QList<DeviceSample> &chips, const QDateTime &time,
                                        const QList<DevicePoint> &points)
{
    QByteArray lines;
    if (chips != m_chips) {
        nlohmann::json json = nlohmann::json::array();
        for (const DeviceSample &chip : chips)
            json.push_back(toJson(chip));
        lines += "C " + jsonText(json) + '\n';
        m_last.clear();
    }
    lines += "S " + QByteArray::number(time.toMSecsSinceEpoch());
    for (qsizetype index = 0; index < points.size(); ++index)
        lines +=
            index < m_last.size() && m_last[index] == points[index] ? " =" : ' ' + pointText(points[index]);
    m_chips = chips;
    m_last = points;
    return lines + '\n';
}

std::optional<Error> DeviceHistoryWriter::append(const QByteArray &lines)
{
    const int file =
        open(QFile::encodeName(m_path).constData(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const ssize_t written =
        file < 0 ? -1 : write(file, lines.constData(), static_cast<std::size_t>(lines.size()));
    const int problem = errno;
    if (file >= 0)
        close(file);
    if (written == lines.size()) {
        m_size += written;
        return std::nullopt;
    }
    // Perhaps a part of it is there now: whatever comes next begins a line, and says all of its chips.
    m_size = -1;
    m_chips.clear();
    m_last.clear();
    return Error{tr("cannot be written: %1").arg(written < 0 ? errnoWords(problem) : tr("the disk is full")),
                 m_path,
                 {}};
}

std::optional<Error> DeviceHistoryWriter::begin()
{
    QFile file(m_path);
    if (!file.exists() || file.size() == 0) {
        m_size = 0;
        return append(heading + QByteArray::number(m_every) + '\n');
    }
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), m_path, {}};
    const QByteArray first = file.readLine(1024);
    if (!first.startsWith(heading))
        return Error{tr("this is no history of devices"), m_path, {}};
    m_every = std::clamp(first.mid(heading.size()).trimmed().toInt(), 1, 1 << 20);
    m_size = file.size();
    file.seek(m_size - 1);
    // What follows a line that was cut off must not belong to it, and its last number may be half of one.
    return file.read(1) == "\n" ? std::nullopt : append(" cut\n");
}

std::optional<Error> DeviceHistoryWriter::thin()
{
    const auto history = DeviceHistory::read(m_path);
    if (!history)
        return history.error();
    const int every = std::min(m_every * 2, 1 << 20);
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner))
        return Error{tr("cannot be written: %1").arg(file.errorString()), m_path, {}};
    m_chips.clear();
    m_last.clear();
    QByteArray text = heading + QByteArray::number(every) + '\n';
    for (qsizetype index = 0; index < history->moments.size(); index += 2) {
        const DeviceMoment &moment = history->moments[index];
        text += linesOf(history->chips[moment.chips], moment.time, moment.points);
    }
    if (file.write(text) != text.size() || !file.commit()) {
        m_size = -1;
        m_chips.clear();
        m_last.clear();
        return Error{tr("cannot be written: %1").arg(file.errorString()), m_path, {}};
    }
    m_every = every;
    m_size = text.size();
    return std::nullopt;
}

std::optional<Error> DeviceHistoryWriter::add(const DeviceReading &reading)
{
    if (m_size < 0) {
        if (const auto error = begin())
            return error;
    }
    if (m_skipped + 1 < m_every) {
        ++m_skipped;
        return std::nullopt;
    }
    QList<DeviceSample> chips;
    QList<DevicePoint> points;
    for (const DeviceSample &sample : reading.samples) {
        chips << fixedPart(sample);
        points << DevicePoint::of(sample);
    }
    if (m_size > m_limit) {
        if (const auto error = thin())
            return error;
    }
    m_skipped = 0;
    return append(linesOf(chips, reading.time, points));
}

} // namespace rankdeck
