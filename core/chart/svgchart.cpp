#include "chart/svgchart.h"

#include "chart/svgwriter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

namespace
{

// Left edge of the curves' area; this and the following values are in units of the element.
constexpr int left = 64;
constexpr int top = 28;
constexpr int right = 52; // Room for labels.
constexpr int areaHeight = SvgChart::height - top - 30;
constexpr int lineHeight = 13;
constexpr int titleBase = 16;
constexpr int tick = 4;
constexpr int belowBase = 18;
constexpr int textShift = 4; ///< From the middle of a line of text to its base.
constexpr int beside = 6;
constexpr int valueMarks = 5;

struct CurveColour {
    const char *light;
    const char *dark;
};

constexpr std::array curveColours{
    CurveColour{"#007c8a", "#35c3d2"}, CurveColour{"#1a7f1a", "#4fc24f"}, CurveColour{"#1f4fd8", "#7ea2ff"},
    CurveColour{"#a0209a", "#e07bdc"}, CurveColour{"#e0007f", "#ff5fb0"}, CurveColour{"#6f6f3a", "#b5b57a"},
    CurveColour{"#5b5bf0", "#a9a9ff"}, CurveColour{"#9c4a4a", "#d98f8f"}, CurveColour{"#7a00e0", "#b98aff"},
    CurveColour{"#c0004f", "#ff7f9f"}, CurveColour{"#55557f", "#a3a3cc"}, CurveColour{"#d000d0", "#ff7bff"}};

QString number(double value)
{
    return QString::number(std::round(value * 10) / 10);
}

/// Draws the parts of one chart.
class Drawing
{
public:
    Drawing(QXmlStreamWriter &out, const SvgChart &chart)
        : m_out(out)
        , m_chart(chart)
        , m_areaWidth(chart.width - left - right)
        , m_values(valueAxis(chart.chart, chart.chart.curves, valueMarks))
    {
    }

    void draw()
    {
        text(left, titleBase, "title", m_chart.chart.title);
        drawScales();
        const auto curves = static_cast<int>(m_chart.chart.curves.size());
        for (int curve = 0; curve < curves; ++curve) {
            if (curve != m_chart.emphasized)
                drawCurve(curve);
        }
        if (m_chart.emphasized >= 0 && m_chart.emphasized < curves)
            drawCurve(m_chart.emphasized);
        drawLabels();
    }

private:
    double xOf(qint64 place) const { return left + m_chart.along.axis.fraction(double(place)) * m_areaWidth; }
    double yOf(double value) const
    {
        return top + (1 - std::clamp(m_values.fraction(value), 0.0, 1.0)) * areaHeight;
    }

    void text(double x, double y, const char *kind, const QString &words)
    {
        m_out.element("text", {{"class", QLatin1String(kind)}, {"x", number(x)}, {"y", number(y)}}, words);
    }

    void path(const QString &kind, const QString &places)
    {
        m_out.element("path", {{"class", kind}, {"d", places}});
    }

    void drawScales()
    {
        QString lines;
        for (const double mark : m_values.marks) {
            const double y = yOf(mark);
            lines += u"M%1 %2h%3"_s.arg(left).arg(number(y)).arg(m_areaWidth);
            text(left - beside, y + textShift, "value", markText(m_values, mark));
        }
        path(u"grid"_s, lines);
        QString ticks;
        for (qsizetype at = 0; at < m_chart.along.axis.marks.size(); ++at) {
            const double x =
                left + m_chart.along.axis.fraction(m_chart.along.axis.marks.at(at)) * m_areaWidth;
            ticks += u"M%1 %2v%3"_s.arg(number(x)).arg(top + areaHeight).arg(tick);
            text(x, top + areaHeight + belowBase, "along", m_chart.along.marks.value(at));
        }
        path(u"tick"_s, ticks);
    }

    /// Returns the points with those combined that lie within one unit.
    std::vector<PlotPoint> combined(const std::vector<PlotPoint> &points) const
    {
        std::vector<PlotPoint> columns;
        int last = -1;
        for (const PlotPoint &point : points) {
            const int column = static_cast<int>(xOf(point.from));
            if (column != last || point.isAfterGap || !columns.back().hasValue || !point.hasValue) {
                columns.push_back(point);
            } else {
                PlotPoint &whole = columns.back();
                whole.least = std::min(whole.least, point.least);
                whole.most = std::max(whole.most, point.most);
                whole.last = point.last;
                whole.isOdd = whole.isOdd || point.isOdd;
            }
            last = column;
        }
        return columns;
    }

    void drawCurve(int curve)
    {
        const QString emphasis = curve == m_chart.emphasized ? u" root"_s : QString();
        const QString kind = u"curve "_s + svgCurveClass(curve) + emphasis;
        QString places;
        QString odd;
        bool isJoined = false;
        for (const PlotPoint &point : combined(m_chart.chart.curves[std::size_t(curve)])) {
            const QString x = number(xOf(point.from));
            if (point.isOdd)
                odd += u"M%1 %2v%3"_s.arg(x).arg(top).arg(beside);
            if (!point.hasValue)
                continue;
            const auto to = [&](QChar how, float value) {
                places += how + x + ' '_L1 + number(yOf(double(value)));
            };
            to(QLatin1Char(isJoined && !point.isAfterGap ? 'L' : 'M'), point.least);
            // A lone point needs some length to be seen.
            if (point.least != point.most)
                to('L'_L1, point.most);
            else if (!isJoined || point.isAfterGap)
                places += u"h.1"_s;
            if (point.last != point.most)
                to('L'_L1, point.last);
            isJoined = true;
        }
        if (!places.isEmpty())
            path(kind, places);
        if (!odd.isEmpty())
            path(u"odd"_s, odd);
    }

