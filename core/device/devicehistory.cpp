#include "device/devicehistory.h"

#include "device/devicejson.h"
#include "device/devicepoint.h"
#include "device/historyfile.h"
#include "json.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceHistory", text);
}

std::optional<QList<DeviceSample>> chipsFrom(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_array())
        return std::nullopt;
    QList<DeviceSample> chips;
    for (const nlohmann::json &chip : *json)
        chips << deviceSampleFrom(chip).value_or(DeviceSample());
    return chips;
}

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

std::optional<DeviceHistory> DeviceHistory::from(QByteArrayView text)
{
    DeviceHistory history;
    bool hasChips = false;
    HistoryReader reader;
    reader.takeSubjects = [&](const QByteArray &subjects) {
        const auto chips = chipsFrom(subjects);
        hasChips = chips.has_value();
        if (chips)
            history.chips << *chips;
    };
    reader.takeMoment = [&](qint64 ms, const QList<QByteArray> &texts) {
        if (!hasChips || texts.size() != history.chips.last().size())
            return;
        QList<DevicePoint> points;
        for (const QByteArray &each : texts) {
            const auto point = pointFrom<DevicePoint>(each);
            if (!point)
                return;
            points << *point;
        }
        history.moments << DeviceMoment{QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC), history.chips.size() - 1,
                                        points};
    };
    if (!reader.read(text, deviceHistoryHeading))
        return std::nullopt;
    return history;
}

Result<DeviceHistory> DeviceHistory::read(const QString &path)
{
    const auto text = historyText(path);
    if (!text)
        return text.error();
    auto history = from(*text);
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
