#pragma once

#include "freeport.h"
#include "remoterun.h"
#include "run/record/rundirectory.h"

namespace rankdeck
{

/// Launches a run of 4 ranks on each of the two nodes that print 200 MB/s together for so long, and gives its
/// directory back at once; empty: it was not started.
inline QString startLoudRun(const RemoteRun &remote, double seconds)
{
    const Outcome outcome = ctl(
        QStringList{QStringLiteral("processes")} + remote.nodeOptions() +
        QStringList{QStringLiteral("--detach"), QStringLiteral("--nproc"), QStringLiteral("4"),
                    QStringLiteral("--master-port"), QString::number(freePort()),
                    QStringLiteral("--work-dir"), remote.home().path(QString()), QStringLiteral("python3"),
                    sourcePath("tests/support/loudrank.py"), QStringLiteral("25"), QString::number(seconds)});
    return outcome.code == 0 ? runsDirectory() + QLatin1Char('/') + QString::fromUtf8(outcome.out.trimmed())
                             : QString();
}

} // namespace rankdeck
