#include "diagnosis/progress/pastprogress.h"
#include "rankdeckctl/console/commands.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

int compareCommand(const Options &options)
{
    if (options.positional.size() < 2)
        return refuse({tr("needs two or more runs"), u"compare"_s, tr("rankdeckctl list names them.")});
    std::vector<ComparedRun> runs;
    QStringList header{QString()};
    for (const QString &name : options.positional) {
        const auto directory = findRun(name);
        if (!directory)
            return refuse(directory.error());
        auto run = readComparedRun(*directory);
        if (!run)
            return refuse(run.error());
        header << visibleText(run->state.name);
        runs.push_back(std::move(run.value()));
    }
    const QList<ComparisonRow> compared = compareRuns(runs);
    if (options.has("--json")) {
        printJson(
            {{"runs", JsonText::list(
                          runs,
                          [](const ComparedRun &run) {
                              return JsonText{{"name", run.state.name}, {"directory", run.state.directory}};
                          })},
             {"rows", JsonText::list(compared, [](const ComparisonRow &row) {
                  return JsonText{{"name", row.name}, {"values", row.values}, {"is_option", row.isOption}};
              })}});
        return 0;
    }
    QList<QStringList> rows{header};
    QByteArray columns(1 + runs.size(), 'l');
    for (const ComparisonRow &row : compared) {
        QStringList cells{row.name};
        for (const QString &value : row.values)
            cells << visibleText(value);
        rows << cells;
    }
    print(tableLines(rows, columns).join('\n'_L1));
    return 0;
}

} // namespace rankdeck
