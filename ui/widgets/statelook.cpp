#include "widgets/statelook.h"

#include "widgets/tone.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPen>

namespace rankdeck
{

constexpr int markSize = 12;
constexpr int gap = 6;

QString shownWord(Hold hold)
{
    static constexpr std::array words{"", QT_TRANSLATE_NOOP("rankdeck", "‖ paused"),
                                      QT_TRANSLATE_NOOP("rankdeck", "‖ traced")};
    static_assert(words.size() == std::size_t(Hold::Traced) + 1);
    return hold == Hold::None ? QString() : tr(words.at(std::size_t(hold)));
}

void drawStateMark(QPainter &painter, const QRect &area, RunPhase phase, const QColor &color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(area.width(), area.height());
    painter.translate(QRectF(area).center());
    painter.scale(side / 10, side / 10); // From here on the mark fills -5 .. 5.
    const QPen stroke(color, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (phase) {
    case RunPhase::Starting:
        painter.setPen(stroke);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 3.6, 3.6);
        break;
    case RunPhase::Running:
        painter.drawEllipse(QPointF(0, 0), 4.2, 4.2);
        break;
    case RunPhase::Stopping:
        painter.drawRect(QRectF(-4.5, -1.5, 9, 3));
        break;
    case RunPhase::Succeeded: {
        painter.setPen(stroke);
        painter.setBrush(Qt::NoBrush);
        const QPointF tick[] = {{-3.8, 0.4}, {-1.2, 3.2}, {3.8, -3.2}};
        painter.drawPolyline(tick, 3);
        break;
    }
    case RunPhase::Failed:
        painter.setPen(stroke);
        painter.drawLine(QPointF(-3.3, -3.3), QPointF(3.3, 3.3));
        painter.drawLine(QPointF(-3.3, 3.3), QPointF(3.3, -3.3));
        break;
    case RunPhase::Stopped:
        painter.drawRect(QRectF(-3.5, -3.5, 7, 7));
        break;
    case RunPhase::Recorded:
    case RunPhase::Writing:
        // Lines of a log; the last is short while it is written.
        for (const double y : {-3.0, 0.0})
            painter.drawRect(QRectF(-4, y - 0.8, 8, 1.6));
        painter.drawRect(QRectF(-4, 2.2, phase == RunPhase::Writing ? 4 : 8, 1.6));
        break;
    case RunPhase::Lost:
    case RunPhase::Unknown: {
        QFont font = painter.font();
        font.setPixelSize(10);
        font.setBold(true);
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRectF(-5, -5, 10, 10), Qt::AlignCenter, u"?"_s);
        break;
    }
    }
    painter.restore();
}

StateBadge::StateBadge(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("State: %1").arg(text()));
}

void StateBadge::setPhase(RunPhase phase)
{
    if (std::exchange(m_phase, phase) == phase)
        return;
    setAccessibleName(tr("State: %1").arg(text()));
    updateGeometry();
    update();
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
