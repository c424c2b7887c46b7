#pragma once

#include "base/result.h"
#include "launch/spec/launcheroptions.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

class Fields;

/// The user's launch. Round-trips through JSON; defaults are davincirun's own, those of another launcher are
/// made by its parser. A launcher ignores fields that it does not have.
struct LaunchSpec {
    QString launcher = u"davincirun"_s; ///< davincirun, msrun, processes or wrap.
    QString name;                       ///< For the run's name; empty: the script's base name.
    QStringList command;                ///< Program and arguments; never a shell string.
    QString workDir = u"./"_s;
    QString logDir = u"./log"_s; ///< Empty: inside the run directory; msrun: the current one.
    QString rankTableFile;       ///< File or directory; empty: as rankTablePath() finds it.
    QString server; ///< The rank table's server that is this host; empty: found by findThisServer().
    QString convertedRankTable; ///< Where a converted table is written; empty: as convertedRankTablePath().
    int rankTableWaitSeconds = 1800; ///< 0 .. 86400.
    bool randomCacheDir = true;      ///< A fresh MS_COMPILER_CACHE_PATH, removed at the end.
    bool destroyWhenFinished = true; ///< Tear the other processes down at the first failure and at the end.
    bool raiseOnFailure = true;      ///< The window's dialog opens by itself; the SDK throws.
    int graceSeconds = 15;           ///< Between SIGTERM and SIGKILL, 0 .. 3600.
    QMap<QString, QString> environment; ///< Extra variables for every process; they win.
    bool isDemo = false; ///< Its NPUs are invented, if its command is a demo's; see hasInventedNpus().
    CommonOptions common;
    NodeOptions nodes;
    MsrunOptions msrun;         ///< Launcher msrun only.
    ProcessesOptions processes; ///< Launcher processes only.

    bool operator==(const LaunchSpec &) const = default;
};

nlohmann::json toJson(const LaunchSpec &spec);
/// Fails if a key is unknown or of the wrong type; the error names it.
Result<LaunchSpec> launchSpecFromJson(const nlohmann::json &json);
void visitFields(Fields &fields, LaunchSpec &spec);

/// Returns a spec of launcher "processes" with its defaults: torch's grace, logs in the run directory.
LaunchSpec processesDefaults();

/// Returns a spec of launcher "wrap" with its defaults: torch's grace, the log in the run directory.
LaunchSpec wrapDefaults();

/// Reads the file of `rankdeckctl processes SPEC.json`: a LaunchSpec whose launcher, grace and log_dir
/// default to those of processesDefaults(); or one in the form that start_processes takes, see
/// takeStartProcesses(), beside the other keys of a LaunchSpec. Fails if it is not JSON, is for another
/// launcher, or has a key of the wrong type or one that would change what is started and is unknown.
/// @param notes gets a sentence for each other key that is left out.
Result<LaunchSpec> processesSpecFromJson(const QByteArray &text, QStringList *notes = nullptr);

/// Returns `spec` with its ranks on the first of these devices of this machine, chosen by
/// ASCEND_RT_VISIBLE_DEVICES; with fewer devices than ranks, one rank on each.
/// @param devices logical ids, ascending.
/// Returns nothing if there is no device, for several nodes, and for davincirun, whose rank table decides.
std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices);

} // namespace rankdeck
