#include "splash.h"

#include "display.h"

#include <QElapsedTimer>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <xcb/xcb.h>

namespace rankdeck
{

// Every X server has this font and draws Latin letters with it; translations may need others.
constexpr std::string_view font = "fixed";
constexpr std::string_view text = "Rankdeck: connecting to the display";
constexpr int characterWidth = 6; // pixels, of that font
constexpr int width = 360;
constexpr int height = 60;

Result<std::unique_ptr<Splash>> Splash::show()
{
    std::unique_ptr<Splash> splash;
    if (!isDisplayX())
        return splash;
    int screenNumber = 0;
    splash.reset(new Splash(xcb_connect(nullptr, &screenNumber)));
    if (xcb_connection_has_error(splash->m_connection) != 0)
        return Error{tr("the display does not answer"), QString::fromLocal8Bit(qgetenv("DISPLAY")),
                     displayAdvice()};
    if (isDisplayRemote())
        splash->draw(screenNumber);
    else
        splash.reset();
    return splash;
}

Splash::Splash(xcb_connection_t *connection)
    : m_connection(connection)
{
}

Splash::~Splash()
{
    xcb_disconnect(m_connection);
}

void Splash::draw(int screenNumber)
{
    auto screens = xcb_setup_roots_iterator(xcb_get_setup(m_connection));
    for (; screenNumber > 0 && screens.rem > 1; --screenNumber)
        xcb_screen_next(&screens);
    const xcb_screen_t &screen = *screens.data;
    const xcb_pixmap_t pixmap = xcb_generate_id(m_connection);
    const xcb_font_t face = xcb_generate_id(m_connection);
    const xcb_gcontext_t context = xcb_generate_id(m_connection);
    const xcb_window_t window = xcb_generate_id(m_connection);

    xcb_create_pixmap(m_connection, screen.root_depth, pixmap, screen.root, width, height);
    xcb_open_font(m_connection, face, uint16_t(font.size()), font.data());
    // Without the font at least an empty window is seen.
    const std::array colors{screen.white_pixel, screen.white_pixel};
    xcb_create_gc(m_connection, context, pixmap, XCB_GC_FOREGROUND | XCB_GC_BACKGROUND, colors.data());
    const xcb_rectangle_t everything{0, 0, width, height};
    xcb_poly_fill_rectangle(m_connection, pixmap, context, 1, &everything);
    const std::array ink{screen.black_pixel, face};
    xcb_change_gc(m_connection, context, XCB_GC_FOREGROUND | XCB_GC_FONT, ink.data());
    xcb_image_text_8(m_connection, uint8_t(text.size()), pixmap, context,
                     int16_t((width - int(text.size()) * characterWidth) / 2), height / 2 + 4, text.data());

    // In the middle of the screen, of the left one where there are several; past the window manager, whose
    // round trips would come first. The server repaints it from its background by itself.
    const int seenWidth = std::min(int(screen.width_in_pixels), screen.height_in_pixels * 16 / 9);
    const std::array values{pixmap, screen.black_pixel, uint32_t(1)};
    xcb_create_window(m_connection, screen.root_depth, window, screen.root, int16_t((seenWidth - width) / 2),
                      int16_t((screen.height_in_pixels - height) / 2), width, height, 1,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen.root_visual,
                      XCB_CW_BACK_PIXMAP | XCB_CW_BORDER_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values.data());
    xcb_map_window(m_connection, window);

    QElapsedTimer clock;
    clock.start();
    std::free(xcb_get_input_focus_reply(m_connection, xcb_get_input_focus(m_connection), nullptr));
    m_roundTrip = clock.nsecsElapsed() / 1000;
}

} // namespace rankdeck
