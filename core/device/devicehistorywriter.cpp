#include "device/devicehistorywriter.h"

#include "device/devicejson.h"
#include "device/devicepoint.h"
#include "json.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

const QByteArray heading = deviceHistoryHeading;

QString tr(const char *text)
{
    return QCoreApplication::translate("DeviceHistory", text);
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

} // namespace

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
