#include "run/samples/samplecsv.h"

#include "run/samples/nodehistory.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QIODevice>
#include <QMap>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("SampleCsv", text);
}

/// A name of a host or an address, which need no quotes, or whatever somebody has written in its place.
QByteArray csvWord(const QString &text)
{
    QByteArray word = text.toUtf8();
    const bool isPlain = std::none_of(word.begin(), word.end(), [](char letter) {
        return letter == ',' || letter == '"' || letter == '\n' || letter == '\r';
    });
    return isPlain ? word : '"' + word.replace('"', "\"\"") + '"';
}

/// The ranks of a node by the index of their chip.
QMap<qsizetype, int> ranksOf(const LaunchPlan &plan, const QString &node, const QList<DeviceSample> &chips)
{
    QMap<qsizetype, int> ranks;
    for (const ProcessPlan &process : plan.processes) {
        if (process.node != node)
            continue;
        if (const auto chip = chipOf(process, chips))
            ranks.insert(*chip, process.rank.value);
    }
    return ranks;
}

void writeNode(QIODevice &out, const LaunchPlan &plan, const QString &node, const DeviceHistory &history)
{
    QList<QMap<qsizetype, int>> ranks;
    for (const QList<DeviceSample> &chips : history.chips)
        ranks << ranksOf(plan, node, chips);
    for (const DeviceMoment &moment : history.moments) {
        for (qsizetype chip = 0; chip < moment.points.size(); ++chip) {
            const auto rank = ranks.at(moment.chips).constFind(chip);
            const bool isUsed = rank != ranks.at(moment.chips).cend();
            out.write(csvWord(node) + ',' + (isUsed ? QByteArray::number(*rank) : QByteArray()) + ',' +
                      history.csvRow(moment, chip) + '\n');
        }
    }
}

} // namespace

std::optional<Error> writeSampleCsv(QIODevice &out, const QString &runDirectory, const LaunchPlan &plan,
                                    const QList<int> &processes)
{
    const QStringList nodes = sampledNodes(plan);
    QStringList wanted;
    for (const int process : processes)
        wanted << plan.processes.at(static_cast<std::size_t>(process)).node;
    out.write("node,rank," + DeviceHistory::csvHeading() + '\n');
    bool isAny = false;
    for (int node = 0; node < nodes.size(); ++node) {
        const QString path = deviceHistoryFile(runDirectory, node);
        if (!wanted.contains(nodes.at(node)) || !QFileInfo::exists(path))
            continue;
        const auto history = DeviceHistory::read(path);
        if (!history)
            return history.error();
        writeNode(out, plan, nodes.at(node), *history);
        isAny = true;
    }
    return isAny ? std::nullopt
                 : std::optional(Error{tr("there is no history of NPUs in this run"), runDirectory, {}});
}

} // namespace rankdeck
