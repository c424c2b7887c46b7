#include "canvas/widgetcanvas.h"

#include "canvas/rastercanvas.h"

namespace rankdeck
{

std::unique_ptr<WidgetCanvas> createWidgetCanvas(QWidget *widget)
{
    return std::make_unique<RasterCanvas>(widget);
}

} // namespace rankdeck
