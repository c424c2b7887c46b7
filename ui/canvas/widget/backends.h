#pragma once

#include "canvas/drawing/displaybackend.h"

namespace rankdeck
{

/// The back end that canvases draw with.
enum class CanvasKind {
    BestForDisplay, ///< Raster; on a remote X server Glyphs if it has RENDER, else Bitmaps.
    Raster,         ///< Qt draws, and pixels are sent.
    Glyphs,         ///< The X server draws; Raster if it cannot.
    Bitmaps,        ///< This program draws without smoothing and sends bits; Raster if that is impossible.
};

/// Sets the back end of canvases that are made from now on.
void setCanvasKind(CanvasKind kind);

/// Creates the back end for the display that `widget` is on. `widget` must outlive it.
std::unique_ptr<WidgetCanvas> createWidgetCanvas(QWidget *widget);

/// Creates the echo of Qt's display. Null if it has none, as without an X server.
std::unique_ptr<DisplayEcho> createDisplayEcho();

} // namespace rankdeck
