#pragma once

#include "base/tr.h"

class QPlainTextEdit;

namespace rankdeck
{

/// Gives `edit` the height of this many lines, also after its font has changed.
void showLines(QPlainTextEdit *edit, int lines);

} // namespace rankdeck
