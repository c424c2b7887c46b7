#include "canvas/displayecho.h"

#ifdef RANKDECK_XCB
#include "canvas/xecho.h"
#endif

namespace rankdeck
{

std::unique_ptr<DisplayEcho> DisplayEcho::ofApplication()
{
#ifdef RANKDECK_XCB
    if (XDisplay *const display = XDisplay::instance())
        return std::make_unique<XEcho>(*display);
#endif
    return nullptr;
}

} // namespace rankdeck
