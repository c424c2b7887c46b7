#include "run/workers/toolgroup.h"

#include "run/workers/worker.h"

namespace rankdeck
{

/// A debugger detaches from its process in much less.
constexpr int toolGraceSeconds = 2;

ToolGroup::ToolGroup(QString node)
    : m_node(std::move(node))
{
}

ToolGroup::~ToolGroup() = default;

void ToolGroup::start(int index, int process, const ProcessPlan &plan)
{
    if (m_tools.contains(index))
        return;
    Tool &tool = m_tools[index];
    tool.plan = plan;
    tool.process = process;
    tool.worker = std::make_unique<Worker>(plan, QMap<QString, QString>());
    Worker *worker = tool.worker.get();
    connect(worker, &Worker::started, this, [this, index](qint64 pid) {
        Q_EMIT started(pid);
        report(events::ProcessStarted{index, pid});
    });
    connect(worker, &Worker::failedToStart, this, [this, index](int errorNumber, const QString &reason) {
        report(events::ProcessNotStarted{index, ExitStatus{ExitStatus::Kind::NotStarted, errorNumber},
                                         Sentence(reason)});
        remove(index);
    });
    connect(worker, &Worker::exited, this, [this, index, worker](const ExitStatus &status) {
        Q_EMIT ended(worker->pid());
        report(events::ProcessExited{index, worker->pid(), status});
        remove(index);
    });
    worker->start();
}

/// Deferred: one of the signals of the worker leads here.
void ToolGroup::remove(int index)
{
    QTimer::singleShot(0, this, [this, index] {
        if (m_tools.erase(index) > 0 && m_tools.empty())
            Q_EMIT done();
    });
}

void ToolGroup::type(const TerminalInput &input)
{
    for (const int index : input.processes) {
        const auto tool = m_tools.find(index);
        Terminal *terminal = tool == m_tools.end() ? nullptr : tool->second.worker->terminal();
        if (terminal && input.size)
            terminal->resize(*input.size);
        if (terminal)
            terminal->type(input.bytes);
    }
}

void ToolGroup::end(Tool &tool)
{
    if (!tool.ending)
        tool.ending = std::make_unique<WorkerEnding>(*tool.worker, tool.plan);
    tool.ending->stop(toolGraceSeconds);
}

void ToolGroup::end(const QList<int> &indexes)
{
    for (const int index : indexes) {
        if (const auto tool = m_tools.find(index); tool != m_tools.end())
            end(tool->second);
    }
}

void ToolGroup::endWith(int process)
{
    for (auto &[index, tool] : m_tools) {
        if (tool.process == process)
            end(tool);
    }
}

void ToolGroup::endAll()
{
    for (auto &[index, tool] : m_tools)
        end(tool);
}

void ToolGroup::childEnded()
{
    for (auto &[index, tool] : m_tools) {
        if (tool.ending)
            tool.ending->childEnded();
    }
}

} // namespace rankdeck
