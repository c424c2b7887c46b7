#include "terminal/terminalscreen.h"

#include "canvas/cellwidth.h"
#include "terminal/terminalguard.h"
#include "terminal/terminalkeys.h"
#include "terminal/vtermcell.h"

#include <vterm.h>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

struct FreeTerminal {
    void operator()(VTerm *terminal) const { vterm_free(terminal); }
};

/// Ends an escape sequence that was begun (CAN).
const QByteArray giveUp("\x18");

TerminalSize sizeOf(const VTerm *terminal)
{
    TerminalSize size;
    vterm_get_size(terminal, &size.rows, &size.columns);
    return size;
}

TerminalSize bounded(const TerminalSize &size)
{
    return {std::clamp(size.rows, TerminalScreen::leastSize.rows, TerminalScreen::mostSize.rows),
            std::clamp(size.columns, TerminalScreen::leastSize.columns, TerminalScreen::mostSize.columns)};
}

/// Where one half of a wide character was overwritten, libvterm keeps the other, and takes what stands before
/// a right half for a wide one.
void blankHalves(QList<TerminalCell> &cells)
{
    for (qsizetype column = 0; column < cells.size(); ++column) {
        TerminalCell &cell = cells[column];
        if (cell.width == 2 && (column + 1 == cells.size() || cellWidth(cell.characters[0]) < 2))
            cell.width = 1;
        else if (cell.width == 0 && (column == 0 || cells[column - 1].width != 2))
            cell = {{}, cell.style, cell.isInverse, 1};
    }
}

template <typename CellAt>
TerminalLine makeLine(int columns, CellAt cellAt)
{
    TerminalLine line;
    line.cells.reserve(columns);
    for (int column = 0; column < columns; ++column)
        line.cells.append(fromVTerm(cellAt(column)));
    blankHalves(line.cells);
    line.isFull = columns > 0 && (!line.cells.constLast().isBlank() || line.cells.constLast().width == 0);
    while (!line.cells.isEmpty() && line.cells.constLast().isEmpty())
        line.cells.removeLast();
    return line;
}

} // namespace

struct TerminalScreen::Private {
    explicit Private(const TerminalSize &size)
        : terminal(vterm_new(size.rows, size.columns))
        , screen(vterm_obtain_screen(terminal.get()))
        , state(vterm_obtain_state(terminal.get()))
    {
        vterm_set_utf8(terminal.get(), 1);
        vterm_output_set_callback(terminal.get(), &Private::takeOutput, this);
        callbacks.settermprop = &Private::setProperty;
        callbacks.sb_pushline = &Private::pushLine;
        callbacks.sb_popline = &Private::popLine;
        vterm_screen_set_callbacks(screen, &callbacks, this);
        vterm_screen_enable_altscreen(screen, 1);
        // Nobody looks at the damage; less of it is kept so.
        vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCREEN);
        vterm_screen_reset(screen, 1);
    }

    static void takeOutput(const char *bytes, size_t size, void *user)
    {
        static_cast<Private *>(user)->output.append(bytes, static_cast<qsizetype>(size));
    }

    static int setProperty(VTermProp property, VTermValue *value, void *user)
    {
        auto *const self = static_cast<Private *>(user);
        switch (property) {
        case VTERM_PROP_CURSORVISIBLE:
            self->isCursorVisible = value->boolean != 0;
            break;
        case VTERM_PROP_ALTSCREEN:
            self->isAlternate = value->boolean != 0;
            break;
        case VTERM_PROP_TITLE:
            self->title = harmless(QString::fromUtf8(value->string)).simplified().left(mostTitle);
            break;
        default:
            break;
        }
        return 1;
    }

    static int pushLine(int columns, const VTermScreenCell *cells, void *user)
    {
        static_cast<Private *>(user)->history.push(
            makeLine(columns, [cells](int column) -> const VTermScreenCell & { return cells[column]; }));
        return 1;
    }

    static int popLine(int columns, VTermScreenCell *cells, void *user)
    {
        auto *const self = static_cast<Private *>(user);
        if (self->history.size() == 0)
            return 0;
        const TerminalLine line = self->history.pop();
        VTermColor foreground;
        VTermColor background;
        vterm_state_get_default_colors(self->state, &foreground, &background);
        for (int column = 0; column < columns; ++column) {
            TerminalCell cell = column < line.cells.size() ? line.cells[column] : TerminalCell();
            // A wide character of which only one half has room is none.
            if (cell.width == 2 && column + 1 >= columns)
                cell = TerminalCell();
            cells[column] = toVTerm(cell, foreground, background);
        }
        return 1;
    }

    void feed(QByteArrayView bytes) const
    {
        vterm_input_write(terminal.get(), bytes.data(), static_cast<size_t>(bytes.size()));
    }

    void take(QByteArrayView printed)
    {
        const QList<TerminalGuard::Part> parts = guard.parts(printed);
        for (const TerminalGuard::Part &part : parts) {
            feed(part.bytes);
            if (part.then == TerminalGuard::Part::Then::Repeat)
                repeat(part.count);
            else if (part.then == TerminalGuard::Part::Then::LookAtCursor)
                takeCursorBack();
        }
    }

    /// As often as the row has room.
    void repeat(int count) const
    {
        VTermPos place{};
        vterm_state_get_cursorpos(state, &place);
        VTermScreenCell cell{};
        for (int left = place.col - 1; left >= 0; --left) {
            vterm_screen_get_cell(screen, {place.row, left}, &cell);
            const TerminalCell last = fromVTerm(cell);
            if (last.width == 0)
                continue;
            const TerminalSize size = sizeOf(terminal.get());
            feed(last.text().toUtf8().repeated(std::min(count, (size.columns - place.col) / last.width)));
            return;
        }
    }

    /// After a resize it may be above the screen, and restored it may be where a larger screen was.
    void takeCursorBack() const
    {
        const VTermPos place = cursorOnScreen();
        VTermPos now{};
        vterm_state_get_cursorpos(state, &now);
        if (now.row != place.row || now.col != place.col)
            placeCursor(place);
    }

    VTermPos cursorOnScreen() const
    {
        VTermPos place{};
        vterm_state_get_cursorpos(state, &place);
        const TerminalSize size = sizeOf(terminal.get());
        return {std::clamp(place.row, 0, size.rows - 1), std::clamp(place.col, 0, size.columns - 1)};
    }

    void placeCursor(const VTermPos &place) const
    {
        feed(giveUp + "\x1b[" + QByteArray::number(place.row + 1) + ';' + QByteArray::number(place.col + 1) +
             'H');
    }

    /// Margins go with the size, as xterm's do: libvterm would keep them where there is no screen any more.
    void resize(const TerminalSize &size) const
    {
        vterm_set_size(terminal.get(), size.rows, size.columns);
        const VTermPos place = cursorOnScreen();
        feed(giveUp + "\x1b[r\x1b[s\x1b[?69l");
        placeCursor(place);
    }

    std::unique_ptr<VTerm, FreeTerminal> terminal;
    VTermScreen *screen;
    VTermState *state;
    VTermScreenCallbacks callbacks{};
    TerminalGuard guard;
    TerminalHistory history;
    QByteArray output;
    QString title;
    bool isCursorVisible = true;
    bool isAlternate = false;
};

