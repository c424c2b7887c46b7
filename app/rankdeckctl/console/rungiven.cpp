#include "rankdeckctl/console/rungiven.h"

#include "base/listcomma.h"
#include "base/numberranges.h"
#include "rankdeckctl/console/output.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

static Result<QString> newestOf(const QList<RunSummary> &runs)
{
    if (runs.isEmpty())
        return Error{tr("there are no runs yet"), {}, tr("Launch one, see rankdeckctl --help.")};
    complain(tr("Run %1.").arg(visibleText(runs.first().name)));
    return runs.first().directory;
}

Result<QString> runGiven(const QString &name)
{
    return name.isEmpty() ? newestOf(RunSummaries().read()) : findRun(name);
}

Result<QString> runToChange(const QString &name)
{
    if (!name.isEmpty())
        return findRun(name);
    const QList<RunSummary> runs = RunSummaries().read();
    QStringList live;
    for (const RunSummary &run : runs) {
        if (isLive(run.phase))
            live << run.name;
    }
    if (live.size() > 1)
        return Error{
            tr("several runs are live: %1").arg(live.join(nameComma())), {}, tr("Name one of them.")};
    return newestOf(runs);
}

Result<QList<int>> ranksGiven(const QString &ranks)
{
    if (const auto numbers = numbersFromRanges(ranks))
        return *numbers;
    return Error{tr("\"%1\" does not name ranks").arg(ranks), u"--rank"_s,
                 tr("Give for example 3, 0,4-7, or all.")};
}

Result<RunState> BundleSource::open()
{
    const auto bundle = openBundle(m_path);
    if (!bundle)
        return bundle.error();
    m_bundle = *bundle;
    return m_bundle->state;
}

} // namespace rankdeck
