#include "canvas/x11/xdisplay.h"

#include <QGuiApplication>

#include <xcb/shape.h>

#include <sys/socket.h>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostSolids = 256;

struct Freed {
    void operator()(void *reply) const { std::free(reply); }
};

const xcb_screen_t *screenOf(xcb_connection_t *connection)
{
    char *host = nullptr;
    int display = 0;
    int number = 0;
    if (xcb_parse_display(nullptr, &host, &display, &number))
        std::free(host);
    xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(connection));
    for (; number > 0 && screens.rem > 1; --number)
        xcb_screen_next(&screens);
    return screens.data;
}

/// Memory can only be shared through a Unix socket; ssh forwards a TCP port.
bool isUnixSocket(int descriptor)
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    return getpeername(descriptor, reinterpret_cast<sockaddr *>(&address), &size) == 0 &&
           address.ss_family == AF_UNIX;
}

} // namespace

XDisplay *XDisplay::instance()
{
    static const std::unique_ptr<XDisplay> display = []() -> std::unique_ptr<XDisplay> {
        const auto *const application =
            qGuiApp ? qGuiApp->nativeInterface<QNativeInterface::QX11Application>() : nullptr;
        if (!application || !application->connection())
            return nullptr;
        const xcb_screen_t *const screen = screenOf(application->connection());
        return std::unique_ptr<XDisplay>(screen ? new XDisplay(application->connection(), screen) : nullptr);
    }();
    return display.get();
}

XDisplay::XDisplay(xcb_connection_t *connection, const xcb_screen_t *screen)
    : m_connection(connection)
    , m_screen(screen)
    , m_isRemote(!isUnixSocket(xcb_get_file_descriptor(connection)))
{
    xcb_prefetch_extension_data(connection, &xcb_render_id);
    xcb_prefetch_extension_data(connection, &xcb_shape_id);
    const xcb_query_extension_reply_t *const render = xcb_get_extension_data(connection, &xcb_render_id);
    const xcb_query_extension_reply_t *const shape = xcb_get_extension_data(connection, &xcb_shape_id);
    m_context = xcb_generate_id(connection);
    const uint32_t noExposures = 0;
    xcb_create_gc(connection, m_context, screen->root, XCB_GC_GRAPHICS_EXPOSURES, &noExposures);
    findImageFormat();
    m_hasShape = shape && shape->present;
    if (!render || !render->present || !m_hasShape)
        return;
    findFormats();
    m_hasRender = m_screenFormat != 0 && m_maskFormat != 0 && m_colorFormat != 0;
}

void XDisplay::findImageFormat()
{
    const xcb_setup_t *const setup = xcb_get_setup(m_connection);
    // With the same order of bits and bytes, the unit in which the server keeps them does not matter.
    const auto ours = Q_BYTE_ORDER == Q_LITTLE_ENDIAN ? XCB_IMAGE_ORDER_LSB_FIRST : XCB_IMAGE_ORDER_MSB_FIRST;
    if (setup->image_byte_order != ours || setup->bitmap_format_bit_order != setup->image_byte_order)
        return;
    bool isWhole = false;
    for (auto at = xcb_setup_pixmap_formats_iterator(setup); at.rem > 0; xcb_format_next(&at))
        isWhole = isWhole || (at.data->depth == m_screen->root_depth && at.data->bits_per_pixel == 32);
    for (auto depth = xcb_screen_allowed_depths_iterator(m_screen); depth.rem > 0; xcb_depth_next(&depth)) {
        for (auto at = xcb_depth_visuals_iterator(depth.data); at.rem > 0; xcb_visualtype_next(&at)) {
            const xcb_visualtype_t &visual = *at.data;
            if (visual.visual_id == m_screen->root_visual && visual._class == XCB_VISUAL_CLASS_TRUE_COLOR &&
                visual.red_mask == 0xFF0000 && visual.green_mask == 0xFF00 && visual.blue_mask == 0xFF)
                m_takesBitmaps = isWhole;
        }
    }
}