TerminalScreen::TerminalScreen(const TerminalSize &size)
    : d(std::make_unique<Private>(bounded(size)))
{
}

TerminalScreen::~TerminalScreen() = default;

QByteArray TerminalScreen::write(QByteArrayView bytes)
{
    QByteArray answers;
    // In pieces, so that what the answers take is bounded.
    constexpr qsizetype piece = 16 * 1024;
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        const QByteArrayView part = bytes.sliced(at, std::min(piece, bytes.size() - at));
        d->take(part);
        vterm_screen_flush_damage(d->screen);
        if (answers.size() + d->output.size() <= mostAnswers)
            answers += d->output;
        d->output.clear();
    }
    return answers;
}

void TerminalScreen::remark(const QString &text)
{
    // A sequence that was begun is given up, and a character set that was chosen.
    QByteArray bytes("\x18\x1b[0;90m\x0f");
    if (cursorPlace().column > 0)
        bytes += "\r\n";
    write(bytes + harmless(text).toUtf8() + "\x1b[0m\r\n");
}

void TerminalScreen::resize(const TerminalSize &size)
{
    const TerminalSize wanted = bounded(size);
    if (wanted == this->size())
        return;
    d->resize(wanted);
    vterm_screen_flush_damage(d->screen);
    d->output.clear();
}

TerminalSize TerminalScreen::size() const
{
    return sizeOf(d->terminal.get());
}

void TerminalScreen::reset()
{
    d = std::make_unique<Private>(size());
}

qint64 TerminalScreen::firstLine() const
{
    return d->history.dropped();
}

qint64 TerminalScreen::topLine() const
{
    return d->history.dropped() + d->history.size();
}

TerminalLine TerminalScreen::line(qint64 number) const
{
    const TerminalSize shown = size();
    if (number < firstLine() || number >= topLine() + shown.rows)
        return {};
    if (number < topLine())
        return d->history.line(number - firstLine());
    const int row = static_cast<int>(number - topLine());
    VTermScreenCell cell{};
    return makeLine(shown.columns, [&](int column) -> const VTermScreenCell & {
        vterm_screen_get_cell(d->screen, {row, column}, &cell);
        return cell;
    });
}

TerminalScreen::Place TerminalScreen::cursorPlace() const
{
    const VTermPos place = d->cursorOnScreen();
    return {topLine() + place.row, place.col};
}

std::optional<TerminalScreen::Place> TerminalScreen::cursor() const
{
    return d->isCursorVisible ? std::optional(cursorPlace()) : std::nullopt;
}

bool TerminalScreen::isAlternate() const
{
    return d->isAlternate;
}

QString TerminalScreen::title() const
{
    return d->title;
}

QByteArray TerminalScreen::key(int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    typeKey(d->terminal.get(), key, modifiers, text);
    return std::exchange(d->output, {});
}

QByteArray TerminalScreen::paste(const QString &text)
{
    const QByteArray bytes = harmless(text).toUtf8();
    vterm_keyboard_start_paste(d->terminal.get());
    const QByteArray begin = std::exchange(d->output, {});
    vterm_keyboard_end_paste(d->terminal.get());
    return begin + bytes + std::exchange(d->output, {});
}

} // namespace rankdeck
