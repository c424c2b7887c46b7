#pragma once

#include "agent/preflight/nodecheck.h"
#include "agent/preflight/preflightcheck.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

// What an agent answers during a preflight: one JSON line each.

/// To AgentOrder::Kind::CheckNode: a check each, and at last the end.
struct NodeAnswer {
    std::optional<PreflightCheck> check = {};
    std::optional<NodeCheckEnd> end = {}; ///< One of both.

    QByteArray toLine() const;
    /// Nothing for a line that is none.
    static std::optional<NodeAnswer> fromLine(const QByteArray &line);
};

/// Of AgentOrder::Kind::StartSelfTest: what a rank's process says to the store of its head (StoreServer), or
/// that it has ended.
struct RankLine {
    int rank = 0;
    QByteArray line = {}; ///< Empty at the end.
    bool hasEnded = false;
    QString how = {}; ///< Of one that has ended otherwise than well: a sentence.

    QByteArray toLine() const;
    static std::optional<RankLine> fromLine(const QByteArray &line);
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::NodeAnswer)
Q_DECLARE_METATYPE(rankdeck::RankLine)