void XDisplay::findFormats()
{
    // Solid fills came with 0.10.
    const auto versionAsked = xcb_render_query_version(m_connection, 0, 11);
    const auto formatsAsked = xcb_render_query_pict_formats(m_connection);
    const std::unique_ptr<xcb_render_query_version_reply_t, Freed> version(
        xcb_render_query_version_reply(m_connection, versionAsked, nullptr));
    const std::unique_ptr<xcb_render_query_pict_formats_reply_t, Freed> formats(
        xcb_render_query_pict_formats_reply(m_connection, formatsAsked, nullptr));
    if (!version || !formats || (version->major_version == 0 && version->minor_version < 10))
        return;

    for (auto at = xcb_render_query_pict_formats_formats_iterator(formats.get()); at.rem > 0;
         xcb_render_pictforminfo_next(&at)) {
        const xcb_render_directformat_t &direct = at.data->direct;
        if (at.data->type != XCB_RENDER_PICT_TYPE_DIRECT)
            continue;
        if (at.data->depth == 8 && direct.alpha_mask == 0xFF && direct.red_mask == 0)
            m_maskFormat = at.data->id;
        if (at.data->depth == 32 && direct.alpha_mask == 0xFF && direct.alpha_shift == 24 &&
            direct.red_mask == 0xFF && direct.red_shift == 16)
            m_colorFormat = at.data->id;
    }
    for (auto screen = xcb_render_query_pict_formats_screens_iterator(formats.get()); screen.rem > 0;
         xcb_render_pictscreen_next(&screen)) {
        for (auto depth = xcb_render_pictscreen_depths_iterator(screen.data); depth.rem > 0;
             xcb_render_pictdepth_next(&depth)) {
            for (auto visual = xcb_render_pictdepth_visuals_iterator(depth.data); visual.rem > 0;
                 xcb_render_pictvisual_next(&visual)) {
                if (visual.data->visual == m_screen->root_visual)
                    m_screenFormat = visual.data->format;
            }
        }
    }
}

xcb_render_color_t XDisplay::renderColor(const QColor &color)
{
    const QRgb rgb = color.rgb();
    return {uint16_t(qRed(rgb) * 257), uint16_t(qGreen(rgb) * 257), uint16_t(qBlue(rgb) * 257), 0xFFFF};
}

xcb_render_picture_t XDisplay::solid(const QColor &color)
{
    if (const auto known = m_solids.constFind(color.rgb()); known != m_solids.cend())
        return *known;
    if (m_solids.size() >= mostSolids) {
        for (const xcb_render_picture_t picture : std::as_const(m_solids))
            xcb_render_free_picture(m_connection, picture);
        m_solids.clear();
    }
    const xcb_render_picture_t picture = xcb_generate_id(m_connection);
    xcb_render_create_solid_fill(m_connection, picture, renderColor(color));
    m_solids.insert(color.rgb(), picture);
    return picture;
}

XEcho::XEcho(XDisplay &display)
    : m_display(display)
    , m_window(xcb_generate_id(display.connection())) // The server deletes it when the connection closes.
{
    const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(display.connection(), 0, m_window, display.screen()->root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
    qApp->installNativeEventFilter(this);
}

void XEcho::ask()
{
    // Appending nothing still counts as a change.
    xcb_change_property(m_display.connection(), XCB_PROP_MODE_APPEND, m_window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 0, nullptr);
    xcb_flush(m_display.connection());
}

bool XEcho::nativeEventFilter(const QByteArray &type, void *message, qintptr *)
{
    if (type != "xcb_generic_event_t")
        return false;
    const auto *const event = static_cast<xcb_generic_event_t *>(message);
    if ((event->response_type & 0x7F) != XCB_PROPERTY_NOTIFY ||
        static_cast<xcb_property_notify_event_t *>(message)->window != m_window)
        return false;
    Q_EMIT answered();
    return true;
}

} // namespace rankdeck
