#include "canvas/x11/glyphs.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cstring>

namespace rankdeck
{

constexpr int longestRun = 252; // 255 has another meaning, and 252 needs no padding.

constexpr uint32_t firstOther = 256;
constexpr uint32_t boldAscii = 128; // added to the character
constexpr qsizetype mostOthers = 8192;
constexpr qsizetype mostPictures = 256;

/// Whether it may be in colours, as only emoji are.
static bool mayBeEmoji(QStringView cluster)
{
    return std::ranges::any_of(cluster, [](QChar c) {
        return c.isSurrogate() || c.unicode() == 0xFE0F || (c.unicode() >= 0x2190 && c.unicode() < 0x2E00);
    });
}

/// Whether an image drawn in black on transparent has other colours.
static bool hasColors(const QImage &image)
{
    for (int y = 0; y < image.height(); ++y) {
        const auto *const row = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        if (std::any_of(row, row + image.width(), [](QRgb pixel) { return (pixel & 0xFFFFFF) != 0; }))
            return true;
    }
    return false;
}

/// Returns the part that is not transparent; at least one pixel, because a glyph must not be empty.
static QRect inkOf(const QImage &mask)
{
    int left = mask.width();
    int right = -1;
    int top = mask.height();
    int bottom = -1;
    for (int y = 0; y < mask.height(); ++y) {
        for (int x = 0; x < mask.width(); ++x) {
            if (mask.constScanLine(y)[x] == 0)
                continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = y;
        }
    }
    return right < 0 ? QRect(0, 0, 1, 1) : QRect(QPoint(left, top), QPoint(right, bottom));
}

void GlyphStream::append(const QPoint &at, uint32_t id, int advance)
{
    if (m_run < 0 || at != m_pen || m_runLength == longestRun) {
        closeRun();
        const QPoint moved = at - m_pen;
        const int16_t offset[2] = {int16_t(moved.x()), int16_t(moved.y())};
        m_run = m_bytes.size();
        m_bytes.append(4, '\0');
        m_bytes.append(reinterpret_cast<const char *>(offset), sizeof offset);
    }
    if (m_bytesPerGlyph == 1) {
        m_bytes.append(char(id));
    } else {
        const uint16_t number = uint16_t(id);
        m_bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
    }
    ++m_runLength;
    m_pen = at + QPoint(advance, 0);
}

void GlyphStream::closeRun()
{
    if (m_run < 0)
        return;
    m_bytes[m_run] = char(m_runLength);
    m_bytes.append((4 - m_bytes.size() % 4) % 4, '\0');
    m_run = -1;
    m_runLength = 0;
}

void GlyphStream::send(XDisplay &display, const QColor &color, xcb_render_picture_t target,
                       xcb_render_glyphset_t glyphs)
{
    if (m_bytes.isEmpty())
        return;
    closeRun();
    const auto request =
        m_bytesPerGlyph == 1 ? &xcb_render_composite_glyphs_8 : &xcb_render_composite_glyphs_16;
    request(display.connection(), XCB_RENDER_PICT_OP_OVER, display.solid(color), target, XCB_NONE, glyphs, 0,
            0, uint32_t(m_bytes.size()), reinterpret_cast<const uint8_t *>(m_bytes.constData()));
    m_bytes.clear();
    m_pen = {};
}

std::shared_ptr<GlyphSet> GlyphSet::of(XDisplay &display, const QFont &like, qreal devicePixelRatio)
{
    static QHash<QString, std::weak_ptr<GlyphSet>> sets;
    const QString key = like.key() + '*'_L1 + QString::number(devicePixelRatio);
    std::shared_ptr<GlyphSet> set = sets.value(key).lock();
    if (!set) {
        set = std::make_shared<GlyphSet>(display, like, devicePixelRatio);
        sets.insert(key, set);
    }
    return set;
}

GlyphSet::GlyphSet(XDisplay &display, const QFont &like, qreal devicePixelRatio)
    : m_display(display)
    , m_font(like, devicePixelRatio)
    , m_ratio(devicePixelRatio)
    , m_cellSize((QSizeF(m_font.cellSize()) * devicePixelRatio).toSize())
{
    clear();
}

GlyphSet::~GlyphSet()
{
    // The connection ends with the application, and frees everything.
    if (qGuiApp) {
        freePictures();
        xcb_render_free_glyph_set(m_display.connection(), m_set);
    }
}

void GlyphSet::freePictures()
{
    for (const Glyph &glyph : std::as_const(m_others)) {
        if (glyph.picture != 0)
            xcb_render_free_picture(m_display.connection(), glyph.picture);
    }
}

bool GlyphSet::isFull() const
{
    return m_others.size() >= mostOthers || m_pictures >= mostPictures;
}

void GlyphSet::clear()
{
    freePictures();
    m_others.clear();
    m_ascii.clear();
    m_pictures = 0;
    m_nextId = firstOther;
    if (m_set != 0)
        xcb_render_free_glyph_set(m_display.connection(), m_set);
    m_set = xcb_generate_id(m_display.connection());
    xcb_render_create_glyph_set(m_display.connection(), m_set, m_display.maskFormat());
}

GlyphSet::Glyph GlyphSet::glyph(QStringView cluster, int cells, bool bold)
{
    if (cluster.size() == 1 && cluster.front().unicode() < boldAscii) {
        const uint32_t id = cluster.front().unicode() + (bold ? boldAscii : 0);
        if (!m_ascii.contains(id)) {
            m_ascii.insert(id, true);
            addMask(id, drawn(cluster, cells, bold, QImage::Format_Alpha8), cells * m_cellSize.width());
        }
        return {id, 0};
    }
    const QString key = cluster.toString() + QLatin1Char(bold ? '+' : '-');
    if (const auto known = m_others.constFind(key); known != m_others.cend())
        return *known;
    return *m_others.insert(key, make(cluster, cells, bold));
}

GlyphSet::Glyph GlyphSet::make(QStringView cluster, int cells, bool bold)
{
    if (mayBeEmoji(cluster)) {
        const QImage image = drawn(cluster, cells, bold, QImage::Format_ARGB32_Premultiplied);
        if (hasColors(image)) {
            ++m_pictures;
            return {0, makePicture(image)};
        }
    }
    const uint32_t id = m_nextId++;
    addMask(id, drawn(cluster, cells, bold, QImage::Format_Alpha8), cells * m_cellSize.width());
    return {id, 0};
}

QImage GlyphSet::drawn(QStringView cluster, int cells, bool bold, QImage::Format format) const
{
    QImage image(cells * m_cellSize.width(), m_cellSize.height(), format);
    image.setDevicePixelRatio(m_ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(m_font.font(bold));
    painter.setPen(Qt::black);
    const bool alone = cluster.size() == 1 && cluster.front().unicode() < boldAscii;
    const qreal indent = alone && m_font.asciiFitsCells(bold) ? 0 : m_font.indent(cluster, cells, bold);
    painter.drawText(QPointF(indent, m_font.baseline()), cluster.toString());
    return image;
}

void GlyphSet::addMask(uint32_t id, const QImage &image, int advance)
{
    const QRect ink = inkOf(image);
    const int stride = (ink.width() + 3) / 4 * 4;
    QByteArray bytes(qsizetype(stride) * ink.height(), '\0');
    for (int y = 0; y < ink.height(); ++y)
        std::memcpy(bytes.data() + qsizetype(y) * stride, image.constScanLine(ink.top() + y) + ink.left(),
                    size_t(ink.width()));
    const xcb_render_glyphinfo_t info{uint16_t(ink.width()), uint16_t(ink.height()), int16_t(-ink.left()),
                                      int16_t(-ink.top()),   int16_t(advance),       0};
    xcb_render_add_glyphs(m_display.connection(), m_set, 1, &id, &info, uint32_t(bytes.size()),
                          reinterpret_cast<const uint8_t *>(bytes.constData()));
}

xcb_render_picture_t GlyphSet::makePicture(const QImage &image)
{
    xcb_connection_t *const connection = m_display.connection();
    const xcb_pixmap_t pixmap = xcb_generate_id(connection);
    const xcb_gcontext_t context = xcb_generate_id(connection);
    const xcb_render_picture_t picture = xcb_generate_id(connection);
    xcb_create_pixmap(connection, 32, pixmap, m_display.screen()->root, uint16_t(image.width()),
                      uint16_t(image.height()));
    xcb_create_gc(connection, context, pixmap, 0, nullptr);
    xcb_put_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, pixmap, context, uint16_t(image.width()),
                  uint16_t(image.height()), 0, 0, 0, 32, uint32_t(image.sizeInBytes()), image.constBits());
    xcb_render_create_picture(connection, picture, pixmap, m_display.colorFormat(), 0, nullptr);
    xcb_free_gc(connection, context);
    xcb_free_pixmap(connection, pixmap); // The picture holds it.
    return picture;
}

} // namespace rankdeck
