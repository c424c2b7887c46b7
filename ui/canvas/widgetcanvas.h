#pragma once

#include "canvas/canvas.h"

#include <QFont>
#include <QRegion>

#include <functional>
#include <memory>

class QWidget;

namespace rankdeck
{

/// A Canvas together with what its widget must tell it: the seam behind which the back ends stand.
class WidgetCanvas : public Canvas
{
public:
    /// Take the widget's new size, font or device pixel ratio. What was drawn before is gone.
    virtual void reset(const QSize &size, const QFont &font, qreal devicePixelRatio) = 0;
    virtual qreal devicePixelRatio() const = 0;
    /// Put `region` on the widget, with what was drawn up to now; called in its paint event. Whether anything
    /// was.
    virtual bool expose(const QRegion &region) = 0;
    /// At least so many ms between frames while more comes than anyone can read.
    virtual int floodInterval() const { return 250; }
    /// Other windows hide all of it.
    virtual bool isCovered() const { return false; }

    /// It was covered, and is seen again; to be set by the widget.
    std::function<void()> seenAgain;
};

/// What canvases draw with.
enum class CanvasKind {
    BestForDisplay, ///< Where an X server shares no memory with us glyphs if it has RENDER, else bitmaps.
    Raster,         ///< Qt draws, and pixels are sent.
    Glyphs,         ///< The X server draws; where it cannot, raster.
    Bitmaps, ///< This program draws, without smoothing, and bits are sent; where that cannot be, raster.
};

/// For canvases that are made from now on.
void setCanvasKind(CanvasKind kind);

/// The back end that suits the display that `widget` is on. `widget` must outlive it.
std::unique_ptr<WidgetCanvas> createWidgetCanvas(QWidget *widget);

} // namespace rankdeck
