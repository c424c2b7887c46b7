#include "run/samples/samplecsv.h"

#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "run/samples/samplefiles.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QIODevice>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <utility>

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

/// The processes of a node by the index of their chip.
QMap<qsizetype, int> processesOf(const LaunchPlan &plan, const QString &node, const DeviceHistory &history,
                                 qsizetype chips)
{
    QMap<qsizetype, int> processes;
    for (std::size_t process = 0; process < plan.processes.size(); ++process) {
        if (plan.processes[process].node != node)
            continue;
        if (const auto chip = chipOf(static_cast<int>(process), plan.processes[process], history, chips))
            processes.insert(*chip, static_cast<int>(process));
    }
    return processes;
}

/// Empty for the scheduler, and for none.
QByteArray rankText(const LaunchPlan &plan, int process)
{
    const auto index = static_cast<std::size_t>(process);
    const bool isRank = index < plan.processes.size() && plan.processes[index].role == Role::Worker;
    return isRank ? QByteArray::number(plan.processes[index].rank.value) : QByteArray();
}

void writeDevices(QIODevice &out, const LaunchPlan &plan, const QString &node, const DeviceHistory &history)
{
    QList<QMap<qsizetype, int>> processes;
    for (qsizetype chips = 0; chips < history.chips.size(); ++chips)
        processes << processesOf(plan, node, history, chips);
    const QByteArray noLoad(LoadHistory::csvHeading().count(',') + 1, ',');
    for (const DeviceMoment &moment : history.moments) {
        for (qsizetype chip = 0; chip < moment.points.size(); ++chip)
            out.write(csvWord(node) + ',' + rankText(plan, processes.at(moment.chips).value(chip, -1)) + ',' +
                      history.csvRow(moment, chip) + noLoad + '\n');
    }
}

void writeLoads(QIODevice &out, const LaunchPlan &plan, const QString &node, const LoadHistory &history)
{
    const QByteArray noDevice(DeviceHistory::csvHeading().count(','), ',');
    for (const LoadMoment &moment : history.moments) {
        for (qsizetype index = 0; index < moment.points.size(); ++index)
            out.write(csvWord(node) + ',' + rankText(plan, history.processes.at(moment.processes).at(index)) +
                      ',' + moment.time.toString(Qt::ISODateWithMs).toUtf8() + noDevice + ',' +
                      LoadHistory::csvValues(moment.points.at(index)) + '\n');
    }
}

} // namespace

std::optional<Error> writeSampleCsv(QIODevice &out, const QString &runDirectory, const LaunchPlan &plan,
                                    const QList<int> &processes)
{
    const QStringList nodes = sampledNodes(plan);
    QSet<QString> wanted;
    for (const int process : processes)
        wanted << plan.processes.at(static_cast<std::size_t>(process)).node;
    bool isAny = false;
    const auto begin = [&] {
        if (!std::exchange(isAny, true))
            out.write("node,rank," + DeviceHistory::csvHeading() + ',' + LoadHistory::csvHeading() + '\n');
    };
    for (qsizetype node = 0; node < nodes.size(); ++node) {
        if (!wanted.contains(nodes.at(node)))
            continue;
        if (const QString path = deviceHistoryPath(runDirectory, node); QFileInfo::exists(path)) {
            const auto history = DeviceHistory::read(path);
            if (!history)
                return history.error();
            begin();
            writeDevices(out, plan, nodes.at(node), *history);
        }
        if (const QString path = loadHistoryPath(runDirectory, node); QFileInfo::exists(path)) {
            const auto history = LoadHistory::read(path);
            if (!history)
                return history.error();
            begin();
            writeLoads(out, plan, nodes.at(node), *history);
        }
    }
    return isAny ? std::nullopt
                 : std::optional(Error{tr("there is no history of samples in this run"), runDirectory, {}});
}

} // namespace rankdeck
