#pragma once

#include "launch/hostfacts.h"
#include "result.h"

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

// What an agent answers while a launch for several nodes is being prepared: one JSON line each.

/// To AgentOrder::Kind::Gather.
struct GatheredFacts {
    HostFacts facts;

    QByteArray toLine() const;
    /// Nothing for a line that is none.
    static std::optional<GatheredFacts> fromLine(const QByteArray &line);
};

/// To AgentOrder::Kind::Prepare.
struct PreparedNode {
    std::optional<Error> problem; ///< Why nothing can be started there.
    QStringList answers;          ///< To the order's probes; empty: the node does not see the folder.
    QList<QStringList> files;     ///< writtenFiles() of the share's processes, in their order.

    QByteArray toLine() const;
    /// Nothing for a line that is none.
    static std::optional<PreparedNode> fromLine(const QByteArray &line);
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::GatheredFacts)
Q_DECLARE_METATYPE(rankdeck::PreparedNode)
