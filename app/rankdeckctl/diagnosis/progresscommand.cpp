#include "progressprinter.h"

#include "diagnosis/progress/progresscsv.h"
#include "diagnosis/progress/progresswords.h"
#include "json.h"
#include "output.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("progressprinter", text);
}

std::vector<RankProgress> ranksOf(const ProgressLogs &logs)
{
    std::vector<RankProgress> ranks;
    for (int process = 0; process < logs.count(); ++process)
        ranks.push_back(logs.tracker(process).progress());
    return ranks;
}

QString numberText(const std::optional<double> &number)
{
    return number ? QString::number(*number, 'g', 6) : QStringLiteral("-");
}

QString ratioText(const QString &number, const std::optional<qint64> &total)
{
    return total ? QStringLiteral("%1/%2").arg(number).arg(*total) : number;
}

void printTable(const RunState &state, const ProgressLogs &logs)
{
    using Row = std::array<QString, 8>;
    const QString absent = QStringLiteral("-");
    std::vector<Row> rows{{tr("RANK"), tr("EPOCH"), tr("STEP"), tr("LOSS"), tr("STEP TIME"), tr("THROUGHPUT"),
                           tr("LEARNING RATE"), tr("LEFT")}};
    for (int process = 0; process < logs.count(); ++process) {
        const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
        if (plan.role != Role::Worker)
            continue;
        const RankProgress progress = logs.tracker(process).progress();
        Row row{QString::number(plan.rank.value)};
        if (progress.isSilent()) {
            row[1] = tr("no progress lines");
            rows.push_back(row);
            continue;
        }
        const ProgressPoint &last = progress.last;
        row[1] = last.epoch ? ratioText(QString::number(*last.epoch), last.epochs) : absent;
        row[2] = progress.step && !progress.countsEpochs
                     ? ratioText(QString::number(*progress.step), progress.steps)
                     : absent;
        row[3] = last.loss ? lossText(*last.loss) : absent;
        row[4] = progress.stepMs ? stepTimeText(*progress.stepMs) : absent;
        row[5] = last.throughput ? QStringLiteral("%1 %2")
                                       .arg(numberText(last.throughput),
                                            visibleText(QString::fromLatin1(last.throughputUnit)))
                                       .trimmed()
                                 : absent;
        row[6] = numberText(last.learningRate);
        const auto left = progress.remainingMs();
        row[7] = left && mayGrow(state.phase) ? remainingText(*left) : absent;
        rows.push_back(row);
    }
    std::array<qsizetype, 8> widths{};
    for (const Row &row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (row[column] != tr("no progress lines"))
                widths[column] = std::max(widths[column], row[column].size());
        }
    }
    for (const Row &row : rows) {
        QString line;
        for (std::size_t column = 0; column < row.size(); ++column)
            line += row[column].leftJustified(widths[column]) + QStringLiteral("  ");
        print(line.trimmed());
    }
}

/// JSON has no number for these.
nlohmann::json toJson(const std::optional<double> &number)
{
    if (!number)
        return nullptr;
    if (std::isfinite(*number))
        return *number;
    return QString::number(*number).toStdString();
}

nlohmann::json toJson(const std::optional<qint64> &number)
{
    return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
}

nlohmann::json runJson(const RunState &state, const ProgressLogs &logs)
{
    const RunProgress run = runProgress(ranksOf(logs));
    return {{"directory", state.directory},
            {"state", phaseWord(state.phase)},
            {"counts", run.countsEpochs ? "epochs" : "steps"},
            {"step", toJson(run.step)},
            {"steps", toJson(run.steps)},
            {"loss", toJson(run.loss)},
            {"step_time_ms", toJson(run.stepMs)},
            {"remaining_ms", mayGrow(state.phase) ? toJson(run.remainingMs) : nullptr}};
}

nlohmann::json rankJson(const ProcessPlan &process, const RankProgress &progress)
{
    const ProgressPoint &last = progress.last;
    nlohmann::json json{{"rank", process.rank.value},
                        {"lines", progress.lines},
                        {"epoch", toJson(last.epoch)},
                        {"epochs", toJson(last.epochs)},
                        {"step", toJson(progress.step)},
                        {"steps", toJson(progress.steps)},
                        {"printed_step", toJson(last.step)},
                        {"printed_steps", toJson(last.steps)},
                        {"loss", toJson(last.loss)},
                        {"step_time_ms", toJson(progress.stepMs)},
                        {"throughput", toJson(last.throughput)},
                        {"throughput_unit", nullptr},
                        {"learning_rate", toJson(last.learningRate)},
                        {"remaining_ms", toJson(progress.remainingMs())}};
    if (last.throughput && !last.throughputUnit.isEmpty())
        json["throughput_unit"] = QString::fromLatin1(last.throughputUnit);
    return json;
}

void printJson(const RunState &state, const ProgressLogs &logs)
{
    nlohmann::json json = runJson(state, logs);
    json["ranks"] = nlohmann::json::array();
    for (int process = 0; process < logs.count(); ++process) {
        const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
        if (plan.role == Role::Worker)
            json["ranks"].push_back(rankJson(plan, logs.tracker(process).progress()));
    }
    print(visibleJson(jsonText(json, 2)));
}

void printCsv(const RunState &state, const ProgressLogs &logs)
{
    ProgressCurves curves;
    for (int process = 0; process < logs.count(); ++process) {
        const ProgressTracker &tracker = logs.tracker(process);
        curves.curves.append({process, tracker.loss(), tracker.stepTime()});
    }
    print(QString::fromLatin1(progressCsv(*state.plan, curves)).trimmed());
}

} // namespace

void printProgress(const RunState &state, const ProgressLogs &logs, ProgressFormat format)
{
    switch (format) {
    case ProgressFormat::Table:
        printTable(state, logs);
        break;
    case ProgressFormat::Json:
        printJson(state, logs);
        break;
    case ProgressFormat::Csv:
        printCsv(state, logs);
        break;
    }
}

void printProgressLine(const RunState &state, const ProgressLogs &logs, ProgressFormat format)
{
    if (format == ProgressFormat::Json) {
        print(visibleJson(jsonText(runJson(state, logs))));
        return;
    }
    const QString text = progressText(runProgress(ranksOf(logs)), mayGrow(state.phase));
    if (!text.isEmpty())
        print(text);
}

} // namespace rankdeck
