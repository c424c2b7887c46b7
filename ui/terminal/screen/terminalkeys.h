#pragma once

#include <QByteArray>
#include <QString>
#include <Qt>

struct VTerm;

namespace rankdeck
{

/// Whether a key is for the program in a terminal. Others are for its view and for the window: those with
/// Ctrl and Shift, Ctrl and a digit, Alt and an arrow, Ctrl+Tab, Shift with a page key or Insert.
/// @param text what the key types.
bool isForProgram(int key, Qt::KeyboardModifiers modifiers, const QString &text);

/// Have the emulator put out what such a key sends. Source: xterm, "ctlseqs", PC-style function keys.
void typeKey(VTerm *terminal, int key, Qt::KeyboardModifiers modifiers, const QString &text);

/// Text from elsewhere as it may be typed: lines end with a carriage return as Enter does, tabs stay, and no
/// other control character is left that could do something.
QString harmless(const QString &text);

} // namespace rankdeck
