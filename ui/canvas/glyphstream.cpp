#include "canvas/glyphstream.h"

namespace rankdeck
{

namespace
{

constexpr int longestRun = 252; // 255 has another meaning, and 252 needs no padding.

} // namespace

GlyphStream::GlyphStream(int bytesPerGlyph)
    : m_bytesPerGlyph(bytesPerGlyph)
{
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
    if (isEmpty())
        return;
    closeRun();
    const auto request =
        m_bytesPerGlyph == 1 ? &xcb_render_composite_glyphs_8 : &xcb_render_composite_glyphs_16;
    request(display.connection(), XCB_RENDER_PICT_OP_OVER, display.solid(color), target, XCB_NONE, glyphs, 0,
            0, uint32_t(m_bytes.size()), reinterpret_cast<const uint8_t *>(m_bytes.constData()));
    m_bytes.clear();
    m_pen = {};
}

} // namespace rankdeck
