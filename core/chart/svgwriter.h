#pragma once

#include "base/tr.h"

#include <QRectF>
#include <QXmlStreamWriter>

#include <initializer_list>
#include <type_traits>

namespace rankdeck
{

/// Writes elements of SVG.
class SvgWriter
{
public:
    struct Attribute {
        template <typename T>
        Attribute(const char *itsName, const T &itsValue)
            : name(itsName)
        {
            if constexpr (std::is_arithmetic_v<T>)
                value = QString::number(itsValue);
            else
                value = itsValue;
        }

        const char *name;
        QString value;
    };
    using Attributes = std::initializer_list<Attribute>;

    explicit SvgWriter(QXmlStreamWriter &out)
        : m_out(out)
    {
    }

    /// Begins an element; add() adds further attributes to it.
    void begin(const char *name, Attributes attributes = {})
    {
        m_out.writeStartElement(QLatin1String(name));
        add(attributes);
    }
    void beginFile(const QSize &size)
    {
        begin(
            "svg",
            {{"xmlns", u"http://www.w3.org/2000/svg"_s}, {"width", size.width()}, {"height", size.height()}});
        addViewBox(QRectF(QPointF(), QSizeF(size)));
    }
    void add(Attributes attributes)
    {
        for (const Attribute &attribute : attributes)
            m_out.writeAttribute(QLatin1String(attribute.name), attribute.value);
    }
    void addRect(const QRectF &rect)
    {
        add({{"x", rect.x()}, {"y", rect.y()}, {"width", rect.width()}, {"height", rect.height()}});
    }
    void addViewBox(const QRectF &box)
    {
        add({{"viewBox", u"%1 %2 %3 %4"_s.arg(box.x()).arg(box.y()).arg(box.width()).arg(box.height())}});
    }
    void end() { m_out.writeEndElement(); }
    void element(const char *name, Attributes attributes, const QString &text = {})
    {
        begin(name, attributes);
        if (!text.isEmpty())
            m_out.writeCharacters(text);
        end();
    }

private:
    QXmlStreamWriter &m_out;
};

} // namespace rankdeck
