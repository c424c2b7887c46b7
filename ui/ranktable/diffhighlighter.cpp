#include "ranktable/diffhighlighter.h"

#include "state/tone.h"

namespace rankdeck
{

void DiffHighlighter::setColors(const QPalette &palette)
{
    m_added.setBackground(toneBackground(Tone::Good, palette));
    m_added.setForeground(toneColor(Tone::Good, palette));
    m_removed.setBackground(toneBackground(Tone::Bad, palette));
    m_removed.setForeground(toneColor(Tone::Bad, palette));
    m_place.setForeground(quietColor(palette));
    rehighlight();
}

void DiffHighlighter::highlightBlock(const QString &text)
{
    const bool isFileName = text.startsWith(QLatin1String("--- ")) || text.startsWith(QLatin1String("+++ "));
    if (isFileName || text.startsWith(QLatin1String("@@")))
        setFormat(0, int(text.size()), m_place);
    else if (text.startsWith(QLatin1Char('+')))
        setFormat(0, int(text.size()), m_added);
    else if (text.startsWith(QLatin1Char('-')))
        setFormat(0, int(text.size()), m_removed);
}

} // namespace rankdeck
