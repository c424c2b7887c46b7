#include "rankdeckctl/top/shownrun.h"

#include "base/listcomma.h"
#include "base/numberranges.h"
#include "diagnosis/stall/stackgroups.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

static QString namesOf(const QList<int> &processes, const LaunchPlan &plan)
{
    QList<int> ranks;
    QStringList others;
    for (const int process : processes) {
        const ProcessPlan &each = plan.processes[static_cast<std::size_t>(process)];
        if (each.role == Role::Worker)
            ranks << each.rank.value;
        else
            others << each.label();
    }
    std::ranges::sort(ranks);
    if (!ranks.isEmpty())
        others.prepend(tr("ranks %1", "rank %1", int(ranks.size())).arg(numberRanges(ranks)));
    return others.join(listComma());
}

QString ShownRun::stacksOf(const RunState &state)
{
    QStringList parts;
    const QList<StackDump> dumps = lastDumps(state.dumps);
    for (const StackGroup &group : stackGroups(readStacks(state.directory, dumps)))
        parts << u"== %1: %2\n%3\n"_s.arg(namesOf(group.processes, *state.plan), group.top, group.text);
    for (const StackDump &dump : state.dumps) {
        if (!dump.problem.isEmpty())
            parts << dump.problem;
    }
    return parts.join(u'\n');
}

} // namespace rankdeck
