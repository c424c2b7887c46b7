#pragma once

#include "launch/plan/processplan.h"
#include "run/record/attachedtool.h"
#include "run/record/runevent.h"
#include "run/record/runrequests.h"

namespace rankdeck
{

struct RunState;

/// A supervisor's order for a request for a signal.
struct SignalOrder {
    QList<int> asked;         ///< Processes whose agents are to send it; these answer with events SignalSent.
    QList<RunEvent> refusals; ///< The answers for those that do not run, or are not reached.
    Sentence note;            ///< For the journal; empty: no process to send it to.
};

SignalOrder signalOrder(const SignalRequest &request, const RunState &state);

/// Returns an event SignalSent with the reason why the signal was not sent.
RunEvent signalRefusal(int process, int number, const Sentence &why);

/// A supervisor's order for a request to start ranks again.
struct StartOrder {
    QList<int> asked;         ///< Processes whose agents are to start them.
    QList<int> ended;         ///< Running ones, which are stopped first.
    QList<RunEvent> refusals; ///< The answers for those that cannot be started again.
    Sentence note;            ///< For the journal; empty: no process to start.
};

/// @param isEnding the run is about to be torn down.
StartOrder startOrder(const QList<int> &processes, const RunState &state, bool isEnding);

/// Returns two sentences on the limits of the training framework for ranks that are started again.
Sentence rejoinHint();

/// A supervisor's order for a request for a tool.
struct ToolOrder {
    ProcessPlan plan;
    Sentence problem; ///< Why it cannot be attached; empty: the agent of its node is to start it.
};

/// @param request names a process of the plan.
/// @param directory of the run, where the tool's log is going to be.
ToolOrder toolOrder(const ToolRequest &request, const RunState &state, const QString &directory);

/// Returns the obstacle on this host that keeps a tool from a rank: the tool is not installed in
/// `searchPath`, or the kernel does not let it. A sentence with advice; empty: none.
/// @param ptraceScope kernel.yama.ptrace_scope; negative: this kernel has none.
/// @param mayTrace whether this process has the capability SYS_PTRACE.
Sentence toolObstacle(const ProcessPlan &tool, const QString &searchPath, int ptraceScope, bool mayTrace);

/// Whether this process has the capability SYS_PTRACE, by the text of its /proc/PID/status.
bool hasTracingCapability(const QByteArray &status);

} // namespace rankdeck
