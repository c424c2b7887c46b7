#include "canvas/widgetcanvas.h"

#include "canvas/rastercanvas.h"
#ifdef RANKDECK_XCB
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
    const bool isWanted =
        wantedKind == CanvasKind::Glyphs || (wantedKind == CanvasKind::BestForDisplay && isOverNetwork);
    if (display && display->hasRender() && isWanted)
        return std::make_unique<GlyphCanvas>(*display, widget);
#endif
    return std::make_unique<RasterCanvas>(widget, isOverNetwork);
}

} // namespace rankdeck
