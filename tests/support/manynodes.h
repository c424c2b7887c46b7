#pragma once

#include "handmaderun.h"
#include "run/record/rundirectory.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

#include <QProcess>

namespace rankdeck
{

/// A run whose ranks are real processes of a small stand-in program: `nodes` nodes with `ranks` ranks each,
/// all of them on this machine, with an agent for every node. Each rank prints a line and sleeps, for
/// `seconds` if nobody ends it. Writes the run directory and returns it; nothing is started.
inline QString makeManyNodes(int nodes, int ranks, int seconds)
{
    const RunState model = handMadeRun(nodes, ranks, nodes);
    RunRecord record;
    record.plan = *model.plan;
    record.plan.graceSeconds = 5;
    for (ProcessPlan &process : record.plan.processes)
        process.argv = {u"/bin/sh"_s, u"-c"_s,
                        u"echo rank %1 is up; exec sleep %2"_s.arg(process.rank.value).arg(seconds)};
    const auto directory = createRunDirectory(record);
    if (!directory)
        qFatal("%s", qPrintable(directory.error().sentence()));
    for (ProcessPlan &process : record.plan.processes) {
        process.workDir = *directory;
        process.logFile = u"%1/%2.txt"_s.arg(*directory, process.label());
    }
    if (const auto error = writeRunRecord(*directory, record))
        qFatal("%s", qPrintable(error->sentence()));
    return *directory;
}

/// Start it, as a launch does.
inline void superviseRun(QProcess &supervisor, const QString &rankdeckctl, const QString &directory)
{
    supervisor.setStandardOutputFile(QProcess::nullDevice());
    supervisor.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    supervisor.start(rankdeckctl, {u"supervise"_s, directory});
}

} // namespace rankdeck
