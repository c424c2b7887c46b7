#include "canvas/x11/glyphcanvas.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

/// Up to this many blanks cost fewer bytes as glyphs than a new place after them.
constexpr int fewBlanks = 8;
/// Searching more fills than this is not worth the request that it may save.
constexpr int fewFills = 4;

GlyphCanvas::GlyphCanvas(XDisplay &display, QWidget *widget)
    : ServerCanvas(display, widget)
    , m_glyphs(GlyphSet::of(display, QFont(), 1))
{
}

GlyphCanvas::~GlyphCanvas()
{
    if (qGuiApp)
        GlyphCanvas::releasePixmap();
}

void GlyphCanvas::reset(const QSize &size, const QFont &font, qreal devicePixelRatio)
{
    releasePixmap();
    if (devicePixelRatio != m_ratio || font != m_likeFont) {
        m_glyphs = GlyphSet::of(m_display, font, devicePixelRatio);
        m_likeFont = font;
        m_ratio = devicePixelRatio;
    }
    m_size = size.expandedTo(QSize(0, 0));
}

void GlyphCanvas::needPixmap()
{
    if (m_pixmap != 0)
        return;
    xcb_connection_t *const connection = m_display.connection();
    createPixmap({int(std::ceil(m_size.width() * m_ratio)), int(std::ceil(m_size.height() * m_ratio))});
    m_picture = xcb_generate_id(connection);
    xcb_render_create_picture(connection, m_picture, m_pixmap, m_display.screenFormat(), 0, nullptr);
    m_dirty = bounds();
}

void GlyphCanvas::releasePixmap()
{
    m_fills.clear();
    m_texts.clear();
    m_textAreas.clear();
    m_dirty = {};
    if (m_pixmap == 0)
        return;
    xcb_render_free_picture(m_display.connection(), m_picture);
    xcb_free_pixmap(m_display.connection(), m_pixmap);
    m_picture = 0;
    m_pixmap = 0;
}

bool GlyphCanvas::covers(const QRect &area) const
{
    return std::ranges::any_of(m_textAreas, [&area](const QRect &text) { return text.intersects(area); });
}

/// Each colour takes a request; an area can join an earlier one if no later fill overlaps it.
GlyphCanvas::Fill &GlyphCanvas::fillOf(const QColor &color, const QRect &pixels)
{
    int looked = 0;
    for (auto fill = m_fills.rbegin(); fill != m_fills.rend() && looked < fewFills; ++fill, ++looked) {
        if (fill->color == color)
            return *fill;
        if (fill->bounds.intersects(pixels))
            break;
    }
    m_fills.push_back({color, {}, {}});
    return m_fills.back();
}

void GlyphCanvas::fill(const QRect &area, const QColor &color)
{
    const QRect visible = area & bounds();
    if (visible.isEmpty())
        return;
    if (covers(visible))
        send();
    const QRect pixels = inDevicePixels(visible);
    Fill &its = fillOf(color, pixels);
    its.bounds |= pixels;
    std::vector<xcb_rectangle_t> &areas = its.areas;
    // The background of a text was often filled just before.
    if (!areas.empty()) {
        const xcb_rectangle_t &last = areas.back();
        if (QRect(last.x, last.y, last.width, last.height).contains(pixels))
            return;
    }
    areas.push_back(xcbRectangle(pixels));
    m_dirty |= visible;
}

GlyphCanvas::Text &GlyphCanvas::textOf(const QColor &color)
{
    const auto known = std::ranges::find(m_texts, color, &Text::color);
    if (known != m_texts.end())
        return *known;
    m_texts.push_back({color});
    return m_texts.back();
}

void GlyphCanvas::text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip)
{
    const QSize cell = cellSize();
    const QRect area(topLeft, QSize(rankdeck::cellWidth(text) * cell.width(), cell.height()));
    const QRect visible = area & clip & bounds();
    if (visible.isEmpty())
        return;
    if (covers(visible))
        send();
    if (style.background.isValid())
        fill(visible, style.background);
    if (style.underline) {
        const CellFont &font = m_glyphs->font();
        const int y =
            std::min(topLeft.y() + font.baseline() + 2, area.bottom() + 1 - font.underlineThickness());
        fill(QRect(area.left(), y, area.width(), font.underlineThickness()) & visible, style.foreground);
    }

    // Only parts of a cluster need a clip in the server; whole clusters are just left out.
    if (visible == (area & bounds())) {
        addGlyphs(area, text, style);
        return;
    }
    send();
    needPixmap();
    setClip(visible);
    addGlyphs(area, text, style);
    send();
    setClip({});
}

