#include "run/samples/loadhistory.h"

#include "base/numberranges.h"
#include "base/times.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace rankdeck
{

constexpr char heading[] = "# rankdeck processes 1 ";
constexpr double bytesOfMb = 1024.0 * 1024;
constexpr double mostPercent = 1e9;        ///< More than any machine has.
constexpr qsizetype mostProcesses = 65536; ///< More than any plan has.

static std::optional<double> mbOf(const std::optional<double> &bytes)
{
    return bytes ? std::optional(std::round(*bytes / bytesOfMb * 10) / 10) : std::nullopt;
}

template <typename Point, typename Visitor>
requires std::same_as<std::remove_const_t<Point>, LoadPoint>
void forEachValue(Point &point, const Visitor &visit)
{
    visit("cpu_percent", point.cpuPercent);
    visit("resident_mb", point.residentMb);
    visit("read_mb_per_second", point.readMbPerSecond);
    visit("written_mb_per_second", point.writtenMbPerSecond);
    visit("processes", point.processes);
}

LoadPoint LoadPoint::of(const TreeLoad &load)
{
    LoadPoint point;
    if (load.cpuPercent)
        point.cpuPercent = static_cast<int>(std::lround(std::min(*load.cpuPercent, mostPercent)));
    point.residentMb = std::llround(static_cast<double>(load.residentBytes) / bytesOfMb);
    point.readMbPerSecond = mbOf(load.readBytesPerSecond);
    point.writtenMbPerSecond = mbOf(load.writtenBytesPerSecond);
    point.processes = load.processes;
    return point;
}

std::optional<LoadHistory> LoadHistory::from(QByteArrayView text)
{
    LoadHistory history;
    bool hasProcesses = false;
    const auto takeSubjects = [&](const QByteArray &subjects) {
        const auto numbers = numbersFromRanges(QString::fromLatin1(subjects));
        hasProcesses = numbers && numbers->size() <= mostProcesses;
        if (!hasProcesses)
            return;
        // Processes without a moment are dropped: a few bytes may name very many.
        if (!history.processes.isEmpty() &&
            (history.moments.isEmpty() || history.moments.last().processes + 1 < history.processes.size()))
            history.processes.removeLast();
        history.processes << *numbers;
    };
    const auto takeMoment = [&](qint64 ms, const QList<QByteArray> &texts) {
        if (!hasProcesses || texts.size() != history.processes.last().size())
            return;
        if (const auto points = pointsFrom<LoadPoint>(texts))
            history.moments << LoadMoment{utcTime(ms), history.processes.size() - 1, *points};
    };
    if (!readHistory(text, heading, takeSubjects, takeMoment))
        return std::nullopt;
    return history;
}

Result<LoadHistory> LoadHistory::read(const QString &path)
{
    return historyIn<LoadHistory>(path, tr("not a history of processes"));
}

QByteArray LoadHistory::csvHeading()
{
    QByteArrayList names;
    const LoadPoint point;
    forEachValue(point, [&](const char *name, const auto &) { names << name; });
    return names.join(',');
}

QByteArray LoadHistory::csvValues(const LoadPoint &point)
{
    QByteArrayList values;
    forEachValue(point, [&](const char *, const auto &value) { values << valueText(value); });
    return values.join(',');
}

LoadHistoryWriter::LoadHistoryWriter(const QString &path, qint64 limit)
    : m_file(path, heading, limit)
{
}

std::optional<Error> LoadHistoryWriter::add(const NodeSample &sample)
{
    if (sample.loads.isEmpty() || m_file.isSkipped())
        return std::nullopt;
    const QList<QByteArray> points =
        listOf(sample.loads, [&](const TreeLoad &load) { return pointText(LoadPoint::of(load)); });
    return m_file.add(numberRanges(sample.loads.keys()).toLatin1(), sample.time, points);
}

} // namespace rankdeck
