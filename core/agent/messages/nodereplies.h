#pragma once

#include "agent/preflight/nodecheck.h"
#include "launch/host/hostfacts.h"

namespace rankdeck
{

/// What an agent tells of its node when it is asked.
struct NodeDescription {
    QString version;      ///< Rankdeck's version there.
    QString program;      ///< Path of the rankdeckctl that is its agent.
    QString hostName;     ///< As the node calls itself.
    QString architecture; ///< "x86_64", "arm64".
    int npuCount = 0;     ///< NPUs that the driver shows in /dev; 0 where it shows none.
    QString directory;    ///< Where runs of this user would be kept there, or the folder it would be made in.
    qint64 freeBytes = 0; ///< For this user on the file system of `directory`.
    qint64 wallUs = 0;    ///< The node's clock when it answered, microseconds since 1970 UTC.

    /// Looks at this machine: /dev, the file system. Not for the GUI thread.
    static NodeDescription ofThisNode();

    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<NodeDescription> fromLine(const QByteArray &line);

    bool operator==(const NodeDescription &) const = default;
};

/// Microseconds since 1970 UTC by this machine's clock.
qint64 wallClockUs();

// What an agent answers during a preflight: one JSON line each.

/// To orders::CheckNode: a check each, and at last the end.
struct NodeAnswer {
    std::optional<PreflightCheck> check = {};
    std::optional<NodeCheckEnd> end = {}; ///< One of both.

    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<NodeAnswer> fromLine(const QByteArray &line);
};

/// Of orders::StartSelfTest: what a rank's process says to the store of its head (StoreServer), or
/// that it has ended.
struct RankLine {
    int rank = 0;
    QByteArray line = {}; ///< Empty at the end.
    bool hasEnded = false;
    QString how = {}; ///< How it has ended, unless well: a sentence.

    QByteArray toLine() const;
    static std::optional<RankLine> fromLine(const QByteArray &line);
};

// What an agent answers while a launch for several nodes is being prepared: one JSON line each.

/// To orders::Gather.
struct GatheredFacts {
    HostFacts facts;

    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<GatheredFacts> fromLine(const QByteArray &line);
};

/// To orders::Prepare.
struct PreparedNode {
    std::optional<Error> problem; ///< Why nothing can be started there.
    QStringList answers;          ///< To the order's probes; empty: the node does not see the folder.
    QList<QStringList> files;     ///< writtenFiles() of the share's processes, in their order.

    QByteArray toLine() const;
    /// Returns nothing for any other line.
    static std::optional<PreparedNode> fromLine(const QByteArray &line);
};

} // namespace rankdeck
