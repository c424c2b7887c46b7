#include "report/pagewriter.h"

#include "chart/svgchart.h"

namespace rankdeck
{

// Colours are as in the window: red, amber and green say how something ended.
static QString pageStyle()
{
    return u":root{color-scheme:light dark;--text:#1b1e22;--soft:#5a6068;--back:#fff;--box:#f4f5f7;"
           "--line:#dcdfe3;--bad:#b00020;--good:#1a6f1a;--warn:#8a5a00}"
           "@media(prefers-color-scheme:dark){:root{--text:#e8eaed;--soft:#aab1ba;--back:#17191c;"
           "--box:#22262b;--line:#3a3f46;--bad:#ff8080;--good:#6fcf6f;--warn:#e0b050}}"
           "body{font:15px/1.5 sans-serif;color:var(--text);background:var(--back);max-width:64em;"
           "margin:2em auto;padding:0 1em}"
           "h1{font-size:1.5em;line-height:1.3;overflow-wrap:anywhere;margin-bottom:.2em}"
           "h2{font-size:1.2em;margin:2em 0 .5em;border-bottom:1px solid var(--line);padding-bottom:.2em}"
           "h3{font-size:1em;margin:1.2em 0 .3em}p{margin:.4em "
           "0;overflow-wrap:anywhere;white-space:pre-line}"
           "pre{background:var(--box);padding:.7em;margin:.4em 0;white-space:pre-wrap;"
           "overflow-wrap:anywhere;font:13px/1.4 monospace}"
           ".state{font-weight:bold}.bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)"
           "}"
           ".soft{color:var(--soft)}.advice{border-left:4px solid var(--warn);padding:.3em .8em;"
           "background:var(--box)}"
           "table{border-collapse:collapse;width:100%}"
           "th,td{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;"
           "border-bottom:1px solid var(--line)}"
           "td:first-child{white-space:nowrap}td:last-child{overflow-wrap:anywhere;white-space:normal}"
           "th{font-weight:normal;color:var(--soft);white-space:nowrap}"
           "tr.bad td:nth-child(2){color:var(--bad);font-weight:bold}"
           "tr.event td:first-child{white-space:nowrap;width:1px;padding-right:1.5em}"
           ".key{margin-right:1em;white-space:nowrap}svg.chart{display:block;width:100%;height:auto}"
           ".pairs{display:grid;grid-template-columns:repeat(auto-fit,minmax(27em,1fr));gap:0 1em}"
           "@media print{body{margin:0;max-width:none}svg.chart,tr{break-inside:avoid}}"_s +
           svgChartStyle(SvgColours::LightAndDark);
}

/// Returns the text without characters that may not stand in XML.
static QString allowed(QString text)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text.at(at);
        const bool isPair = c.isHighSurrogate() && at + 1 < text.size() && text.at(at + 1).isLowSurrogate();
        if (isPair) {
            ++at;
            continue;
        }
        const bool isControl = c.unicode() < 0x20 && c != '\n'_L1 && c != '\t'_L1;
        if (isControl || c.isSurrogate() || c.unicode() >= 0xfffe || c.unicode() == 0x7f)
            text[at] = QChar::ReplacementCharacter;
    }
    return text;
}

PageWriter::PageWriter(const QString &title)
    : m_xml(&m_page)
{
    m_xml.writeDTD(u"<!DOCTYPE html>"_s);
    m_xml.writeCharacters(u"\n"_s);
    begin("html");
    m_xml.writeAttribute(u"lang"_s, tr("en", "language of a page, as BCP 47 has it"));
    begin("head");
    m_xml.writeEmptyElement(u"meta"_s);
    m_xml.writeAttribute(u"charset"_s, u"utf-8"_s);
    m_xml.writeEmptyElement(u"meta"_s);
    m_xml.writeAttribute(u"name"_s, u"viewport"_s);
    m_xml.writeAttribute(u"content"_s, u"width=device-width"_s);
    element("title", title);
    element("style", pageStyle());
    m_xml.writeEndElement();
    begin("body");
    element("h1", title);
}

void PageWriter::begin(const char *name, const char *kind)
{
    m_xml.writeStartElement(QLatin1String(name));
    if (kind)
        m_xml.writeAttribute(u"class"_s, QLatin1String(kind));
}

void PageWriter::text(const QString &text)
{
    // Writes the end even without text: HTML needs it.
    m_xml.writeCharacters(allowed(text));
}

void PageWriter::element(const char *name, const QString &content, const char *kind)
{
    begin(name, kind);
    text(content);
    m_xml.writeEndElement();
    m_xml.writeCharacters(u"\n"_s);
}

void PageWriter::paragraph(const QString &text, const char *kind)
{
    if (!text.isEmpty())
        element("p", text, kind);
}

void PageWriter::listing(const QStringList &lines)
{
    if (!lines.isEmpty())
        element("pre", lines.join('\n'_L1));
}

void PageWriter::facts(const QList<QPair<QString, QString>> &facts)
{
    begin("table");
    for (const auto &[name, value] : facts) {
        if (value.isEmpty())
            continue;
        begin("tr");
        element("th", name);
        element("td", value);
        m_xml.writeEndElement();
    }
    m_xml.writeEndElement();
}

void PageWriter::beginTable(const QStringList &headings)
{
    begin("table");
    begin("tr");
    for (const QString &heading : headings)
        element("th", heading);
    m_xml.writeEndElement();
}

void PageWriter::row(const QStringList &cells, const char *kind)
{
    begin("tr", kind);
    for (const QString &cell : cells)
        element("td", cell);
    m_xml.writeEndElement();
}

QByteArray PageWriter::finish()
{
    m_xml.writeEndElement();
    m_xml.writeEndElement();
    m_xml.writeCharacters(u"\n"_s);
    return m_page;
}

} // namespace rankdeck
