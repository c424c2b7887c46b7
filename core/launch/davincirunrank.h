#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "launch/platformchannels.h"
#include "launch/platformoperator.h"
#include "ranktable/ranktable.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What the ranks of one node have in common while davincirun's plan is made.
struct DavincirunNode {
    const LaunchSpec &spec;
    const HostFacts &facts;
    const LaunchPlan &plan; ///< Job, world size and rank table are known.
    const Server &server;
    const PlatformChannels &channels;
    const PlatformOperator &op;
    QString logDir;
};

/// The process of the server's device at `index`.
ProcessPlan davincirunRank(const DavincirunNode &node, int index);

/// Names what platformDefaults() would set and the environment has set already. Empty when there is nothing.
QStringList notesOnKept(const DavincirunNode &node);

} // namespace rankdeck
