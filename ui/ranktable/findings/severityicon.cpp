#include "ranktable/findings/severityicon.h"

#include <QPainter>
#include <QPen>

namespace rankdeck
{

/// Scales the painter so that `area` reaches from -5 to 5.
static void scaleTo(QPainter &painter, const QRectF &area)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(area.width(), area.height());
    painter.translate(area.center());
    painter.scale(side / 10, side / 10);
}

static QPen stroke(const QColor &color)
{
    return {color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

template <typename Draw>
static QIcon iconOf(int side, qreal ratio, Draw draw)
{
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    draw(painter, QRectF(0, 0, side, side));
    painter.end();
    QIcon icon;
    // Selected and disabled rows show the same colours, because they carry the meaning.
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected, QIcon::Disabled})
        icon.addPixmap(pixmap, mode);
    return icon;
}

Tone toneOf(Severity severity)
{
    return severity == Severity::Note      ? Tone::Active
           : severity == Severity::Warning ? Tone::Caution
                                           : Tone::Bad;
}

/// Draws the shape beside a severity's word, so that colour is not the only sign: a disc with a cross for an
/// error, a triangle with "!" for a warning, a ring with "i" for a note.
static void drawSeverityMark(QPainter &painter, const QRectF &area, Severity severity,
                             const QPalette &palette)
{
    const QColor color = toneColor(toneOf(severity), palette);
    const QColor paper = palette.color(QPalette::Base);
    painter.save();
    scaleTo(painter, area);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (severity) {
    case Severity::Error:
        painter.drawEllipse(QPointF(0, 0), 4.7, 4.7);
        painter.setPen(stroke(paper));
        painter.drawLine(QPointF(-1.8, -1.8), QPointF(1.8, 1.8));
        painter.drawLine(QPointF(-1.8, 1.8), QPointF(1.8, -1.8));
        break;
    case Severity::Warning: {
        const QPointF triangle[] = {{0, -4.6}, {4.9, 4.2}, {-4.9, 4.2}};
        painter.drawPolygon(triangle, 3);
        painter.setPen(stroke(paper));
        painter.drawLine(QPointF(0, -1.6), QPointF(0, 0.8));
        painter.drawPoint(QPointF(0, 2.9));
        break;
    }
    case Severity::Note:
        // Filled: a ring alone would not be visible on a selected row.
        painter.setBrush(paper);
        painter.setPen(QPen(color, 1.2));
        painter.drawEllipse(QPointF(0, 0), 4.2, 4.2);
        painter.setPen(stroke(color));
        painter.drawLine(QPointF(0, -0.2), QPointF(0, 2.2));
        painter.drawPoint(QPointF(0, -2.2));
        break;
    }
    painter.restore();
}

QIcon severityIcon(Severity severity, const QPalette &palette, int side, qreal ratio)
{
    return iconOf(side, ratio, [&](QPainter &painter, const QRectF &area) {
        drawSeverityMark(painter, area, severity, palette);
    });
}

QIcon noFindingIcon(const QPalette &palette, int side, qreal ratio)
{
    return iconOf(side, ratio, [&](QPainter &painter, const QRectF &area) {
        scaleTo(painter, area);
        painter.setPen(stroke(toneColor(Tone::Good, palette)));
        const QPointF tick[] = {{-3.8, 0.4}, {-1.2, 3.2}, {3.8, -3.2}};
        painter.drawPolyline(tick, 3);
    });
}

} // namespace rankdeck
