#include "canvas/x11/bitmapcanvas.h"

#include <QGuiApplication>

#include <algorithm>

namespace rankdeck
{

static uint32_t pixel(QRgb color)
{
    return color & 0xFFFFFF;
}

BitmapCanvas::~BitmapCanvas()
{
    if (qGuiApp)
        BitmapCanvas::releasePixmap();
}

void BitmapCanvas::reset(const QSize &size, const QFont &font, qreal devicePixelRatio)
{
    releasePixmap();
    // Smoothed text has more than two colours.
    QFont sharp = font;
    sharp.setStyleStrategy(QFont::NoAntialias);
    m_raster.reset(size, sharp, devicePixelRatio);
}

void BitmapCanvas::needPixmap()
{
    if (m_pixmap != 0)
        return;
    xcb_connection_t *const connection = m_display.connection();
    createPixmap(m_raster.image().size());
    m_context = xcb_generate_id(connection);
    const uint32_t noExposures = 0;
    xcb_create_gc(connection, m_context, m_pixmap, XCB_GC_GRAPHICS_EXPOSURES, &noExposures);
    m_foreground = 0;
    m_background = 0;
    setColors(qRgb(0, 0, 0), qRgb(255, 255, 255));
}

void BitmapCanvas::releasePixmap()
{
    if (m_pixmap == 0)
        return;
    xcb_free_gc(m_display.connection(), m_context);
    xcb_free_pixmap(m_display.connection(), m_pixmap);
    m_context = 0;
    m_pixmap = 0;
}

bool BitmapCanvas::present()
{
    m_window.place();
    const RasterCanvas::Changes changes = m_raster.takeChanges();
    QRect changed = changes.dirty.boundingRect();
    for (const RasterCanvas::Move &move : changes.moves)
        changed |= move.area;
    if (changed.isEmpty())
        return false;

    needPixmap();
    for (const RasterCanvas::Move &move : changes.moves)
        movePixels(move.area, move.dy, m_context);
    const QSize cell = (QSizeF(cellSize()) * m_raster.devicePixelRatio()).toSize();
    std::vector<BitmapPart> parts;
    for (const QRect &area : changes.dirty) {
        const std::vector<BitmapPart> more = bitmapParts(m_raster.image(), inDevicePixels(area), cell);
        parts.insert(parts.end(), more.begin(), more.end());
    }
    send(parts);
    show(inDevicePixels(changed));
    return true;
}

void BitmapCanvas::send(const std::vector<BitmapPart> &parts)
{
    sendFills(parts);
    std::vector<const BitmapPart *> bitmaps;
    for (const BitmapPart &part : parts) {
        if (part.kind == BitmapPart::Kind::Bitmap)
            bitmaps.push_back(&part);
        else if (part.kind == BitmapPart::Kind::Pixels)
            sendPixels(part);
    }
    // Bitmaps of the same colours follow each other.
    std::ranges::stable_sort(bitmaps, [](const BitmapPart *one, const BitmapPart *other) {
        return std::pair(one->foreground, one->background) < std::pair(other->foreground, other->background);
    });
    for (const BitmapPart *const bitmap : bitmaps)
        sendBitmap(*bitmap);
}

void BitmapCanvas::sendFills(const std::vector<BitmapPart> &parts)
{
    QHash<QRgb, std::vector<xcb_rectangle_t>> fills;
    for (const BitmapPart &part : parts) {
        if (part.kind == BitmapPart::Kind::Fill)
            fills[part.background].push_back(xcbRectangle(part.area));
    }
    for (auto fill = fills.cbegin(); fill != fills.cend(); ++fill) {
        setColors(fill.key(), m_background);
        xcb_poly_fill_rectangle(m_display.connection(), m_pixmap, m_context, uint32_t(fill->size()),
                                fill->data());
    }
}

void BitmapCanvas::sendBitmap(const BitmapPart &part)
{
    setColors(part.foreground, part.background);
    const std::vector<uint8_t> bits =
        bitmapBits(m_raster.image(), part, m_display.bitmapPad(), m_display.isLeastBitFirst());
    xcb_put_image(m_display.connection(), XCB_IMAGE_FORMAT_XY_BITMAP, m_pixmap, m_context,
                  uint16_t(part.area.width()), uint16_t(part.area.height()), int16_t(part.area.x()),
                  int16_t(part.area.y()), 0, 1, uint32_t(bits.size()), bits.data());
}

void BitmapCanvas::sendPixels(const BitmapPart &part)
{
    const QImage pixels = m_raster.image().copy(part.area);
    xcb_put_image(m_display.connection(), XCB_IMAGE_FORMAT_Z_PIXMAP, m_pixmap, m_context,
                  uint16_t(pixels.width()), uint16_t(pixels.height()), int16_t(part.area.x()),
                  int16_t(part.area.y()), 0, m_display.screen()->root_depth, uint32_t(pixels.sizeInBytes()),
                  pixels.constBits());
}

void BitmapCanvas::setColors(QRgb foreground, QRgb background)
{
    uint32_t mask = 0;
    uint32_t values[2];
    int count = 0;
    if (foreground != m_foreground) {
        mask |= XCB_GC_FOREGROUND;
        values[count++] = pixel(foreground);
    }
    if (background != m_background) {
        mask |= XCB_GC_BACKGROUND;
        values[count++] = pixel(background);
    }
    if (count == 0)
        return;
    xcb_change_gc(m_display.connection(), m_context, mask, values);
    m_foreground = foreground;
    m_background = background;
}

} // namespace rankdeck
