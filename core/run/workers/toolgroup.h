#pragma once

#include "launch/launchplan.h"
#include "run/runevent.h"
#include "run/terminalinput.h"

#include <QObject>

#include <map>
#include <memory>

namespace rankdeck
{

class Worker;
class WorkerEnding;

/// The programs on a node that are attached to its ranks. Each is told of by its index, as ranks are, and
/// ends with its rank: SIGTERM, at which a debugger lets go of the rank, and SIGKILL two seconds later.
class ToolGroup : public QObject
{
    Q_OBJECT

public:
    explicit ToolGroup(QString node, QObject *parent = nullptr);
    ~ToolGroup() override;

    /// @param index of the tool. @param process whom it looks at, by index in the node's share.
    void start(int index, int process, const ProcessPlan &plan);
    /// Into the terminals of those tools among these processes that run.
    void type(const TerminalInput &input);
    /// End those tools among these processes.
    void end(const QList<int> &indexes);
    /// End those that look at this process.
    void endWith(int process);
    void endAll();
    bool isEmpty() const { return m_tools.empty(); }
    /// A child of this process ended. Call it on SIGCHLD.
    void childEnded();

Q_SIGNALS:
    /// What happens to tools, with their indexes.
    void happened(const rankdeck::RunEvent &event);
    /// A tool has been started as a child of this process, and has ended.
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

    void report(int index, RunEvent event);
    static void end(Tool &tool);
    void remove(int index);

    QString m_node;
    std::map<int, Tool> m_tools;
};

} // namespace rankdeck
