#include "picture/paintrecorder.h"

#include <QPaintEngine>
#include <QPainter>

namespace rankdeck
{

constexpr double mmPerInch = 25.4;
constexpr int colourBits = 32;

class PaintRecorder::Engine : public QPaintEngine
{
public:
    explicit Engine(const QSize &size)
        : QPaintEngine(AllFeatures)
        , m_whole(QPointF(), QSizeF(size))
    {
        m_state.clip = m_whole;
    }

    const std::vector<PaintedItem> &items() const { return m_items; }

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState &news) override
    {
        const auto dirty = news.state();
        if (dirty & DirtyPen)
            m_state.pen = news.pen();
        if (dirty & DirtyBrush)
            m_state.brush = news.brush();
        if (dirty & DirtyTransform)
            m_state.transform = news.transform();
        if (dirty & DirtyOpacity)
            m_state.opacity = news.opacity();
        if (dirty & (DirtyClipPath | DirtyClipRegion))
            clip(news.clipOperation(), dirty & DirtyClipPath ? news.clipPath().boundingRect()
                                                             : QRectF(news.clipRegion().boundingRect()));
        if (dirty & DirtyClipEnabled)
            m_isClipping = news.isClipEnabled();
    }

    void drawPath(const QPainterPath &path) override { add(PaintedItem::Kind::Path).path = path; }

    void drawRects(const QRectF *rects, int count) override
    {
        for (int at = 0; at < count; ++at)
            add(PaintedItem::Kind::Rect).rect = rects[at];
    }

    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override
    {
        QPainterPath path;
        for (int at = 0; at < count; ++at)
            at == 0 ? path.moveTo(points[at]) : path.lineTo(points[at]);
        if (mode != PolylineMode)
            path.closeSubpath();
        path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        PaintedItem &item = add(PaintedItem::Kind::Path);
        item.path = path;
        if (mode == PolylineMode)
            item.brush = Qt::NoBrush;
    }

    void drawTextItem(const QPointF &place, const QTextItem &text) override
    {
        if (text.text().trimmed().isEmpty())
            return;
        PaintedItem &item = add(PaintedItem::Kind::Text);
        item.place = place;
        item.text = text.text();
        item.font = text.font();
        // Otherwise other painters use their own font properties.
        item.font.setResolveMask(QFont::AllPropertiesResolved);
        item.width = text.width();
    }

    void drawPixmap(const QRectF &target, const QPixmap &pixmap, const QRectF &source) override
    {
        drawImage(target, pixmap.toImage(), source, Qt::AutoColor);
    }

    void drawImage(const QRectF &target, const QImage &image, const QRectF &source,
                   Qt::ImageConversionFlags) override
    {
        PaintedItem &item = add(PaintedItem::Kind::Image);
        item.rect = target;
        item.image = image.copy(source.toAlignedRect());
        item.image.setDevicePixelRatio(1);
    }

private:
    void clip(Qt::ClipOperation operation, const QRectF &area)
    {
        const QRectF mapped = m_state.transform.mapRect(area);
        if (operation == Qt::NoClip)
            m_clip = m_whole;
        else
            m_clip = operation == Qt::IntersectClip ? m_clip & mapped : mapped;
        m_isClipping = operation != Qt::NoClip;
    }

    PaintedItem &add(PaintedItem::Kind kind)
    {
        m_items.push_back(m_state);
        PaintedItem &item = m_items.back();
        item.kind = kind;
        item.clip = m_isClipping ? m_clip & m_whole : m_whole;
        // The area of the widget that is rendered.
        if (const QRegion widget = systemClip(); !widget.isEmpty())
            item.clip &= QRectF(widget.boundingRect());
        return item;
    }

    QRectF m_whole;
    QRectF m_clip;
    bool m_isClipping = false;
    PaintedItem m_state;
    std::vector<PaintedItem> m_items;
};

PaintRecorder::PaintRecorder(const QSize &size, int dotsPerInch)
    : m_size(size)
    , m_dotsPerInch(dotsPerInch)
    , m_engine(std::make_unique<Engine>(size))
{
}

PaintRecorder::~PaintRecorder() = default;

const std::vector<PaintedItem> &PaintRecorder::items() const
{
    return m_engine->items();
}

QPaintEngine *PaintRecorder::paintEngine() const
{
    return m_engine.get();
}

void PaintRecorder::play(QPainter &painter) const
{
    const QTransform base = painter.transform();
    QRectF clip{QPointF(), QSizeF(m_size)};
    for (const PaintedItem &item : items()) {
        // A clip for each item would make most of a file.
        if (item.clip != clip) {
            painter.setTransform(base);
            painter.setClipRect(item.clip);
            clip = item.clip;
        }
        painter.setTransform(item.transform * base);
        painter.setOpacity(item.opacity);
        painter.setPen(item.pen);
        painter.setBrush(item.brush);
        switch (item.kind) {
        case PaintedItem::Kind::Path:
            painter.drawPath(item.path);
            break;
        case PaintedItem::Kind::Rect:
            painter.drawRect(item.rect);
            break;
        case PaintedItem::Kind::Text:
            painter.setFont(item.font);
            painter.drawText(item.place, item.text);
            break;
        case PaintedItem::Kind::Image:
            painter.drawImage(item.rect, item.image);
            break;
        }
    }
}

int PaintRecorder::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return int(m_size.width() * mmPerInch / m_dotsPerInch);
    case PdmHeightMM:
        return int(m_size.height() * mmPerInch / m_dotsPerInch);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return m_dotsPerInch;
    case PdmNumColors:
        return INT_MAX;
    case PdmDepth:
        return colourBits;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return int(devicePixelRatioFScale());
    default:
        return QPaintDevice::metric(metric);
    }
}

} // namespace rankdeck
