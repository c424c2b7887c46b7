#include "device/devicehistory.h"

#include "device/devicejson.h"
#include "device/devicepoint.h"
#include "json.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Ours end at a sixteenth of that; a file may be somebody else's.
constexpr qint64 mostBytes = 64 * 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceHistory", text);
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

QString deviceHistoryPath(const QString &runDirectory)
{
    return runDirectory + QStringLiteral("/devices");
}

std::optional<DeviceHistory> DeviceHistory::from(QByteArrayView text)
{
    if (!text.startsWith(deviceHistoryHeading))
        return std::nullopt;
    DeviceHistory history;
    HistoryLines lines(history);
    qsizetype begin = 0;
    // What has no end is being written, or was cut off.
    for (qsizetype end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
        lines.add(text.sliced(begin, end - begin).toByteArray());
        begin = end + 1;
    }
    return history;
}

Result<DeviceHistory> DeviceHistory::read(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), path, {}};
    auto history = from(file.read(mostBytes));
    if (!history)
        return Error{tr("this is no history of devices"), path, {}};
    return std::move(*history);
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

} // namespace rankdeck
