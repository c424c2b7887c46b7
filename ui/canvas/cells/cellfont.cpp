#include "canvas/cells/cellfont.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace rankdeck
{

constexpr qsizetype mostIndents = 20000;

/// Makes up with letter spacing for the rounding of the cell to whole pixels.
static void fitToCell(QFont &font, int cellWidth)
{
    const qreal advance = QFontMetricsF(font).horizontalAdvance('M'_L1);
    if (advance != cellWidth)
        font.setLetterSpacing(QFont::AbsoluteSpacing, cellWidth - advance);
}

static bool fits(const QFont &font, int cellWidth)
{
    const QString line = u"iWl0:/.fi-_>=#mA"_s.repeated(8);
    return std::abs(QFontMetricsF(font).horizontalAdvance(line) - qreal(line.size() * cellWidth)) < 0.5;
}

/// Returns the smallest number of whole pixels that is whole device pixels too (for ratios in steps of 1/8).
static int wholeStep(qreal ratio)
{
    for (const int step : {1, 2, 4, 8}) {
        if (std::abs(step * ratio - std::round(step * ratio)) < 1e-6)
            return step;
    }
    return 1;
}

CellFont::CellFont(const QFont &like, qreal devicePixelRatio)
    : m_regular(like)
{
    // A font that was chosen for its fixed pitch comes first.
    QStringList families = like.fixedPitch() ? like.families() : QStringList();
    families << u"DejaVu Sans Mono"_s << u"Noto Sans Mono CJK SC"_s << u"Noto Sans CJK SC"_s
             << u"WenQuanYi Zen Hei Mono"_s << u"monospace"_s;
    m_regular.setFamilies(families);
    m_regular.setStyleHint(QFont::Monospace, like.styleStrategy());
    m_regular.setFixedPitch(true);
    m_regular.setKerning(false);
    m_regular.setBold(false);
    m_regular.setItalic(false);
    m_regular.setUnderline(false);

    const QFontMetricsF metrics(m_regular);
    const int step = wholeStep(devicePixelRatio);
    const int textHeight = int(std::ceil(metrics.ascent()) + std::ceil(metrics.descent()));
    const int height = (textHeight + step - 1) / step * step;
    m_cellSize = {std::max(1, qRound(metrics.horizontalAdvance('M'_L1))), std::max(1, height)};
    m_baseline = int(std::ceil(metrics.ascent())) + (height - textHeight) / 2;
    m_underlineThickness = std::max(1, qRound(metrics.lineWidth()));

    m_bold = m_regular;
    m_bold.setBold(true);
    fitToCell(m_regular, m_cellSize.width());
    fitToCell(m_bold, m_cellSize.width());
    m_regularFits = fits(m_regular, m_cellSize.width());
    m_boldFits = fits(m_bold, m_cellSize.width());
}

qreal CellFont::indent(QStringView cluster, int cells, bool bold) const
{
    const QString key = cluster.toString() + QLatin1Char(bold ? '+' : '-');
    if (const auto known = m_indents.constFind(key); known != m_indents.cend())
        return *known;
    if (m_indents.size() > mostIndents)
        m_indents.clear();
    const QFont &face = font(bold);
    const qreal advance = QFontMetricsF(face).horizontalAdvance(cluster.toString()) - face.letterSpacing();
    const qreal spare = cells * m_cellSize.width() - advance;
    // Whole pixels, so that the same character looks the same wherever it stands.
    return *m_indents.insert(key, std::max(0.0, std::floor(spare / 2)));
}

} // namespace rankdeck
