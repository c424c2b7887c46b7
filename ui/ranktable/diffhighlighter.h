#pragma once

#include <QSyntaxHighlighter>

namespace rankdeck
{

/// Tints the lines of a unified diff that came or went. Their "+" and "-" stay the sign.
class DiffHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setColors(const QPalette &palette);

protected:
    void highlightBlock(const QString &text) override;

private:
    QTextCharFormat m_added;
    QTextCharFormat m_removed;
    QTextCharFormat m_place;
};

} // namespace rankdeck
