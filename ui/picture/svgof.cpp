#include "chart/svgwriter.h"
#include "picture/paintrecorder.h"

#include <QBuffer>
#include <QFontInfo>

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
        const char step = element.isMoveTo()    ? 'M'
                          : element.isLineTo()  ? 'L'
                          : element.isCurveTo() ? 'C'
                                                : ' ';
        places += QLatin1Char(step) + number(element.x) + ' '_L1 + number(element.y);
    }
    return places;
}

/// Writes the items of a painting, each as one element.
class ItemWriter
{
public:
    explicit ItemWriter(const QSize &size)
        : m_xml(&m_bytes)
        , m_out(m_xml)
        , m_whole(QPointF(), QSizeF(size))
        , m_clip(m_whole)
    {
        m_out.beginFile(size);
        m_out.add({{"xmlns:xlink", u"http://www.w3.org/1999/xlink"_s}});
    }

    void write(const PaintedItem &item)
    {
        if (item.clip.isEmpty())
            return;
        clipTo(item.clip);
        switch (item.kind) {
        case PaintedItem::Kind::Path:
            begin("path", item);
            m_out.add({{"d", placesOf(item.path)}});
            if (item.path.fillRule() == Qt::OddEvenFill)
                m_out.add({{"fill-rule", u"evenodd"_s}});
            writeBrush(item);
            writePen(item);
            break;
        case PaintedItem::Kind::Rect:
            begin("rect", item);
            m_out.addRect(item.rect);
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
        m_out.end();
    }

    QByteArray finish()
    {
        clipTo(m_whole);
        m_out.end();
        return m_bytes;
    }

private:
    void begin(const char *name, const PaintedItem &item)
    {
        m_out.begin(name);
        const QTransform &transform = item.transform;
        if (!transform.isIdentity())
            m_out.add({{"transform",
                        u"matrix(%1 %2 %3 %4 %5 %6)"_s.arg(number(transform.m11()), number(transform.m12()),
                                                           number(transform.m21()), number(transform.m22()),
                                                           number(transform.dx()), number(transform.dy()))}});
    }

    /// Puts the clipped drawing into an inner picture, which shows nothing beyond its edges.
    void clipTo(const QRectF &clip)
    {
        if (clip == m_clip)
            return;
        if (m_clip != m_whole)
            m_out.end();
        m_clip = clip;
        if (m_clip == m_whole)
            return;
        m_out.begin("svg");
        m_out.addRect(m_clip);
        m_out.addViewBox(m_clip);
    }

    void writeColour(const char *name, const char *opacityName, const QColor &colour, double opacity)
    {
        m_out.add({{name, colour.name()}});
        if (colour.alphaF() * opacity < 1)
            m_out.add({{opacityName, colour.alphaF() * opacity}});
    }

    void writeBrush(const PaintedItem &item)
    {
        if (item.brush.style() == Qt::NoBrush) {
            m_out.add({{"fill", u"none"_s}});
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
        m_out.add({{"stroke-width", std::max(1.0, item.pen.widthF())}});
    }

    void writeText(const PaintedItem &item)
    {
        const QFontInfo font(item.font);
        const QString generic = font.fixedPitch() ? u"monospace"_s : u"sans-serif"_s;
        m_out.add({{"x", item.place.x()},
                   {"y", item.place.y()},
                   {"font-family", u"'%1',%2"_s.arg(font.family(), generic)},
                   {"font-size", font.pixelSize()},
                   // Keeps the text's width, and so its place among the other words, in any font.
                   {"textLength", item.width},
                   {"lengthAdjust", u"spacingAndGlyphs"_s},
                   {"xml:space", u"preserve"_s}});
        if (font.weight() != QFont::Normal)
            m_out.add({{"font-weight", font.weight()}});
        writeColour("fill", "fill-opacity", item.pen.color(), item.opacity);
        m_xml.writeCharacters(item.text);
    }

    void writeImage(const PaintedItem &item)
    {
        QByteArray png;
        QBuffer buffer(&png);
        item.image.save(&buffer, "PNG");
        m_out.addRect(item.rect);
        m_out.add({{"preserveAspectRatio", u"none"_s},
                   {"xlink:href", u"data:image/png;base64,"_s + QString::fromLatin1(png.toBase64())}});
    }

    QByteArray m_bytes;
    QXmlStreamWriter m_xml;
    SvgWriter m_out;
    QRectF m_whole;
    QRectF m_clip; ///< Area of the open inner picture; the whole picture if there is none.
};

} // namespace

QByteArray svgOf(const PaintRecorder &painting)
{
    ItemWriter writer(painting.size());
    for (const PaintedItem &item : painting.items())
        writer.write(item);
    return writer.finish();
}

} // namespace rankdeck
