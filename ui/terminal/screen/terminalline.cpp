#include "terminal/screen/terminalline.h"

#include <algorithm>

namespace rankdeck
{

// Above the 21 bits of a code point.
constexpr char32_t characterMask = 0x1FFFFF;
constexpr int widthShift = 24;
constexpr char32_t widthMask = 3;
constexpr char32_t markFlag = 0x80000000;

QString TerminalCell::text() const
{
    if (width == 0)
        return {};
    if (characters[0] == 0)
        return u" "_s;
    const auto end = std::ranges::find(characters, U'\0');
    return QString::fromUcs4(characters.data(), end - characters.begin());
}

QString TerminalLine::text(int begin, int end) const
{
    QString text;
    for (int at = std::max(0, begin); at < std::min(end, int(cells.size())); ++at)
        text += cells[at].text();
    if (end >= cells.size()) {
        while (text.endsWith(' '_L1))
            text.chop(1);
    }
    return text;
}

void TerminalHistory::push(const TerminalLine &line)
{
    Packed packed;
    packed.isFull = line.isFull;
    packed.characters.reserve(std::size_t(line.cells.size()));
    for (const TerminalCell &cell : line.cells) {
        packed.characters.push_back((cell.characters[0] & characterMask) |
                                    (static_cast<char32_t>(cell.width) & widthMask) << widthShift);
        for (std::size_t mark = 1; mark < cell.characters.size() && cell.characters[mark] != 0; ++mark)
            packed.characters.push_back((cell.characters[mark] & characterMask) | markFlag);
        const Look look{cell.style, cell.isInverse};
        if (packed.looks.empty() || packed.looks.back().second != look)
            packed.looks.emplace_back(0, look);
        ++packed.looks.back().first;
    }
    packed.looks.shrink_to_fit();
    m_lines.push_back(std::move(packed));
    if (size() > mostLines) {
        m_lines.pop_front();
        ++m_dropped;
    }
}

TerminalLine TerminalHistory::pop()
{
    TerminalLine line = unpacked(m_lines.back());
    m_lines.pop_back();
    return line;
}

TerminalLine TerminalHistory::unpacked(const Packed &packed)
{
    TerminalLine line;
    line.isFull = packed.isFull;
    std::size_t marks = 0;
    for (const char32_t character : packed.characters) {
        if ((character & markFlag) != 0) {
            line.cells.last().characters.at(++marks) = character & characterMask;
            continue;
        }
        marks = 0;
        TerminalCell cell;
        cell.characters[0] = character & characterMask;
        cell.width = static_cast<quint8>(character >> widthShift & widthMask);
        line.cells.append(cell);
    }
    qsizetype at = 0;
    for (const auto &[count, look] : packed.looks) {
        for (const qsizetype end = at + count; at < end; ++at) {
            line.cells[at].style = look.style;
            line.cells[at].isInverse = look.isInverse;
        }
    }
    return line;
}

} // namespace rankdeck
