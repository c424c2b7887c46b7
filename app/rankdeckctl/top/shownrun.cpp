#include "rankdeckctl/top/shownrun.h"

#include "diagnosis/stall/stackgroups.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/runs/runchoice.h"

namespace rankdeck
{

ShownRun::ShownRun()
    : m_readingStacks(this, [this](const QString &stacks) {
        m_stacks = stacks;
        Q_EMIT changed();
    })
{
}

ShownRun::Judged::Judged(const Verdict &verdict, const RunState &state)
    : text(verdictText(verdict, state))
    , headline(verdictTitle(verdict))
    , findings(rankFindings(verdict, state))
{
}

/// Reads files.
static QString stacksOf(const RunState &state)
{
    QStringList parts;
    const QList<StackDump> dumps = lastDumps(state.dumps);
    for (const StackGroup &group : stackGroups(readStacks(state.directory, dumps)))
        parts << u"== %1: %2\n%3\n"_s.arg(namesOf(*state.plan, group.processes), group.top, group.text);
    for (const StackDump &dump : state.dumps) {
        if (!dump.problem.isEmpty())
            parts << dump.problem;
    }
    return parts.join(u'\n');
}

void ShownRun::readStacks()
{
    m_readingStacks.ask([state = m_snapshot.state](const auto & /*isCancelled*/) { return stacksOf(state); });
}

} // namespace rankdeck
