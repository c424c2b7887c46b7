#include "agent/stacks/stackkeeper.h"

#include "agent/stacks/stacktools.h"
#include "base/numberranges.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <QFile>

#include <algorithm>

#include <sys/stat.h>

namespace rankdeck
{

constexpr int mostNames = 1000;

static const ProcessPlan &planOf(const RunState &state, int process)
{
    return state.plan->processes[static_cast<std::size_t>(process)];
}

static RunEvent refusal(int process, const Sentence &why)
{
    return RunEvent::now(events::StacksDumped{.process = process, .text = why});
}

/// Returns the reason why no stacks can be taken; empty: they can.
static Sentence obstacle(int process, const RunState &state)
{
    const ProcessPlan &plan = planOf(state, process);
    const RankState &rank = state.ranks[static_cast<std::size_t>(process)];
    if (rank.phase == RankPhase::Waiting)
        return Sentence::tr("No stacks of %1: it has not been started yet.").arg(rankName(plan));
    if (rank.phase == RankPhase::Unknown || state.unreached.contains(plan.node))
        return Sentence::tr(
                   "No stacks of %1: no connection to %2. Run this there: py-spy dump --pid %3, or eu-stack "
                   "-p %3.")
            .arg(rankName(plan), plan.node)
            .arg(rank.pid);
    if (rank.phase != RankPhase::Running)
        return Sentence::tr("No stacks of %1: it has ended.").arg(rankName(plan));
    return {};
}

StackKeeper::Request StackKeeper::ask(const QList<int> &processes, const RunState &state)
{
    Request request;
    QList<int> ranks;
    for (const int process : processes) {
        if (process < 0 || process >= static_cast<int>(state.ranks.size()) || m_due.contains(process))
            continue;
        if (const Sentence why = obstacle(process, state); !why.isEmpty()) {
            request.refusals << refusal(process, why);
            continue;
        }
        request.asked << process;
        m_due.insert(process);
        if (planOf(state, process).role == Role::Worker)
            ranks << planOf(state, process).rank.value;
    }
    std::ranges::sort(ranks);
    if (!ranks.isEmpty())
        request.note = Sentence::tr("Stacks of ranks %1 requested.", "Stacks of rank %1 requested.",
                                    static_cast<int>(ranks.size()))
                           .arg(numberRanges(ranks));
    return request;
}

events::StacksDumped StackKeeper::keep(events::StacksDumped dumped, const QDateTime &time,
                                       const RunState &state)
{
    const QString stacks = std::exchange(dumped.stacks, QString());
    dumped.file.clear(); // An agent names none.
    m_due.remove(dumped.process);
    if (stacks.isEmpty() || dumped.process < 0 || dumped.process >= static_cast<int>(state.ranks.size()))
        return dumped;
    const ProcessPlan &plan = planOf(state, dumped.process);
    const QString folder = m_directory + u"/stacks"_s;
    mkdir(QFile::encodeName(folder).constData(), 0700);
    const QString begin =
        u"%1-%2"_s.arg(time.toLocalTime().toString(u"yyyyMMdd-HHmmss"_s),
                       plan.role == Role::Scheduler ? u"scheduler"_s : u"rank-%1"_s.arg(plan.rank.value));
    QFile file;
    bool isOpen = false;
    for (int number = 1; number < mostNames && !isOpen; ++number) {
        const QString name = number == 1 ? begin : u"%1.%2"_s.arg(begin).arg(number);
        dumped.file = u"stacks/%1.txt"_s.arg(name);
        file.setFileName(m_directory + '/'_L1 + dumped.file);
        isOpen = file.open(QIODevice::WriteOnly | QIODevice::NewOnly,
                           QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        if (!isOpen && !file.exists())
            break;
    }
    const QByteArray text = stacks.toUtf8();
    if (isOpen && file.write(text) == text.size() && file.flush())
        return dumped;
    dumped.file.clear();
    dumped.text =
        Sentence::tr("Cannot write the stacks of %1 to %2: %3. Free some space there, and try again.")
            .arg(rankName(planOf(state, dumped.process)), folder, problemOf(file));
    return dumped;
}

QList<RunEvent> StackKeeper::giveUp(const QString &node, const Sentence &why, const RunState &state)
{
    QList<RunEvent> refusals;
    const QSet<int> due = m_due;
    for (const int process : due) {
        if (planOf(state, process).node != node)
            continue;
        m_due.remove(process);
        refusals << refusal(process,
                            Sentence::tr("No stacks of %1: %2").arg(rankName(planOf(state, process)), why));
    }
    return refusals;
}

} // namespace rankdeck
