#pragma once

#include "base/tr.h"

#include <QXmlStreamWriter>

namespace rankdeck
{

/// Writes an HTML page that loads nothing and needs no script. Escapes text; what XML forbids becomes U+FFFD.
class PageWriter
{
public:
    /// Writes the head of the page, and its title as a heading.
    explicit PageWriter(const QString &title);

    void heading(const QString &text) { element("h2", text); }
    void subheading(const QString &text) { element("h3", text); }
    /// Writes nothing if the text is empty. Lines of the text stay lines.
    void paragraph(const QString &text, const char *kind = nullptr);
    /// Writes lines unchanged; writes nothing if there are none.
    void listing(const QStringList &lines);
    /// Writes a table of two columns, a name and its value, without the rows whose value is empty.
    void facts(const QList<QPair<QString, QString>> &facts);
    /// Begins a table; then follows row() for each row, and endTable().
    void beginTable(const QStringList &headings);
    /// @param kind class of the row; may be null.
    void row(const QStringList &cells, const char *kind = nullptr);
    void endTable() { m_xml.writeEndElement(); }
    /// Writes an element with text. @param kind its class; may be null.
    void element(const char *name, const QString &content, const char *kind = nullptr);

    /// Begins an element, for others in it, and ends it.
    void begin(const char *name, const char *kind = nullptr);
    void end() { m_xml.writeEndElement(); }

    /// For charts and other elements in between.
    QXmlStreamWriter &xml() { return m_xml; }

    /// Ends the page and returns it. Call it once, last.
    QByteArray finish();

private:
    void text(const QString &text);

    QByteArray m_page;
    QXmlStreamWriter m_xml;
};

} // namespace rankdeck
