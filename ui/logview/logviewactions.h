#pragma once

class QAction;
class QWidget;

namespace rankdeck
{

class LogView;

/// Put what a log view can do into the context menu of its canvas, with its keys. Returns the last action,
/// for the lines of several logs: to show a line in its log.
QAction *addLogViewActions(LogView *view, QWidget *canvas);

} // namespace rankdeck
