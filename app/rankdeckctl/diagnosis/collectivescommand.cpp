#include "base/listcomma.h"
#include "diagnosis/recorder/collectivereport.h"
#include "launch/plan/recorderfiles.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "run/record/runreader.h"

namespace rankdeck
{

namespace
{

/// Where the dumps of a run or an unpacked bundle are: those of its last attempt.
QString dumpsOfRun(const QString &run)
{
    const auto state = RunReader(run).open();
    return state && state->recordedPlan ? writtenRecorderFolder(run, *state->recordedPlan, state->attempt)
                                        : run + QLatin1String(recorderFolderName);
}

QString numberText(qint64 sequence)
{
    return sequence > 0 ? QString::number(sequence) : u"-"_s;
}

JsonText rankJson(const RankCollective &its)
{
    return {{"rank", its.rank},       {"has_dump", its.hasDump},     {"completed", its.completed},
            {"reached", its.reached}, {"is_waiting", its.isWaiting}, {"operation", its.operation},
            {"shape", its.shape},     {"place", its.place}};
}

JsonText groupJson(const CollectiveGroup &group)
{
    JsonText json{{"name", group.group.name},
                  {"description", group.group.description},
                  {"members", group.group.ranks},
                  {"completed_by_all", group.completedByAll},
                  {"stuck_at", group.stuckAt > 0 ? JsonText(group.stuckAt) : JsonText()},
                  {"operation", group.operation},
                  {"waiting", group.waiting},
                  {"missing", group.missing},
                  {"slow_rank", group.slowRank},
                  {"mismatch", {}},
                  {"ranks", JsonText::list(group.ranks, rankJson)}};
    if (group.mismatch) {
        static constexpr std::array kinds{"operation", "shape", "place"};
        QList<JsonText> calls;
        for (auto its = group.mismatch->ranks.cbegin(); its != group.mismatch->ranks.cend(); ++its)
            calls << JsonText{{"call", its.key()}, {"ranks", its.value()}};
        json.insert("mismatch", {{"kind", kinds.at(std::size_t(group.mismatch->kind))},
                                 {"sequence", group.mismatch->sequence},
                                 {"calls", calls}});
    }
    return json;
}

void printReport(const CollectiveReport &report)
{
    for (const Sentence &finding : report.findings)
        print(visibleText(finding));
    if (report.findings.isEmpty())
        print(tr("No rank waits for another, and all call the same collectives."));
    for (const CollectiveGroup &group : report.groups) {
        print(QString());
        const QString name = visibleText(group.group.description.isEmpty()
                                             ? group.group.name
                                             : inBrackets(group.group.name, group.group.description));
        print(group.completedByAll > 0
                  ? tr("Group %1: all ranks have completed #%2").arg(name).arg(group.completedByAll)
                  : tr("Group %1: no collective is known that all ranks have completed").arg(name));
        QList<QStringList> rows{{tr("RANK"), tr("COMPLETED"), tr("REACHED"), tr("COLLECTIVE"), tr("PLACE")}};
        for (const RankCollective &its : group.ranks)
            rows << (its.hasDump ? QStringList{QString::number(its.rank), numberText(its.completed),
                                               numberText(its.reached),
                                               visibleText(u"%1 %2 %3"_s
                                                               .arg(its.operation, its.shape,
                                                                    its.isWaiting ? tr("(waits)") : QString())
                                                               .simplified()),
                                               visibleText(its.place)}
                                 : QStringList{QString::number(its.rank), tr("no dump")});
        print(tableLines(rows, "rrrll").join('\n'_L1));
    }
}

} // namespace

int collectivesCommand(const Options &options)
{
    const QString what = options.positional.value(0);
    QString folder = what;
    std::optional<BundleSource> bundle;
    if (BundleSource::isBundle(what)) {
        bundle.emplace(what);
        if (const auto state = bundle->open(); !state)
            return refuse(state.error());
        folder = bundle->bundle().directory->path() + QLatin1String(recorderFolderName);
    } else if (!QFileInfo(what).isDir()) {
        const auto run = runGiven(what);
        if (!run)
            return refuse(run.error());
        folder = dumpsOfRun(*run);
    } else if (QFileInfo(what + QLatin1String(recorderFolderName)).isDir()) {
        folder = dumpsOfRun(what);
    }
    const auto read = readRecorderDumps(folder);
    if (!read)
        return refuse(read.error());
    const CollectiveReport report = reportCollectives(*read);
    for (const Error &error : report.unreadable)
        sayNote(error.sentence());
    if (options.has("--json"))
        printJson({{"directory", folder},
                   {"dumps", report.dumped.size()},
                   {"findings", textsOf(report.findings)},
                   {"groups", JsonText::list(report.groups, groupJson)},
                   {"unreadable", JsonText::list(report.unreadable, [](const Error &error) {
                        return JsonText{{"file", error.where}, {"what", error.what}};
                    })}});
    else
        printReport(report);
    return !report.dumped.isEmpty() ? 0 : unusableInput;
}

} // namespace rankdeck
