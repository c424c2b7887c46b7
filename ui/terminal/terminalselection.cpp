#include "terminal/terminalselection.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// As in logs: paths, numbers and dotted names are words.
bool isOfWord(const TerminalCell &cell)
{
    const char32_t character = cell.characters[0];
    return character != 0 && (QChar::isLetterOrNumber(character) || cell.width == 2 ||
                              QStringView(u"_-./~:@%+").contains(QChar(char16_t(character))));
}

bool isOfWord(const TerminalLine &line, int column)
{
    const TerminalCell &cell = line.cells.at(column);
    return cell.width == 0 && column > 0 ? isOfWord(line.cells.at(column - 1)) : isOfWord(cell);
}

} // namespace

std::pair<int, int> TerminalSelection::columnsOf(qint64 line) const
{
    const Place first = begin();
    const Place last = end();
    if (isEmpty() || line < first.line || line > last.line)
        return {0, 0};
    return {line == first.line ? first.column : 0, line == last.line ? last.column : endOfLine};
}

QString textOf(const TerminalScreen &screen, const TerminalSelection &selection)
{
    QString text;
    const qint64 last = std::min(selection.end().line, screen.endLine() - 1);
    for (qint64 number = std::max(selection.begin().line, screen.firstLine()); number <= last; ++number) {
        const TerminalLine line = screen.line(number);
        const auto [begin, end] = selection.columnsOf(number);
        text += line.text(begin, end);
        if (number < last && !line.isFull)
            text += QLatin1Char('\n');
    }
    return text;
}

TerminalSelection wordAt(const TerminalScreen &screen, const TerminalScreen::Place &place)
{
    const TerminalLine line = screen.line(place.line);
    const auto count = static_cast<int>(line.cells.size());
    if (place.column >= count || !isOfWord(line, place.column))
        return {place, place};
    int begin = place.column;
    int end = place.column;
    while (begin > 0 && isOfWord(line, begin - 1))
        --begin;
    while (end < count && isOfWord(line, end))
        ++end;
    return {{place.line, begin}, {place.line, end}};
}

TerminalSelection wholeLineAt(const TerminalScreen &screen, qint64 line)
{
    qint64 first = line;
    qint64 last = line;
    while (first > screen.firstLine() && screen.line(first - 1).isFull)
        --first;
    while (last + 1 < screen.endLine() && screen.line(last).isFull)
        ++last;
    return {{first, 0}, {last, TerminalSelection::endOfLine}};
}

TerminalSelection allOf(const TerminalScreen &screen)
{
    // The empty lines below what was printed are no text.
    qint64 last = screen.endLine() - 1;
    while (last > screen.firstLine() && screen.line(last).cells.isEmpty())
        --last;
    return {{screen.firstLine(), 0}, {last, TerminalSelection::endOfLine}};
}

} // namespace rankdeck
