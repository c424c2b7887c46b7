#pragma once

#include "launch/commonoptions.h"
#include "launch/msrunoptions.h"
#include "launch/nodeoptions.h"
#include "launch/processesoptions.h"
#include "result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

/// What the user asked for. Round-trips through JSON; defaults are davincirun's own, those of another
/// launcher are made by its parser. Fields that a launcher does not have are left alone by it.
struct LaunchSpec {
    QString launcher = QStringLiteral("davincirun"); ///< davincirun, msrun or processes.
    QString name;                                    ///< For the run's name; empty: the script's base name.
    QStringList command;                             ///< Program and arguments; never a shell string.
    QString workDir = QStringLiteral("./");
    QString logDir = QStringLiteral("./log"); ///< Empty: inside the run directory; msrun: the current one.
    QString rankTableFile;                    ///< File or directory; empty: as rankTablePath() finds it.
    QString convertedRankTable; ///< Where a converted table is written; empty: as convertedRankTablePath().
    int rankTableWaitSeconds = 1800; ///< 0 .. 86400.
    bool randomCacheDir = true;      ///< A fresh MS_COMPILER_CACHE_PATH, removed at the end.
    bool destroyWhenFinished = true; ///< Tear the other processes down at the first failure and at the end.
    bool raiseOnFailure = true;      ///< The window's dialog opens by itself; the SDK throws.
    int graceSeconds = 15;           ///< Between SIGTERM and SIGKILL, 0 .. 3600.
    QMap<QString, QString> environment; ///< Extra variables for every process; they win.
    CommonOptions common;
    NodeOptions nodes;
    MsrunOptions msrun;         ///< Launcher msrun only.
    ProcessesOptions processes; ///< Launcher processes only.

    bool operator==(const LaunchSpec &) const = default;
};

nlohmann::json toJson(const LaunchSpec &spec);
/// Error: a key that is unknown or of the wrong type, by name.
Result<LaunchSpec> launchSpecFromJson(const nlohmann::json &json);

} // namespace rankdeck
