#include "mainwindow/progressline.h"

#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "state/tone.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int widestBar = 240; // pixels
constexpr int barShare = 4;    // A quarter of the width at most.
constexpr int barHeight = 10;
constexpr int gap = 10;
constexpr int fewestCells = 20;

} // namespace

ProgressLine::ProgressLine(QWidget *parent)
    : CanvasWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAccessibleName(tr("Progress"));
}

void ProgressLine::setProgress(std::optional<double> fraction, const QString &text)
{
    if (m_shown.fraction == fraction && m_shown.text == text)
        return;
    m_shown = {fraction, text};
    setAccessibleDescription(text);
    setToolTip(text);
    schedule();
}

QSize ProgressLine::sizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {cellWidth(m_shown.text) * cell.width() + widestBar + gap, std::max(cell.height(), barHeight)};
}

QSize ProgressLine::minimumSizeHint() const
{
    return {fewestCells * canvas().cellSize().width(), sizeHint().height()};
}

QRect ProgressLine::barRect() const
{
    if (!m_shown.fraction)
        return {};
    return {0, (height() - barHeight) / 2, std::min(widestBar, width() / barShare), barHeight};
}

QRect ProgressLine::filledRect() const
{
    const QRect inner = barRect().adjusted(1, 1, -1, -1);
    if (!m_shown.fraction || inner.isEmpty())
        return {};
    return {inner.topLeft(), QSize(static_cast<int>(*m_shown.fraction * inner.width()), inner.height())};
}

void ProgressLine::drawCanvas(Canvas &canvas, bool everything)
{
    const QColor behind = palette().color(backgroundRole());
    const QRect bar = barRect();
    const QRect filled = filledRect();
    const bool isAnew = everything || bar != m_drawnBar;
    if (isAnew)
        canvas.fill(QRect(QPoint(), canvas.size()), behind);
    if (!bar.isEmpty() && (isAnew || filled != m_drawnFilled)) {
        const bool isLess = isAnew || filled.width() < m_drawnFilled.width();
        if (isAnew)
            canvas.fill(bar, palette().color(QPalette::Mid));
        if (isLess)
            canvas.fill(bar.adjusted(1, 1, -1, -1), palette().color(QPalette::Base));
        const QRect drawn = isLess ? filled : filled.adjusted(m_drawnFilled.width(), 0, 0, 0);
        if (!drawn.isEmpty())
            canvas.fill(drawn, toneColor(Tone::Active, palette()));
    }
    if (isAnew || m_shown.text != m_drawnText) {
        const int left = bar.isEmpty() ? 0 : bar.right() + 1 + gap;
        const QRect area(left, 0, width() - left, height());
        if (!isAnew)
            canvas.fill(area, behind);
        const int cells = area.width() / canvas.cellSize().width();
        canvas.text({left, (height() - canvas.cellSize().height()) / 2}, elidedToCells(m_shown.text, cells),
                    {palette().color(foregroundRole()), {}}, area);
    }
    m_drawnBar = bar;
    m_drawnFilled = filled;
    m_drawnText = m_shown.text;
}

} // namespace rankdeck
