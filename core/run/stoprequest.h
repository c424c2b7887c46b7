#pragma once

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What a client asks of a run: that it ends, or that some of its processes do while the others go on.
struct StopRequest {
    bool kill = false;    ///< SIGKILL at once; else SIGTERM, grace, SIGKILL.
    QList<int> processes; ///< By index in LaunchPlan::processes, ascending; empty: the whole run.

    bool isWhole() const { return processes.isEmpty(); }

    /// "stop", or "kill 0-3,7".
    QByteArray toLine() const;
    /// Nothing for a line that is no request.
    static std::optional<StopRequest> fromLine(const QByteArray &line);

    bool operator==(const StopRequest &) const = default;
};

/// What a client says of the logs it shows, by index of their processes: "show 0-3,7", or "show" for none.
QByteArray shownLine(const QList<int> &processes);
/// Nothing for another line.
std::optional<QList<int>> shownFromLine(const QByteArray &line);

/// What a client asks for: the stacks of these processes, by index. "dump 0-3,7".
QByteArray dumpLine(const QList<int> &processes);
/// Nothing for another line, or one that names none.
std::optional<QList<int>> dumpFromLine(const QByteArray &line);

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::StopRequest)
