#include "terminal/commandtargets.h"

#include "numberranges.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace rankdeck
{

namespace
{

struct TargetWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::CommandTargets)
};

constexpr int mostNodes = 64;

QString allWord()
{
    return TargetWords::tr("all ranks");
}

QString atPromptWord()
{
    return TargetWords::tr("at a prompt");
}

QString currentWord()
{
    return TargetWords::tr("this terminal");
}

QString shownWord()
{
    return TargetWords::tr("those shown");
}

QString nodeWord(const QString &node)
{
    return TargetWords::tr("node %1").arg(node);
}

QStringList nodesOf(const RunState &state)
{
    QStringList nodes;
    for (const ProcessPlan &process : state.plan->processes) {
        if (nodes.isEmpty() || (nodes.constLast() != process.node && !nodes.contains(process.node)))
            nodes << process.node;
        if (nodes.size() == mostNodes)
            break;
    }
    return nodes;
}

/// Whether a process is one of those that `text` means; null: it means nothing.
using IsMeant = std::function<bool(int process, const ProcessPlan &plan, const RankState &rank)>;

IsMeant meaningOf(const QString &text, const RunState &state, const CommandTargets::Now &now)
{
    if (text == allWord())
        return [](int, const ProcessPlan &, const RankState &) {
            return true;
        };
    if (text == atPromptWord())
        return [](int, const ProcessPlan &, const RankState &rank) {
            return rank.prompt.has_value();
        };
    if (text == currentWord())
        return [now](int process, const ProcessPlan &, const RankState &) {
            return process == now.current;
        };
    if (text == shownWord())
        return [now](int process, const ProcessPlan &, const RankState &) {
            return now.shown.contains(process);
        };
    const QStringList nodes = nodesOf(state);
    const auto node = std::find_if(nodes.cbegin(), nodes.cend(),
                                   [&](const QString &name) { return text == nodeWord(name); });
    if (node != nodes.cend())
        return [name = *node](int, const ProcessPlan &plan, const RankState &) {
            return plan.node == name;
        };
    const auto ranks = numbersFromRanges(text);
    if (!ranks || ranks->isEmpty())
        return {};
    return [ranks = *ranks](int, const ProcessPlan &plan, const RankState &) {
        return plan.role == Role::Worker && ranks.contains(plan.rank.value);
    };
}

} // namespace

QStringList CommandTargets::words(const RunState &state)
{
    QStringList words{allWord(), atPromptWord(), currentWord(), shownWord()};
    const QStringList nodes = state.plan ? nodesOf(state) : QStringList();
    for (const QString &node : nodes.size() > 1 ? nodes : QStringList())
        words << nodeWord(node);
    return words;
}

Result<QList<int>> CommandTargets::read(const QString &text, const RunState &state, const Now &now)
{
    const IsMeant isMeant = state.plan ? meaningOf(text.trimmed(), state, now) : IsMeant();
    if (!isMeant)
        return Error{TargetWords::tr("\"%1\" names no ranks").arg(text.trimmed()),
                     {},
                     TargetWords::tr("Choose from the list, or write ranks such as 0-3,7.")};
    QList<int> processes;
    for (int process = 0; process < int(state.ranks.size()); ++process) {
        const ProcessPlan &plan = state.plan->processes[size_t(process)];
        const RankState &rank = state.ranks[size_t(process)];
        if (plan.hasTerminal && rank.phase == RankPhase::Running && isMeant(process, plan, rank))
            processes << process;
    }
    // A debugger that is attached is nobody's rank.
    const RankState *tool = now.current >= int(state.ranks.size()) ? state.stateOf(now.current) : nullptr;
    if (tool && tool->phase == RankPhase::Running && text.trimmed() == currentWord())
        processes << now.current;
    if (processes.isEmpty())
        return Error{TargetWords::tr("none of these ranks runs in a terminal: %1").arg(text.trimmed()),
                     {},
                     TargetWords::tr("Choose others, or launch with Terminals: all (--tty all).")};
    return processes;
}

} // namespace rankdeck
