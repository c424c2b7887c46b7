#pragma once

#include "base/tr.h"

#include <Qt>

struct VTerm;

namespace rankdeck
{

/// The modifiers that distinguish keys in a terminal.
inline constexpr Qt::KeyboardModifiers terminalModifiers =
    Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier | Qt::MetaModifier;

/// Returns whether a key is for the program in a terminal. The other keys are for its view and for the
/// window: those with Ctrl and Shift, Ctrl and a digit, Alt and an arrow, Ctrl+Tab, Shift with a page key or
/// Insert.
/// @param text the characters of the key.
bool isForProgram(int key, Qt::KeyboardModifiers modifiers, const QString &text);

/// Makes the emulator output the bytes of such a key. Source: xterm, "ctlseqs", PC-style function keys.
void typeKey(VTerm *terminal, int key, Qt::KeyboardModifiers modifiers, const QString &text);

/// Returns text from elsewhere in a form that is safe to type: lines end with a carriage return like Enter,
/// tabs stay, all other control characters are removed.
QString harmless(const QString &text);

} // namespace rankdeck
