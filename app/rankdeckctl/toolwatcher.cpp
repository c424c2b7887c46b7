#include "toolwatcher.h"

namespace rankdeck
{

ToolWatcher::ToolWatcher(const QString &runDirectory, ToolRequest request)
    : RunWatcher(runDirectory)
    , m_request(std::move(request))
{
}

bool ToolWatcher::isOfKind(const AttachedTool &tool) const
{
    return tool.process == m_request.process &&
           tool.plan.label().startsWith(m_request.name + QStringLiteral("-rank-"));
}

void ToolWatcher::ask(RunClient &client, const RunState &state)
{
    m_known = state.tools.size();
    for (std::size_t place = 0; place < state.tools.size(); ++place) {
        const AttachedTool &tool = state.tools[place];
        if (isOfKind(tool) && tool.state.phase == RankPhase::Running)
            m_index = static_cast<int>(state.ranks.size() + place);
    }
    if (m_index >= 0)
        return;
    if (state.tools.size() >= RunState::mostTools)
        m_problem =
            tr("%1 tools have been attached to this run, and no more can be.").arg(RunState::mostTools);
    else
        client.attachTool(m_request);
}

bool ToolWatcher::take(const RunState &state, const RunState *)
{
    for (std::size_t place = m_known; place < state.tools.size() && m_index < 0; ++place) {
        const AttachedTool &tool = state.tools[place];
        if (!isOfKind(tool) || tool.state.phase == RankPhase::Waiting)
            continue;
        m_index = static_cast<int>(state.ranks.size() + place);
        m_problem = tool.problem;
    }
    return m_index >= 0 || !m_problem.isEmpty();
}

} // namespace rankdeck
