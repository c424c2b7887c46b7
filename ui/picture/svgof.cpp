#include "picture/paintrecorder.h"

#include <QBuffer>
#include <QFontInfo>
#include <QXmlStreamWriter>

namespace rankdeck
{

namespace
{

QString number(double value)
{
    return QString::number(value, 'g', 6);
}

/// Returns the places of a path, as SVG writes them.
QString placesOf(const QPainterPath &path)
{
    QString places;
    for (int at = 0; at < path.elementCount(); ++at) {
        const QPainterPath::Element element = path.elementAt(at);
        const QString point = number(element.x) + QLatin1Char(' ') + number(element.y);
        if (element.isMoveTo())
            places += QLatin1Char('M') + point;
        else if (element.isLineTo())
            places += QLatin1Char('L') + point;
        else if (element.isCurveTo())
            places += QLatin1Char('C') + point;
        else
            places += QLatin1Char(' ') + point;
    }
    return places;
}

/// Writes the items of a painting, each as one element.
class SvgWriter
{
public:
    explicit SvgWriter(const QSize &size)
        : m_out(&m_bytes)
        , m_whole(QPointF(), QSizeF(size))
        , m_clip(m_whole)
    {
        m_out.writeStartElement(QStringLiteral("svg"));
        attribute("xmlns", QStringLiteral("http://www.w3.org/2000/svg"));
        attribute("xmlns:xlink", QStringLiteral("http://www.w3.org/1999/xlink"));
        attribute("width", QString::number(size.width()));
        attribute("height", QString::number(size.height()));
        writeViewBox(m_whole);
    }

    void write(const PaintedItem &item)
    {
        if (item.clip.isEmpty())
            return;
        clipTo(item.clip);
        switch (item.kind) {
        case PaintedItem::Kind::Path:
            begin("path", item);
            attribute("d", placesOf(item.path));
            if (item.path.fillRule() == Qt::OddEvenFill)
                attribute("fill-rule", QStringLiteral("evenodd"));
            writeBrush(item);
            writePen(item);
            break;
        case PaintedItem::Kind::Rect:
            begin("rect", item);
            writeRect(item.rect);
            writeBrush(item);
            writePen(item);
            break;
        case PaintedItem::Kind::Text:
            begin("text", item);
            writeText(item);
            break;
        case PaintedItem::Kind::Image:
            begin("image", item);
            writeImage(item);
            break;
        }
        m_out.writeEndElement();
    }

    QByteArray finish()
    {
        clipTo(m_whole);
        m_out.writeEndElement();
        return m_bytes;
    }

private:
    void attribute(const char *name, const QString &value)
    {
        m_out.writeAttribute(QLatin1String(name), value);
    }

    void begin(const char *name, const PaintedItem &item)
    {
        m_out.writeStartElement(QLatin1String(name));
        const QTransform &transform = item.transform;
        if (!transform.isIdentity())
            attribute("transform",
                      QStringLiteral("matrix(%1 %2 %3 %4 %5 %6)")
                          .arg(number(transform.m11()), number(transform.m12()), number(transform.m21()),
                               number(transform.m22()), number(transform.dx()), number(transform.dy())));
    }

    /// Puts the clipped drawing into an inner picture, which shows nothing beyond its edges.
    void clipTo(const QRectF &clip)
    {
        if (clip == m_clip)
            return;
        if (m_clip != m_whole)
            m_out.writeEndElement();
        m_clip = clip;
        if (m_clip == m_whole)
            return;
        m_out.writeStartElement(QStringLiteral("svg"));
        writeRect(m_clip);
        writeViewBox(m_clip);
    }

    void writeViewBox(const QRectF &box)
    {
        attribute("viewBox",
                  QStringLiteral("%1 %2 %3 %4")
                      .arg(number(box.x()), number(box.y()), number(box.width()), number(box.height())));
    }

    void writeRect(const QRectF &rect)
    {
        attribute("x", number(rect.x()));
        attribute("y", number(rect.y()));
        attribute("width", number(rect.width()));
        attribute("height", number(rect.height()));
    }

    void writeColour(const char *name, const char *opacityName, const QColor &colour, double opacity)
    {
        attribute(name, colour.name());
        if (colour.alphaF() * opacity < 1)
            attribute(opacityName, number(colour.alphaF() * opacity));
    }

    void writeBrush(const PaintedItem &item)
    {
        if (item.brush.style() == Qt::NoBrush) {
            attribute("fill", QStringLiteral("none"));
            return;
        }
        const QGradient *const gradient = item.brush.gradient();
        const bool hasStops = gradient && !gradient->stops().isEmpty();
        writeColour("fill", "fill-opacity",
                    hasStops ? gradient->stops().constFirst().second : item.brush.color(), item.opacity);
    }

    void writePen(const PaintedItem &item)
    {
        if (item.pen.style() == Qt::NoPen)
            return;
        writeColour("stroke", "stroke-opacity", item.pen.color(), item.opacity);
        attribute("stroke-width", number(std::max(1.0, item.pen.widthF())));
    }

    void writeText(const PaintedItem &item)
    {
        attribute("x", number(item.place.x()));
        attribute("y", number(item.place.y()));
        const QFontInfo font(item.font);
        const QString generic =
            font.fixedPitch() ? QStringLiteral("monospace") : QStringLiteral("sans-serif");
        attribute("font-family", QStringLiteral("'%1',%2").arg(font.family(), generic));
        attribute("font-size", QString::number(font.pixelSize()));
        if (font.weight() != QFont::Normal)
            attribute("font-weight", QString::number(font.weight()));
        // Keeps the text's width, and so its place among the other words, in any font.
        attribute("textLength", number(item.width));
        attribute("lengthAdjust", QStringLiteral("spacingAndGlyphs"));
        attribute("xml:space", QStringLiteral("preserve"));
        writeColour("fill", "fill-opacity", item.pen.color(), item.opacity);
        m_out.writeCharacters(item.text);
    }

    void writeImage(const PaintedItem &item)
    {
        QByteArray png;
        QBuffer buffer(&png);
        item.image.save(&buffer, "PNG");
        writeRect(item.rect);
        attribute("preserveAspectRatio", QStringLiteral("none"));
        attribute("xlink:href",
                  QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64()));
    }

    QByteArray m_bytes;
    QXmlStreamWriter m_out;
    QRectF m_whole;
    QRectF m_clip; ///< Area of the open inner picture; the whole picture if there is none.
};

} // namespace

QByteArray svgOf(const PaintRecorder &painting)
{
    SvgWriter writer(painting.size());
    for (const PaintedItem &item : painting.items())
        writer.write(item);
    return writer.finish();
}

} // namespace rankdeck
