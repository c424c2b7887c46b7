#include "canvas/widget/backends.h"

#ifdef RANKDECK_XCB
#include "canvas/x11/bitmapcanvas.h"
#include "canvas/x11/glyphcanvas.h"
#include "canvas/x11/xrastercanvas.h"
#endif

namespace rankdeck
{

static CanvasKind wantedKind = CanvasKind::BestForDisplay;

void setCanvasKind(CanvasKind kind)
{
    wantedKind = kind;
}

std::unique_ptr<WidgetCanvas> createWidgetCanvas(QWidget *widget)
{
#ifdef RANKDECK_XCB
    if (XDisplay *const display = XDisplay::instance()) {
        const bool isBest = wantedKind == CanvasKind::BestForDisplay && display->isRemote();
        if (display->hasRender() && (isBest || wantedKind == CanvasKind::Glyphs))
            return std::make_unique<GlyphCanvas>(*display, widget);
        if (display->takesBitmaps() && (isBest || wantedKind == CanvasKind::Bitmaps))
            return std::make_unique<BitmapCanvas>(*display, widget);
        return std::make_unique<XRasterCanvas>(*display, widget);
    }
#endif
    return std::make_unique<RasterCanvas>(widget);
}

std::unique_ptr<DisplayEcho> createDisplayEcho()
{
#ifdef RANKDECK_XCB
    if (XDisplay *const display = XDisplay::instance())
        return std::make_unique<XEcho>(*display);
#endif
    return nullptr;
}

} // namespace rankdeck
