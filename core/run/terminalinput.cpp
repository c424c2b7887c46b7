#include "run/terminalinput.h"

#include "numberranges.h"

#include <limits>

namespace rankdeck
{

namespace
{

std::optional<int> sideFrom(const QByteArray &text)
{
    bool isNumber = false;
    const int side = text.toInt(&isNumber);
    return isNumber && side >= 1 && side <= std::numeric_limits<quint16>::max() ? std::optional(side)
                                                                                : std::nullopt;
}

} // namespace

QByteArray TerminalInput::toLine() const
{
    const QByteArray who = ' ' + numberRanges(processes).toLatin1() + ' ';
    if (size)
        return "size" + who + QByteArray::number(size->rows) + 'x' + QByteArray::number(size->columns);
    return "type" + who + bytes.left(mostBytes).toBase64();
}

std::optional<TerminalInput> TerminalInput::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.split(' ');
    if (words.size() != 3 || (words[0] != "type" && words[0] != "size"))
        return std::nullopt;
    const auto processes = numbersFromRanges(QString::fromLatin1(words[1]));
    if (!processes)
        return std::nullopt;
    TerminalInput input{*processes, {}, {}};
    if (words[0] == "type") {
        const auto decoded =
            QByteArray::fromBase64Encoding(words[2], QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded)
            return std::nullopt;
        input.bytes = *decoded;
        return input;
    }
    const QList<QByteArray> sides = words[2].split('x');
    const auto rows = sideFrom(sides.first());
    const auto columns = sideFrom(sides.last());
    if (sides.size() != 2 || !rows || !columns)
        return std::nullopt;
    input.size = TerminalSize{*rows, *columns};
    return input;
}

} // namespace rankdeck
