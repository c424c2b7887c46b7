#include "rankdeckctl/top/textpane.h"

#include <algorithm>
#include <limits>

namespace rankdeck
{

bool TextPane::press(const Key &key)
{
    if (key.name == Key::Up)
        --m_top;
    else if (key.name == Key::Down)
        ++m_top;
    else if (key.name == Key::PageUp)
        m_top -= m_rows;
    else if (key.name == Key::PageDown)
        m_top += m_rows;
    else if (key.name == Key::Home)
        m_top = 0;
    else if (key.name == Key::End)
        m_top = std::numeric_limits<int>::max();
    else
        return false;
    m_top = std::max<qsizetype>(0, m_top);
    return true;
}

QList<ScreenLine> TextPane::lines(const QString &text, int cells, int rows)
{
    const QList<ScreenLine> lines = wrapped(text, cells);
    m_rows = std::max(1, rows);
    m_top = std::clamp<qsizetype>(m_top, 0, std::max<qsizetype>(0, lines.size() - m_rows));
    return lines.mid(m_top, m_rows);
}

} // namespace rankdeck
