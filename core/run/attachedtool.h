#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace rankdeck
{

/// A program that can be attached to a rank while it runs.
struct ToolKind {
    QString name;        ///< "gdb", "py-spy-top".
    QStringList command; ///< Program and arguments; "{pid}" stands for the rank's.
    QString package;     ///< What brings it where it is missing: "apt install gdb".
    QString purpose;     ///< A few words for people.
};

/// Those that Rankdeck knows, each in a terminal of its own.
std::vector<ToolKind> toolKinds();
/// Nothing for a name that none has.
std::optional<ToolKind> toolKind(const QString &name);

/// What a client asks of a run: that this tool is attached to a rank.
struct ToolRequest {
    QString name;    ///< Of a ToolKind.
    int process = 0; ///< Whom it looks at, by index in LaunchPlan::processes.

    /// "tool gdb 3".
    QByteArray toLine() const;
    /// Nothing for a line that is no request.
    static std::optional<ToolRequest> fromLine(const QByteArray &line);

    bool operator==(const ToolRequest &) const = default;
};

/// The tool as a process: its name is that of its log, its rank that of `looked`.
/// @param number tells the tools of a run apart.
ProcessPlan toolPlan(const ToolKind &kind, const ProcessPlan &looked, qint64 pid, const QString &runDirectory,
                     int number);

/// How a tool's plan stands in the journal.
QString toolText(const ProcessPlan &tool);
/// Nothing for another text.
std::optional<ProcessPlan> toolFromText(const QString &text);

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::ToolRequest)
