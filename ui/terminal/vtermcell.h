#pragma once

#include "terminal/terminalline.h"

#include <vterm.h>

namespace rankdeck
{

/// A cell as libvterm has it, and back; colours that a program did not ask for are these.
TerminalCell fromVTerm(const VTermScreenCell &cell);
VTermScreenCell toVTerm(const TerminalCell &cell, const VTermColor &foreground, const VTermColor &background);

} // namespace rankdeck
