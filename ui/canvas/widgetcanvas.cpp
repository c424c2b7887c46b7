#include "canvas/widgetcanvas.h"

#include "canvas/rastercanvas.h"
#ifdef RANKDECK_XCB
#include "canvas/bitmapcanvas.h"
#include "canvas/glyphcanvas.h"
#endif

namespace rankdeck
{

namespace
{

CanvasKind wantedKind = CanvasKind::BestForDisplay;

} // namespace

void setCanvasKind(CanvasKind kind)
{
    wantedKind = kind;
}

std::unique_ptr<WidgetCanvas> createWidgetCanvas(QWidget *widget)
{
    bool isOverNetwork = false;
#ifdef RANKDECK_XCB
    XDisplay *const display = XDisplay::instance();
    isOverNetwork = display && display->isRemote();
    const bool isBest = wantedKind == CanvasKind::BestForDisplay && isOverNetwork;
    if (display && display->hasRender() && (isBest || wantedKind == CanvasKind::Glyphs))
        return std::make_unique<GlyphCanvas>(*display, widget);
    if (display && display->takesBitmaps() && (isBest || wantedKind == CanvasKind::Bitmaps))
        return std::make_unique<BitmapCanvas>(*display, widget);
#endif
    return std::make_unique<RasterCanvas>(widget, isOverNetwork);
}

} // namespace rankdeck
