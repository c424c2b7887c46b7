#pragma once

#include "base/tr.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What an agent tells of its node when it is asked.
struct NodeDescription {
    QString version;      ///< Of Rankdeck there.
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

} // namespace rankdeck
