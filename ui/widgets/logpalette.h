#pragma once

#include "log/line/ansidecoder.h"
#include "log/line/loglinereader.h"

#include <QColor>
#include <QPalette>

namespace rankdeck
{

/// Returns `color`, moved towards black or white until its contrast to `behind` is `leastRatio`.
QColor legibleOn(const QColor &behind, const QColor &color, qreal leastRatio);

/// The colours of a log pane: the widget's own for plain text, and a light and a dark palette for the colours
/// that programs ask for. The contrast of text is always 4.5 or more.
class LogPalette
{
public:
    static constexpr qreal leastContrast = 4.5;

    explicit LogPalette(const QPalette &palette = QPalette());

    QColor base() const { return m_base; }
    QColor text() const { return m_text; }
    QColor muted() const { return m_muted; }
    QColor selection() const { return m_selection; }
    QColor selectedText() const { return m_selectedText; }
    QColor foundLine() const { return m_foundLine; }
    QColor foundMark() const { return m_foundMark; }
    /// Background of a line of a standard error.
    QColor errorLine() const { return m_errorLine; }
    /// Background of a match outside the current line.
    QColor match() const { return m_match; }
    QColor matchText() const { return legibleOn(m_match, m_text, leastContrast); }
    /// Returns a background for highlights, with plain text legible on it. `index`: 0 .. highlightColors - 1.
    QColor highlight(int index) const;
    static constexpr int highlightColors = 6;
    /// Returns the colour of a line that is a warning or worse without its own colours; legible on `behind`.
    QColor severityColor(LogSeverity severity, const QColor &behind) const;

    /// Returns an invalid colour if the program asked for none.
    QColor background(const LogStyle &style) const;
    /// Returns the text colour, legible on `behind`.
    QColor foreground(const LogStyle &style, const QColor &behind) const;
    /// Returns the colour of rankColor(), legible on `behind`.
    QColor ofRank(int member, const QColor &behind) const;

private:
    QColor m_base;
    QColor m_text;
    QColor m_muted;
    QColor m_selection;
    QColor m_selectedText;
    QColor m_foundLine;
    QColor m_foundMark;
    QColor m_errorLine;
    QColor m_match;
    bool m_dark = false;
};

} // namespace rankdeck
