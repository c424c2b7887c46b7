#include "diagnosis/progress/pastprogress.h"

#include "base/regularfile.h"
#include "launch/plan/launchplan.h"

#include <array>

namespace rankdeck
{

constexpr std::array<qint64, 3> tailSizes{8 * 1024, 64 * 1024, 1024 * 1024};
/// Fewer lines are not enough to compute the duration of a step.
constexpr qint64 enoughLines = 16;
constexpr int marksOfTail = 256;

namespace
{

/// One of the logs of a process, up to a length.
struct PastLog {
    QString path;
    qint64 length = 0;
    QString marks; ///< File of its growth marks; empty: none.
    int stream = 0;
};

/// Where the line that begins at `at` ends.
qsizetype lineEnd(const QByteArray &bytes, qsizetype at)
{
    while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r')
        ++at;
    return at;
}

/// Adds the lines of the last `most` bytes.
void addTail(const PastLog &log, qint64 most, qint64 ms, const ProgressReader &reader,
             ProgressTracker &tracker)
{
    RegularFile file(log.path);
    const qint64 begin = std::max<qint64>(0, log.length - most);
    if (log.length <= 0 || !file.open(QIODevice::ReadOnly) || !file.seek(begin))
        return;
    const QByteArray bytes = file.read(log.length - begin);
    const auto marks = log.marks.isEmpty() ? std::nullopt : marksUntil(log.marks, ms, marksOfTail);
    std::size_t mark = 0;
    LogLineReader lines;
    // The first line is whole only where the file begins.
    qsizetype at = begin == 0 ? 0 : bytes.indexOf('\n') + 1;
    if (begin > 0 && at == 0)
        return;
    for (qsizetype end = lineEnd(bytes, at); at < bytes.size(); at = end + 1, end = lineEnd(bytes, at)) {
        const QByteArrayView line = QByteArrayView(bytes).sliced(at, end - at);
        const auto point = reader.read(line);
        if (!point)
            continue;
        while (marks && mark < marks->size() && (*marks)[mark].size < begin + end)
            ++mark;
        const auto seen = marks && mark < marks->size() ? std::optional((*marks)[mark].time) : std::nullopt;
        tracker.add({*point, log.stream, lines.read(line).time, seen});
    }
}

} // namespace

std::vector<RankProgress> pastProgress(const LaunchPlan &plan, const ProgressReader &reader,
                                       const std::vector<LogLengths> &lengths, qint64 ms,
                                       const QString &growthFolder)
{
    std::vector<RankProgress> progress(plan.processes.size());
    for (std::size_t index = 0; index < std::min(plan.processes.size(), lengths.size()); ++index) {
        const ProcessPlan &process = plan.processes[index];
        if (process.role != Role::Worker)
            continue;
        const auto marksOf = [&](bool isError) {
            return growthFolder.isEmpty() ? QString()
                                          : marksFile(growthFolder, static_cast<int>(index), isError);
        };
        for (const qint64 most : tailSizes) {
            ProgressTracker tracker(1);
            addTail({process.logFile, lengths[index].log, marksOf(false), 0}, most, ms, reader, tracker);
            addTail({process.stderrFile, lengths[index].error, marksOf(true), 1}, most, ms, reader, tracker);
            progress[index] = tracker.progress();
            const bool isAll = most >= std::max(lengths[index].log, lengths[index].error);
            if (progress[index].lines >= enoughLines || isAll)
                break;
        }
    }
    return progress;
}

} // namespace rankdeck
