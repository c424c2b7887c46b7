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
    const Outcome outcome =
        ctl(QStringList{u"processes"_s} + remote.nodeOptions() +
            QStringList{u"--detach"_s, u"--nproc"_s, u"4"_s, u"--master-port"_s, QString::number(freePort()),
                        u"--work-dir"_s, remote.home().path(QString()), u"python3"_s,
                        sourcePath("tests/support/loudrank.py"), u"25"_s, QString::number(seconds)});
    return outcome.code == 0 ? runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed())
                             : QString();
}

} // namespace rankdeck
