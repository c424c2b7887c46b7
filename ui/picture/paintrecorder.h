#pragma once

#include "base/tr.h"

#include <QBrush>
#include <QFont>
#include <QImage>
#include <QPaintDevice>
#include <QPainterPath>
#include <QPen>
#include <QTransform>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Something that was painted, with the state of the painter.
struct PaintedItem {
    enum class Kind { Path, Rect, Text, Image };

    Kind kind = Kind::Path;
    QTransform transform;
    QRectF clip; ///< In pixels of the device.
    double opacity = 1;
    QPen pen;
    QBrush brush;
    QPainterPath path; ///< Path.
    QRectF rect;       ///< Rect, or the target of Image.
    QPointF place;     ///< Text: where its base line begins …
    QString text;      ///< …
    QFont font;        ///< …
    double width = 0;  ///< … and how wide it is.
    QImage image;      ///< Image.
};

/// A device that keeps what a QPainter paints, to write it as SVG or to paint it again. Unlike Qt's own such
/// devices, it keeps rendered widgets within their areas. Clips count by their bounding rectangles.
class PaintRecorder : public QPaintDevice
{
public:
    /// @param dotsPerInch as of the screen, so that text has the size that it has there.
    PaintRecorder(const QSize &size, int dotsPerInch);
    ~PaintRecorder() override;

    const QSize &size() const { return m_size; }
    const std::vector<PaintedItem> &items() const;
    /// Paints everything again.
    void play(QPainter &painter) const;

    QPaintEngine *paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSize m_size;
    int m_dotsPerInch;
    std::unique_ptr<Engine> m_engine;
};

/// Returns a painting as an SVG file: text as text, images as PNG. Gradients become their first colour.
QByteArray svgOf(const PaintRecorder &painting);

} // namespace rankdeck
