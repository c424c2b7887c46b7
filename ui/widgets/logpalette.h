#pragma once

#include "log/ansidecoder.h"
#include "log/loglinehead.h"

#include <QColor>
#include <QPalette>

namespace rankdeck
{

/// `color`, moved towards black or white as far as it takes to be told from `behind`.
QColor legibleOn(const QColor &behind, const QColor &color, qreal leastRatio);

/// The colours of a log pane: the widget's own for plain text, and for what programs colour two small
/// palettes, one for light and one for dark surroundings. Text keeps a contrast ratio of 4.5 or more whatever
/// a program asks for.
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
    /// What matches outside the line that was gone to.
    QColor match() const { return m_match; }
    QColor matchText() const { return legibleOn(m_match, m_text, leastContrast); }
    /// Behind what stands out; plain text is legible on it. 0 .. highlightColors - 1.
    QColor highlight(int index) const;
    static constexpr int highlightColors = 6;
    /// Of a line that is a warning or worse and brings no colours of its own; legible on `behind`.
    QColor severityColor(LogSeverity severity, const QColor &behind) const;

    /// Invalid where the program asked for none.
    QColor background(const LogStyle &style) const;
    /// Legible on `behind`.
    QColor foreground(const LogStyle &style, const QColor &behind) const;

private:
    QColor m_base;
    QColor m_text;
    QColor m_muted;
    QColor m_selection;
    QColor m_selectedText;
    QColor m_foundLine;
    QColor m_foundMark;
    QColor m_match;
    bool m_dark = false;
};

} // namespace rankdeck
