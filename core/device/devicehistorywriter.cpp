#include "device/devicehistorywriter.h"

#include "device/devicejson.h"
#include "device/devicepoint.h"
#include "json.h"

namespace rankdeck
{

namespace
{

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

} // namespace

DeviceHistoryWriter::DeviceHistoryWriter(const QString &path, qint64 limit)
    : m_file(path, deviceHistoryHeading, limit)
{
}

std::optional<Error> DeviceHistoryWriter::add(const DeviceReading &reading,
                                              const QMap<int, int> &chipsOfProcesses)
{
    if (m_file.isSkipped())
        return std::nullopt;
    nlohmann::json chips = nlohmann::json::array();
    QList<QByteArray> points;
    for (const DeviceSample &sample : reading.samples) {
        chips.push_back(toJson(fixedPart(sample)));
        points << pointText(DevicePoint::of(sample));
    }
    for (auto chip = chipsOfProcesses.begin(); chip != chipsOfProcesses.end(); ++chip) {
        if (*chip >= 0 && *chip < reading.samples.size())
            chips[static_cast<std::size_t>(*chip)][chipUsersKey].push_back(chip.key());
    }
    return m_file.add(jsonText(chips), reading.time, points);
}

} // namespace rankdeck
