#include "terminal/terminalline.h"

#include <algorithm>

namespace rankdeck
{

QString TerminalCell::text() const
{
    if (width == 0)
        return {};
    if (characters[0] == 0)
        return QStringLiteral(" ");
    const auto end = std::find(characters.begin(), characters.end(), U'\0');
    return QString::fromUcs4(characters.data(), end - characters.begin());
}

QString TerminalLine::text(int begin, int end) const
{
    QString text;
    for (int at = std::max(0, begin); at < std::min(end, int(cells.size())); ++at)
        text += cells[at].text();
    if (end >= cells.size()) {
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
    }
    return text;
}

} // namespace rankdeck
