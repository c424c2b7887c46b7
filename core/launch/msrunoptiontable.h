#pragma once

// The options of msrun's command line, each with both ways between its text and a spec. For source files
// only.

#include "launch/launchspec.h"
#include "result.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace rankdeck
{

struct MsrunOption {
    QString name;      ///< "--worker_num".
    QString valueName; ///< What --help calls its value.
    QString help;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;
    std::function<QStringList(const LaunchSpec &)>
        write; ///< Its values; several for one that may be repeated.
};

/// In the order of --help.
std::vector<MsrunOption> msrunOptionTable();

} // namespace rankdeck
