#pragma once

#include "ranktable/table/ranktable.h"
#include "sdk/distributedruntimeerror.h"

namespace rankdeck
{

// The C++ counterpart of davincirunsdk 0.1.6, function for function, for programs of any kind: no event loop
// and no QCoreApplication are needed. What a platform variable says is read from, and set in, this process's
// environment. The Python SDK's output_notebook has no counterpart: there is no notebook to print to.

/// A rank table and the file that ranks are to read.
struct RankTableFile {
    RankTable table; ///< Version 1.0 or 1.2, with ranks.
    QString path;
    QString thisServer;    ///< server_id of this node.
    QString whyThisServer; ///< "This host is server 192.168.0.2, because it is an address of this host."
};

/// Wait for the table that davincirun would read, convert template 2 and write it where davincirun does.
/// Nothing when there is no table. Errors: unreadable, never completed (30 minutes), no server for this host
/// or several.
/// @param server server_id or pod_name of this host; empty: found by the platform's variables, the addresses
///        and the name of this host.
Result<std::optional<RankTableFile>> generateRankTable(const QString &server = {});

/// The table that RANK_TABLE_FILE names. Errors: the variable is not set, unreadable, not version 1.0 or 1.2,
/// no server for this host or several.
Result<RankTableFile> getRankTable();

/// The variables that setRankEnv() sets.
QMap<QString, QString> rankVariables(const RankTableFile &rankTable);

/// Set RANK_TABLE_FILE, then setExtraEnv().
void setRankEnv(const RankTableFile &rankTable);

/// Sets the variables for a script that starts its own processes: MA_CURRENT_HOST_IP, RANK_START, RANK_SIZE.
void setExtraEnv(const RankTableFile &rankTable);

/// generateRankTable() and setRankEnv(). Returns the variables that were set, or nothing when there is no
/// table.
/// @param server as for generateRankTable().
Result<std::optional<QMap<QString, QString>>> initRankTable(const QString &server = {});

/// A launch under way. It goes on when the handle is destroyed: its supervisor watches over it.
class TrainHandle
{
public:
    explicit TrainHandle(QString runDirectory)
        : m_runDirectory(std::move(runDirectory))
    {
    }
    const QString &runDirectory() const { return m_runDirectory; }

private:
    QString m_runDirectory;
};

/// Starts `command` once for each device of this node, on the table in RANK_TABLE_FILE.
/// @param destroyWhenFinished stop the other processes when one fails, and remaining ones at the end. The
/// Python SDK takes it when waiting; here the supervisor needs it from the start.
Result<TrainHandle> startDistributedTrain(const QStringList &command, const QString &workDir = u"./"_s,
                                          const QString &logDir = u"./log"_s,
                                          bool destroyWhenFinished = true);

/// Block until the launch has ended. Returns 0 when every rank exited with 0, else 1.
/// @throws DistributedRuntimeError when a rank failed and `raiseException` is set.
int waitDistributedTrain(const TrainHandle &handle, bool raiseException = true);

/// Both in one.
/// @param randomCacheDir a fresh MS_COMPILER_CACHE_PATH for the launch, removed at its end.
/// @throws DistributedRuntimeError as waitDistributedTrain(); std::invalid_argument with one sentence when
///         nothing could be started.
int startAndWaitDistributedTrain(const QStringList &command, const QString &workDir = u"./"_s,
                                 const QString &logDir = u"./log"_s, bool randomCacheDir = true,
                                 bool destroyWhenFinished = true, bool raiseException = true);

/// For its lifetime MS_COMPILER_CACHE_PATH names a fresh directory, under /cache or, where that cannot be
/// written, under the temporary directory; then the directory is removed and the variable is as it was.
class RandomMsCacheDir
{
public:
    RandomMsCacheDir();
    ~RandomMsCacheDir();
    Q_DISABLE_COPY(RandomMsCacheDir)

    /// Empty when no directory could be made; the variable is then left alone.
    const QString &path() const { return m_path; }

private:
    QString m_path;
    std::optional<QByteArray> m_before;
};

} // namespace rankdeck
