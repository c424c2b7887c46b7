#include "chart/svgpicture.h"

#include <QXmlStreamWriter>

namespace rankdeck
{

constexpr int legendMargin = 12;
constexpr int legendRow = 18;
constexpr int legendLetter = 8; ///< About the width of one.

/// The place of a curve's name.
struct LegendPlace {
    int x = 0;
    int y = 0;
};

static QList<LegendPlace> legendPlaces(const QList<PlotName> &names)
{
    QList<LegendPlace> places;
    LegendPlace next{legendMargin, legendRow};
    for (const PlotName &name : names) {
        const int width = int(name.name.size() + 4) * legendLetter;
        if (next.x > legendMargin && next.x + width > SvgChart::wide)
            next = {legendMargin, next.y + legendRow};
        places << next;
        next.x += width;
    }
    return places;
}

QByteArray svgPicture(const SvgPlot &plot, bool isDark)
{
    QByteArray bytes;
    QXmlStreamWriter out(&bytes);
    const auto attribute = [&out](const char *name, const QString &value) {
        out.writeAttribute(QLatin1String(name), value);
    };
    const QList<LegendPlace> places = legendPlaces(plot.names);
    const int legend = (places.isEmpty() ? 0 : places.last().y) + legendMargin;
    const int height = legend + int(plot.charts.size()) * SvgChart::height;
    out.writeStartElement(QStringLiteral("svg"));
    attribute("xmlns", QStringLiteral("http://www.w3.org/2000/svg"));
    attribute("width", QString::number(SvgChart::wide));
    attribute("height", QString::number(height));
    attribute("viewBox", QStringLiteral("0 0 %1 %2").arg(SvgChart::wide).arg(height));
    out.writeTextElement(QStringLiteral("style"),
                         svgChartStyle(isDark ? SvgColours::Dark : SvgColours::Light) +
                             QStringLiteral(".key{font:12px sans-serif}"));
    out.writeEmptyElement(QStringLiteral("rect"));
    attribute("width", QStringLiteral("100%"));
    attribute("height", QStringLiteral("100%"));
    attribute("fill", isDark ? QStringLiteral("#17191c") : QStringLiteral("#ffffff"));
    for (qsizetype curve = 0; curve < plot.names.size(); ++curve) {
        out.writeStartElement(QStringLiteral("text"));
        attribute("class", QStringLiteral("key ") + svgCurveClass(curve));
        attribute("x", QString::number(places.at(curve).x));
        attribute("y", QString::number(places.at(curve).y));
        out.writeCharacters(QStringLiteral("\u25a0 ") + plot.names.at(curve).name);
        out.writeEndElement();
    }
    for (qsizetype chart = 0; chart < plot.charts.size(); ++chart)
        writeSvgChart(out, {plot.charts.at(chart), plot.names, plot.along, plot.emphasized},
                      legend + int(chart) * SvgChart::height);
    out.writeEndElement();
    return bytes;
}

} // namespace rankdeck
