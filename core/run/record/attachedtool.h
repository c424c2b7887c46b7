#pragma once

#include "launch/plan/processplan.h"

namespace rankdeck
{

/// A program that can be attached to a rank while it runs.
struct ToolKind {
    QString name;        ///< "gdb", "py-spy-top".
    QStringList command; ///< Program and arguments; "{pid}" stands for the pid of the rank.
    QString package;     ///< Command that installs it: "apt install gdb".
    QString purpose;     ///< A few words for users.
};

/// Returns the tools that Rankdeck knows.
std::vector<ToolKind> toolKinds();
/// Returns nothing for an unknown name.
std::optional<ToolKind> toolKind(const QString &name);

/// Returns the plan of a tool as a process that is attached to `looked`, whose rank it has.
/// @param number of the tool in the run, for the name of its log.
ProcessPlan toolPlan(const ToolKind &kind, const ProcessPlan &looked, qint64 pid, const QString &runDirectory,
                     int number);

/// Returns the plan of a tool from its processText(); nothing for another text.
std::optional<ProcessPlan> toolFromText(const QString &text);

} // namespace rankdeck
