// What a program in a terminal prints, however it is cut: libvterm survives it, and what is kept is bounded.
// A byte 0x1E, which does nothing in a terminal, has the next two resize it.

#include "demand.h"
#include "terminal/screen/terminalscreen.h"

#include <algorithm>
#include <cstdint>

using namespace rankdeck;

namespace
{

constexpr char resizes = '\x1e';

void show(TerminalScreen &screen, QByteArrayView text, qsizetype piece)
{
    while (!text.isEmpty()) {
        const qsizetype mark = text.indexOf(resizes);
        const QByteArrayView printed = text.first(mark < 0 ? text.size() : mark);
        for (qsizetype at = 0; at < printed.size(); at += piece) {
            const QByteArray answers = screen.write(printed.sliced(at, std::min(piece, printed.size() - at)));
            demand(answers.size() <= TerminalScreen::mostAnswers);
        }
        if (mark < 0 || text.size() < mark + 3)
            return;
        screen.resize({static_cast<std::uint8_t>(text[mark + 1]), static_cast<std::uint8_t>(text[mark + 2])});
        text = text.sliced(mark + 3);
    }
}

void look(const TerminalScreen &screen)
{
    const TerminalSize size = screen.size();
    demand(screen.cursorPlace().column < size.columns && screen.cursorPlace().line < screen.endLine());
    demand(screen.topLine() - screen.firstLine() <= TerminalHistory::mostLines);
    demand(screen.title().size() <= TerminalScreen::mostTitle);
    for (qint64 line = screen.topLine(); line < screen.endLine(); ++line)
        demand(screen.line(line).cells.size() <= size.columns);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const QByteArrayView text(reinterpret_cast<const char *>(data) + 1, static_cast<qsizetype>(size) - 1);
    TerminalScreen screen({6, 20});
    show(screen, text, 1 + data[0]);
    look(screen);
    return 0;
}
