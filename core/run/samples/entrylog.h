#pragma once

#include "run/samples/livecollective.h"

#include <QDateTime>
#include <QSet>

namespace rankdeck
{

/// Follows the lines in which HCCL reports the collectives that processes issue, in the plogs of a folder
/// (HCCL_ENTRY_LOG_ENABLE=1). They show when a collective is issued, not when it is done: it counts as
/// running if no other line has followed for a whole look.
class EntryLog
{
public:
    /// @param folder the folder run/plog of some processes.
    /// @param since older files belong to other processes with the same pids.
    EntryLog(QString folder, QDateTime since)
        : m_folder(std::move(folder))
        , m_since(std::move(since))
    {
    }

    /// Reads the part written since the last look, at most 8 MiB of each process: the last collective of
    /// each, by pid. Sequences count within a group since the process began; 0 if CANN may have removed the
    /// first of its files before the first look. A process that has written more is left out until later.
    QMap<qint64, LiveCollective> look(const QSet<qint64> &pids);

private:
    struct Process {
        QString file;      ///< The one that is read, by name …
        qint64 offset = 0; ///< … up to here: the end of a line.
        bool isCounted = true;
        QMap<QString, qint64> issued; ///< By group.
        std::optional<LiveCollective> last;
    };

    bool read(Process &process, const QStringList &files) const; ///< Returns true once all has been read.

    QString m_folder;
    QDateTime m_since;
    QMap<qint64, Process> m_processes; ///< By pid.
};

/// Reads a line such as "… Entry-HcclAllReduce: tag[AllReduce_<group>], sendBuf[…], …"; its sequence is 0.
/// Nothing for all others, also for those that begin or end a communicator. Source: CANN, HCCL's log
/// reference and hccl's source: the name may end in "Inner".
std::optional<LiveCollective> entryOf(const QByteArray &line);

} // namespace rankdeck
