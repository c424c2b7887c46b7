#include "state/statebadge.h"

#include "state/statemark.h"
#include "state/statewords.h"
#include "state/tone.h"

#include <QFontMetrics>
#include <QPainter>

namespace rankdeck
{

namespace
{
constexpr int markSize = 12;
constexpr int gap = 6;
} // namespace

StateBadge::StateBadge(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("State: %1").arg(text()));
}

void StateBadge::setPhase(RunPhase phase)
{
    if (m_phase == phase)
        return;
    m_phase = phase;
    setAccessibleName(tr("State: %1").arg(text()));
    updateGeometry();
    update();
}

QString StateBadge::text() const
{
    return shownWord(m_phase);
}

QSize StateBadge::sizeHint() const
{
    const QFontMetrics metrics(font());
    return {markSize + gap + metrics.horizontalAdvance(text()), metrics.height()};
}

void StateBadge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor color = toneColor(toneOf(m_phase), palette());
    drawStateMark(painter, QRect(0, (height() - markSize) / 2, markSize, markSize), m_phase, color);
    painter.setPen(color);
    painter.drawText(rect().adjusted(markSize + gap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

} // namespace rankdeck
