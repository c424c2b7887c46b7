#pragma once

#include "launch/plan/processplan.h"
#include "run/record/runevent.h"
#include "run/record/runrequests.h"

#include <map>

namespace rankdeck
{

class Worker;
class WorkerEnding;

/// The programs on a node that are attached to its ranks. Each is reported with its index, as ranks are, and
/// ends with its rank: SIGTERM, which makes a debugger detach, and SIGKILL two seconds later.
class ToolGroup : public QObject
{
    Q_OBJECT

public:
    explicit ToolGroup(QString node);
    ~ToolGroup() override;

    /// @param index of the tool. @param process that it is attached to, by index in the node's share.
    void start(int index, int process, const ProcessPlan &plan);
    /// Types into the terminals of the running tools among these processes.
    void type(const TerminalInput &input);
    /// Ends the tools with these indexes.
    void end(const QList<int> &indexes);
    /// Stops the tools that are attached to this process.
    void endWith(int process);
    void endAll();
    bool isEmpty() const { return m_tools.empty(); }
    /// Call it on SIGCHLD, when a child of this process has ended.
    void childEnded();

Q_SIGNALS:
    /// Something happened to a tool; the event has its index.
    void happened(const rankdeck::RunEvent &event);
    /// A tool has started as a child of this process, or has ended.
    void started(qint64 pid);
    void ended(qint64 pid);
    /// The last one has ended.
    void done();

private:
    struct Tool {
        std::unique_ptr<Worker> worker;
        std::unique_ptr<WorkerEnding> ending;
        ProcessPlan plan;
        int process = 0;
    };

    void report(AnyEvent what) { Q_EMIT happened(RunEvent::now(std::move(what), m_node)); }
    static void end(Tool &tool);
    void remove(int index);

    QString m_node;
    std::map<int, Tool> m_tools;
};

} // namespace rankdeck
