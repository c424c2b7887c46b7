#pragma once

#include "base/tr.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// Setting of the command that opens a file in an editor, such as "code -g {file}:{line}". Empty: VISUAL or
/// EDITOR, if it names an editor with a window of its own, else the desktop's program for text files.
inline constexpr char editorSetting[] = "editor/command";

/// Returns the words of a command with "{file}" and "{line}" replaced; a command without "{file}" gets the
/// file as its last word. A path is never split, whatever it contains.
QStringList editorWords(const QString &command, const QString &path, int line);

/// Returns the command that VISUAL or EDITOR stands for, with "{file}" and "{line}"; empty if it needs a
/// terminal or is not known.
QString graphicalEditor(const QString &variable);

/// Opens a file in the user's editor, at a line counted from 1. The file must exist and be a regular one.
/// Does not wait for the editor. Returns what went wrong, one sentence; empty on success.
QString openInEditor(const QString &path, int line = 1);

/// Shows a folder in the desktop's file manager. Returns what went wrong; empty on success.
QString openFolder(const QString &path);

} // namespace rankdeck
