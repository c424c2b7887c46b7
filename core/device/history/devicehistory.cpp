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

constexpr quint64 mostProcesses = 65536; ///< A plan has fewer.
/// In all sets together. There is a new set where a chip vanishes or a rank ends.
constexpr qsizetype mostListedChips = 65536;

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceHistory", text);
}

/// False for what are none.
bool addChips(DeviceHistory &history, const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_array())
        return false;
    // A set that no moment is of is not kept: a few bytes may say very many chips.
    if (!history.chips.isEmpty() &&
        (history.moments.isEmpty() || history.moments.last().chips + 1 < history.chips.size())) {
        history.chips.removeLast();
        history.chipsOfProcesses.removeLast();
    }
    qsizetype listed = static_cast<qsizetype>(json->size());
    for (const QList<DeviceSample> &chips : std::as_const(history.chips))
        listed += chips.size();
    if (listed > mostListedChips)
        return false;
    QList<DeviceSample> chips;
    QMap<int, qsizetype> chipsOfProcesses;
    for (const nlohmann::json &chip : *json) {
        const auto users = chip.is_object() ? chip.find(chipUsersKey) : chip.end();
        if (users != chip.end() && users->is_array()) {
            for (const nlohmann::json &user : *users) {
                // Whatever number somebody wrote there, it is looked up and no more.
                if (user.is_number_unsigned())
                    chipsOfProcesses.insert(static_cast<int>(user.get<quint64>() % mostProcesses),
                                            chips.size());
            }
        }
        chips << deviceSampleFrom(chip).value_or(DeviceSample());
    }
    history.chips << chips;
    history.chipsOfProcesses << chipsOfProcesses;
    return true;
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
        hasChips = addChips(history, subjects);
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

QByteArray DeviceHistory::toCsv() const
{
    QByteArray csv = csvHeading() + '\n';
    for (const DeviceMoment &moment : moments) {
        for (qsizetype chip = 0; chip < moment.points.size(); ++chip)
            csv += csvRow(moment, chip) + '\n';
    }
    return csv;
}

} // namespace rankdeck
