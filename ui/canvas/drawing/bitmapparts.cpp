#include "canvas/drawing/bitmapparts.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// From this many cells of one colour on, a part of their own costs fewer bytes.
constexpr int manyBlankCells = 4;

const QRgb *row(const QImage &image, int y)
{
    return reinterpret_cast<const QRgb *>(image.constScanLine(y));
}

/// The colours of an area, up to two.
class Colors
{
public:
    Colors() = default;
    Colors(const QImage &image, const QRect &area)
    {
        for (int y = area.top(); y <= area.bottom() && !m_isMore; ++y) {
            const QRgb *const line = row(image, y);
            for (int x = area.left(); x <= area.right() && !m_isMore; ++x)
                add(line[x]);
        }
    }
    void add(QRgb color)
    {
        if (std::find(m_colors, m_colors + m_count, color) != m_colors + m_count)
            return;
        if (m_count == 2)
            m_isMore = true;
        else
            m_colors[m_count++] = color;
    }
    Colors with(const Colors &other) const
    {
        Colors both = *this;
        both.m_isMore = m_isMore || other.m_isMore;
        for (int i = 0; i < other.m_count; ++i)
            both.add(other.m_colors[i]);
        return both;
    }
    int count() const { return m_isMore ? 3 : m_count; }
    QRgb first() const { return m_colors[0]; }
    QRgb second() const { return m_colors[1]; }

private:
    QRgb m_colors[2] = {0, 0};
    int m_count = 0;
    bool m_isMore = false;
};

/// Returns the smallest area around all pixels that do not have the background colour.
QRect inkOf(const QImage &image, const QRect &area, QRgb background)
{
    QRect ink;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const QRgb *const line = row(image, y);
        const QRgb *const end = line + area.right() + 1;
        const QRgb *const first =
            std::find_if(line + area.left(), end, [=](QRgb color) { return color != background; });
        if (first == end)
            continue;
        const QRgb *last = end - 1;
        while (*last == background)
            --last;
        ink |= QRect(QPoint(int(first - line), y), QPoint(int(last - line), y));
    }
    return ink;
}

/// Collects neighbouring cells of one row of text into parts.
class Row
{
public:
    Row(const QImage &image, std::vector<BitmapPart> &parts)
        : m_image(image)
        , m_parts(parts)
    {
    }

    void add(const QRect &cell)
    {
        const Colors colors(m_image, cell);
        const bool isBlank = colors.count() == 1;
        const bool isSameKind = (m_colors.count() > 2) == (colors.count() > 2);
        const bool fits = colors.count() > 2 || m_colors.with(colors).count() <= 2;
        if (!m_area.isEmpty() && (!isSameKind || !fits))
            flush();
        const bool goesOn = m_blanks > 0 && colors.first() == m_blankColor;
        m_blanks = isBlank ? (goesOn ? m_blanks + 1 : 1) : 0;
        m_blankColor = colors.first();
        m_area |= cell;
        m_colors = m_colors.with(colors);
        if (isBlank && m_blanks == manyBlankCells && m_colors.count() == 2) {
            // Everything before the blanks becomes a part of its own.
            const QRect blank(QPoint(cell.right() + 1 - manyBlankCells * cell.width(), cell.top()),
                              cell.bottomRight());
            m_area.setRight(blank.left() - 1);
            flush();
            m_area = blank;
            m_colors = colors;
        }
    }

    void flush()
    {
        if (m_area.isEmpty())
            return;
        if (m_colors.count() > 2) {
            m_parts.push_back({m_area, BitmapPart::Kind::Pixels, 0, 0});
        } else {
            m_parts.push_back({m_area, BitmapPart::Kind::Fill, background(), 0});
            if (m_colors.count() == 2) {
                const QRgb foreground =
                    background() == m_colors.first() ? m_colors.second() : m_colors.first();
                // Cells before blanks of the other colour may be blank too.
                const QRect ink = inkOf(m_image, m_area, background());
                if (!ink.isEmpty())
                    m_parts.push_back({ink, BitmapPart::Kind::Bitmap, background(), foreground});
            }
        }
        m_area = {};
        m_colors = {};
        m_blanks = 0;
    }

private:
    /// Returns the colour of most pixels at the edge, which text seldom reaches.
    QRgb background() const
    {
        if (m_colors.count() < 2)
            return m_colors.first();
        int first = 0;
        for (const int y : {m_area.top(), m_area.bottom()}) {
            const QRgb *const line = row(m_image, y);
            first += int(std::count(line + m_area.left(), line + m_area.right() + 1, m_colors.first()));
        }
        return first >= m_area.width() ? m_colors.first() : m_colors.second();
    }

    const QImage &m_image;
    std::vector<BitmapPart> &m_parts;
    QRect m_area;
    Colors m_colors;
    int m_blanks = 0; ///< Cells at the end that have one and the same colour.
    QRgb m_blankColor = 0;
};

} // namespace

std::vector<BitmapPart> bitmapParts(const QImage &image, const QRect &area, const QSize &cell)
{
    std::vector<BitmapPart> parts;
    const QRect whole = area & image.rect();
    for (int y = whole.top(); y <= whole.bottom(); y += cell.height()) {
        Row cells(image, parts);
        for (int x = whole.left(); x <= whole.right(); x += cell.width())
            cells.add(QRect(QPoint(x, y), cell) & whole);
        cells.flush();
    }
    return parts;
}

std::vector<uint8_t> bitmapBits(const QImage &image, const BitmapPart &part, int padBits, bool leastFirst)
{
    const QRect &area = part.area;
    const size_t stride = size_t((area.width() + padBits - 1) / padBits * padBits / 8);
    std::vector<uint8_t> bits(stride * size_t(area.height()), 0);
    for (int y = 0; y < area.height(); ++y) {
        const QRgb *const pixels = row(image, area.top() + y) + area.left();
        uint8_t *const line = bits.data() + stride * size_t(y);
        for (int x = 0; x < area.width(); ++x) {
            if (pixels[x] == part.foreground)
                line[x / 8] |= uint8_t(leastFirst ? 1 << x % 8 : 0x80 >> x % 8);
        }
    }
    return bits;
}

} // namespace rankdeck
