#include "agent/samplekeeper.h"

#include "run/samples/samplefiles.h"

#include <QCoreApplication>
#include <QFile>

#include <utility>

#include <sys/stat.h>

namespace rankdeck
{

namespace
{

/// Some thousand moments, which is more than a plot shows; and it goes into a bundle whole.
constexpr qint64 historyLimit = 1'000'000;

QString tr(const char *text)
{
    return QCoreApplication::translate("SampleKeeper", text);
}

} // namespace

SampleKeeper::SampleKeeper(QString runDirectory)
    : m_directory(std::move(runDirectory))
{
}

std::optional<Error> SampleKeeper::keep(const NodeSample &sample, qsizetype place)
{
    auto &node = m_nodes[sample.node];
    if (!node.loads) {
        mkdir(QFile::encodeName(samplesFolder(m_directory)).constData(), 0700);
        node.loads = std::make_unique<LoadHistoryWriter>(loadHistoryPath(m_directory, place), historyLimit);
        node.devices =
            std::make_unique<DeviceHistoryWriter>(deviceHistoryPath(m_directory, place), historyLimit);
    }
    auto error = node.loads->add(sample);
    // Several samples may bring the same reading.
    if (sample.devices && sample.devices->time != node.kept) {
        node.kept = sample.devices->time;
        if (const auto problem = node.devices->add(*sample.devices, sample.chips))
            error = problem;
    }
    return error;
}

QList<RunEvent> SampleKeeper::take(const NodeSample &sample, const LaunchPlan &plan, qint64 now)
{
    const QStringList nodes = sampledNodes(plan);
    const qsizetype place = nodes.indexOf(sample.node);
    if (place < 0)
        return {};
    QList<RunEvent> events = m_alarms.take(sample, plan, now);
    const auto error = keep(sample, place);
    if (error && !std::exchange(m_hasComplained, true))
        events << RunEvent::now(RunEvent::Kind::Note,
                                tr("The history of samples has gaps: %1").arg(error->sentence()));
    return events;
}

} // namespace rankdeck
