#pragma once

#include "base/tr.h"

#include <QDateTime>
#include <QMap>
#include <QSet>

#include <optional>

namespace rankdeck
{

/// The last collective of a rank, even of a stuck Python: from torch_npu every 2 s, or from HCCL's plog.
struct LiveCollective {
    QString operation;      ///< "all_reduce"
    QString group;          ///< "tp", else its number.
    qint64 sequence = 0;    ///< Within the group, from 1 on; 0: not known.
    bool isRunning = false; ///< It has begun and has not ended.

    /// Returns "all_reduce #730 tp …": the last sign means that it is running.
    QString text() const;
    bool operator==(const LiveCollective &) const = default;
};

/// Reads a status file: of several groups the one that is running, else the last. Nothing if it is no such
/// file, or is being written. Source: torch_npu, ProcessGroupHCCL::recordHcclStatus().
std::optional<LiveCollective> liveCollectiveFrom(const QByteArray &text);

/// Reads the newest status file of each rank in a folder: torch_hccl_status-RANK_…, at most 64 KiB each.
QMap<int, LiveCollective> readLiveCollectives(const QString &folder);

/// Returns those, by their key, that are behind the farthest in their group while another one waits in it.
QList<int> ranksBehind(const QMap<int, LiveCollective> &collectives);

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