void GlyphCanvas::addGlyphs(const QRect &area, QStringView text, const TextStyle &style)
{
    if (m_glyphs->isFull()) {
        send();
        m_glyphs->clear();
    }
    const int cell = cellSize().width();
    const QRect visible = area & bounds();
    int x = area.left();
    int blanks = fewBlanks + 1;
    for (qsizetype at = 0; at < text.size() && x <= visible.right();) {
        const Cluster cluster = clusterAt(text, at);
        const QStringView drawn = text.sliced(cluster.begin, cluster.size);
        const int width = cluster.cells * cell;
        at += cluster.size;
        if (drawn == QStringView(u" ")) {
            ++blanks;
        } else if (x + width > visible.left()) {
            const QPoint origin = inDevicePixels(QRect(x, area.top(), 1, 1)).topLeft();
            const GlyphSet::Glyph glyph = m_glyphs->glyph(drawn, cluster.cells, style.bold);
            const int advance = cluster.cells * m_glyphs->cellSize().width();
            if (glyph.picture == 0 && glyph.id < 256 && blanks <= fewBlanks) {
                const uint32_t blank = m_glyphs->glyph(u" ", 1, style.bold).id;
                for (; blanks > 0; --blanks)
                    textOf(style.foreground)
                        .narrow.append(origin - QPoint(blanks * m_glyphs->cellSize().width(), 0), blank,
                                       m_glyphs->cellSize().width());
            }
            blanks = 0;
            if (glyph.picture != 0) {
                // Keeps the order: the picture must come after the text that was collected before.
                send();
                needPixmap();
                xcb_render_composite(m_display.connection(), XCB_RENDER_PICT_OP_OVER, glyph.picture, XCB_NONE,
                                     m_picture, 0, 0, 0, 0, int16_t(origin.x()), int16_t(origin.y()),
                                     uint16_t(advance), uint16_t(m_glyphs->cellSize().height()));
            } else if (glyph.id < 256) {
                textOf(style.foreground).narrow.append(origin, glyph.id, advance);
            } else {
                textOf(style.foreground).wide.append(origin, glyph.id, advance);
            }
        }
        x += width;
    }
    m_textAreas.append(visible);
    m_dirty |= visible;
    const Text &gathered = textOf(style.foreground);
    if (gathered.narrow.isLong() || gathered.wide.isLong())
        send();
}

void GlyphCanvas::setClip(const QRect &area)
{
    if (area.isEmpty()) {
        const uint32_t none = XCB_NONE;
        xcb_render_change_picture(m_display.connection(), m_picture, XCB_RENDER_CP_CLIP_MASK, &none);
        return;
    }
    const xcb_rectangle_t clip = xcbRectangle(inDevicePixels(area));
    xcb_render_set_picture_clip_rectangles(m_display.connection(), m_picture, 0, 0, 1, &clip);
}

void GlyphCanvas::send()
{
    if (m_fills.empty() && m_texts.empty())
        return;
    needPixmap();
    for (const Fill &fill : m_fills) {
        xcb_render_fill_rectangles(m_display.connection(), XCB_RENDER_PICT_OP_SRC, m_picture,
                                   XDisplay::renderColor(fill.color), uint32_t(fill.areas.size()),
                                   fill.areas.data());
    }
    for (Text &text : m_texts) {
        text.narrow.send(m_display, text.color, m_picture, m_glyphs->id());
        text.wide.send(m_display, text.color, m_picture, m_glyphs->id());
    }
    m_fills.clear();
    m_texts.clear();
    m_textAreas.clear();
}

void GlyphCanvas::scroll(const QRect &area, int dy)
{
    const QRect visible = area & bounds();
    if (visible.isEmpty() || dy == 0)
        return;
    send();
    needPixmap();
    m_dirty |= visible;
    movePixels(visible, dy, m_display.context());
}

bool GlyphCanvas::present()
{
    send();
    m_window.place();
    if (m_pixmap == 0 || m_dirty.isEmpty())
        return false;
    // A copy within the server costs the same, however much has changed.
    show(inDevicePixels(m_dirty));
    m_dirty = {};
    return true;
}

} // namespace rankdeck
