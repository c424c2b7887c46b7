#include "commands.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "timewords.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("listcommand", text);
}

const QString liveWord = QStringLiteral("live");
const QString endedWord = QStringLiteral("ended");

/// "live" and "ended" stand for several states each.
bool isInState(const RunSummary &run, const QString &word)
{
    if (word == liveWord || word == endedWord)
        return isLive(run.phase) == (word == liveWord);
    return word == phaseWord(run.phase);
}

Result<QStringList> readStates(const QStringList &given)
{
    QStringList states;
    for (const QString &option : given) {
        for (const QString &word : option.split(QLatin1Char(','))) {
            if (word != liveWord && word != endedWord && !phaseFromWord(word))
                return Error{tr("\"%1\" is no state of a run").arg(word), QStringLiteral("--state"),
                             tr("Give live, ended, starting, running, stopping, succeeded, failed, stopped "
                                "or lost.")};
            states << word;
        }
    }
    return states;
}

QString timeText(const QDateTime &time)
{
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : QString();
}

void printTable(const QList<RunSummary> &runs)
{
    using Row = std::array<QString, 7>; // The last one of runs that have a remark, without a heading.
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QList<Row> rows{{tr("RUN"), tr("STATE"), tr("CODE"), tr("RANKS"), tr("DURATION"), tr("STARTED"), {}}};
    for (const RunSummary &run : runs)
        rows << Row{visibleText(run.name),
                    phaseWord(run.phase),
                    isLive(run.phase) ? QStringLiteral("-") : QString::number(run.exitCode),
                    QString::number(run.worldSize),
                    elapsedText(run.duration(now)),
                    timeText(run.created),
                    run.remark};
    std::array<int, 5> widths{};
    for (const Row &row : rows) {
        for (std::size_t column = 0; column < widths.size(); ++column)
            widths[column] = std::max(widths[column], static_cast<int>(row[column].size()));
    }
    for (const Row &row : rows)
        print(QStringLiteral("%1  %2  %3  %4  %5  %6  %7")
                  .arg(row[0], -widths[0])
                  .arg(row[1], -widths[1])
                  .arg(row[2], widths[2])
                  .arg(row[3], widths[3])
                  .arg(row[4], widths[4])
                  .arg(row[5], row[6])
                  .trimmed());
}

void printAsJson(const QList<RunSummary> &runs)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    nlohmann::json list = nlohmann::json::array();
    for (const RunSummary &run : runs) {
        nlohmann::json entry{{"name", run.name},
                             {"directory", run.directory},
                             {"launcher", run.launcher},
                             {"state", phaseWord(run.phase)},
                             {"world_size", run.worldSize},
                             {"created", run.created.toString(Qt::ISODateWithMs)},
                             {"duration_s", run.duration(now)}};
        if (!isLive(run.phase)) {
            entry["exit_code"] = run.exitCode;
            entry["ended"] = run.ended.toString(Qt::ISODateWithMs);
        }
        if (!run.remark.isEmpty())
            entry["remark"] = run.remark;
        list.push_back(std::move(entry));
    }
    print(visibleJson(jsonText(list, 2)));
}

} // namespace

int listCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {.switches = {QStringLiteral("--json")},
                                                  .withValue = {QStringLiteral("--limit")},
                                                  .repeatable = {QStringLiteral("--state")}});
    if (!options)
        return refuse(options.error());
    const auto states = readStates(options->list("--state"));
    if (!states)
        return refuse(states.error());
    QList<RunSummary> runs = RunSummaries().read();
    const bool wereThereAny = !runs.isEmpty();
    if (!states->isEmpty())
        runs.removeIf([&](const RunSummary &run) {
            return std::none_of(states->begin(), states->end(),
                                [&](const QString &word) { return isInState(run, word); });
        });
    if (options->hasValue("--limit")) {
        const auto limit = parseNumber(options->value("--limit"), QStringLiteral("--limit"), 1);
        if (!limit)
            return refuse(limit.error());
        runs = runs.mid(0, *limit);
    }
    if (options->has("--json"))
        printAsJson(runs);
    else if (runs.isEmpty())
        say(wereThereAny ? tr("There are no such runs.") : tr("There are no runs yet."));
    else
        printTable(runs);
    return 0;
}

} // namespace rankdeck
