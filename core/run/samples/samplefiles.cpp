#include "run/samples/samplefiles.h"

#include <QSet>

namespace rankdeck
{

QStringList sampledNodes(const LaunchPlan &plan)
{
    QStringList nodes;
    QSet<QString> known;
    for (const ProcessPlan &process : plan.processes) {
        if (known.contains(process.node))
            continue;
        known.insert(process.node);
        nodes << process.node;
    }
    return nodes;
}

QString samplesFolder(const QString &runDirectory)
{
    return runDirectory + QStringLiteral("/samples");
}

QString deviceHistoryPath(const QString &runDirectory, qsizetype node)
{
    return samplesFolder(runDirectory) + QStringLiteral("/devices-%1").arg(node);
}

QString loadHistoryPath(const QString &runDirectory, qsizetype node)
{
    return samplesFolder(runDirectory) + QStringLiteral("/processes-%1").arg(node);
}

} // namespace rankdeck
