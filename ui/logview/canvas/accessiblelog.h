#pragma once

#include "logview/canvas/logcanvas.h"

namespace rankdeck
{

/// Lets screen readers read the lines of logs that are on the screen, as a text with a selection and a cursor
/// where a search or jump led to. To be called once or more, before the first log is shown.
void installAccessibleLog();
/// Reports to screen readers, if there are any, that the cursor is on another line.
void tellCursor(LogCanvas *canvas);

} // namespace rankdeck