    void drawLabels()
    {
        std::vector<int> rows;
        for (const std::vector<PlotPoint> &curve : m_chart.chart.curves) {
            const auto last = std::ranges::find_if(curve.rbegin(), curve.rend(), &PlotPoint::hasValue);
            rows.push_back(last == curve.rend() ? noRow
                                                : int(std::lround(yOf(double(last->last)))) - lineHeight / 2);
        }
        rows =
            spreadRows(std::move(rows), top - lineHeight / 2, top + areaHeight + lineHeight / 2, lineHeight);
        for (std::size_t curve = 0; curve < rows.size(); ++curve) {
            if (rows[curve] == noRow)
                continue;
            const int base = rows[curve] + lineHeight / 2 + textShift;
            const QByteArray kind = "label " + svgCurveClass(qsizetype(curve)).toLatin1();
            text(left + m_areaWidth + beside, base, kind.constData(),
                 m_chart.names.value(qsizetype(curve)).label);
        }
    }

    SvgWriter m_out;
    const SvgChart &m_chart;
    int m_areaWidth;
    PlotAxis m_values;
};

} // namespace

void writeSvgChart(QXmlStreamWriter &out, const SvgChart &chart, std::optional<int> top)
{
    SvgWriter writer(out);
    writer.begin("svg", {{"class", u"chart"_s}});
    writer.addViewBox(QRectF(0, 0, chart.width, SvgChart::height));
    if (top)
        writer.add({{"y", *top}, {"width", chart.width}, {"height", SvgChart::height}});
    writer.add({{"role", u"img"_s}, {"aria-label", chart.chart.title}});
    Drawing(out, chart).draw();
    writer.end();
}

QString svgCurveClass(qsizetype curve)
{
    return 'c'_L1 + QString::number(std::max<qsizetype>(curve, 0) % qsizetype(curveColours.size()));
}

static QString coloursStyle(bool isDark)
{
    QString style = isDark ? u".grid{stroke:#3a3f46}.tick{stroke:#8b929b}.odd{stroke:#ff6b6b}"
                             ".chart text{fill:#aab1ba}.chart .title{fill:#e8eaed}"_s
                           : u".grid{stroke:#dcdfe3}.tick{stroke:#767c85}.odd{stroke:#c00000}"
                             ".chart text{fill:#5a6068}.chart .title{fill:#1b1e22}"_s;
    for (std::size_t at = 0; at < curveColours.size(); ++at)
        style += u".curve.c%1{stroke:%2}.chart text.c%1,.key.c%1{fill:%2;color:%2}"_s.arg(at).arg(
            QLatin1String(isDark ? curveColours[at].dark : curveColours[at].light));
    return style;
}

QString svgChartStyle(SvgColours colours)
{
    const QString style = u".chart text{font:12px sans-serif}.chart .title{font-weight:bold}"
                          ".chart .value{text-anchor:end}.chart .along{text-anchor:middle}"
                          ".curve{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}"
                          ".curve.root{stroke-width:3}.grid,.tick,.odd{fill:none;stroke-width:1}"_s +
                          coloursStyle(colours == SvgColours::Dark);
    if (colours != SvgColours::LightAndDark)
        return style;
    return style + u"@media(prefers-color-scheme:dark){"_s + coloursStyle(true) + '}'_L1;
}

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
    SvgWriter writer(out);
    const QList<LegendPlace> places = legendPlaces(plot.names);
    const int legend = (places.isEmpty() ? 0 : places.last().y) + legendMargin;
    const int height = legend + int(plot.charts.size()) * SvgChart::height;
    const QString whole = u"100%"_s;
    writer.beginFile({SvgChart::wide, height});
    writer.element("style", {},
                   svgChartStyle(isDark ? SvgColours::Dark : SvgColours::Light) +
                       u".key{font:12px sans-serif}"_s);
    writer.element("rect",
                   {{"width", whole}, {"height", whole}, {"fill", isDark ? u"#17191c"_s : u"#ffffff"_s}});
    for (qsizetype curve = 0; curve < plot.names.size(); ++curve)
        writer.element("text",
                       {{"class", u"key "_s + svgCurveClass(curve)},
                        {"x", places.at(curve).x},
                        {"y", places.at(curve).y}},
                       u"\u25a0 "_s + plot.names.at(curve).name);
    for (qsizetype chart = 0; chart < plot.charts.size(); ++chart)
        writeSvgChart(out, {plot.charts.at(chart), plot.names, plot.along, plot.emphasized},
                      legend + int(chart) * SvgChart::height);
    writer.end();
    return bytes;
}

} // namespace rankdeck
