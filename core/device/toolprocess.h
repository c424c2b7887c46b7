#pragma once

class QProcess;

namespace rankdeck
{

/// One of the driver's tools that is going to be started: it has no input, speaks English, has a group of its
/// own, and ends with this process.
void prepareTool(QProcess &process);
/// Kills it with its children.
void killTool(QProcess &process);
/// The same, and deletes it when it has ended, without waiting for that: it may never come.
void abandonTool(QProcess *process);

} // namespace rankdeck
