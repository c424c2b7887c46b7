#include "terminal/screen/terminalscreen.h"

#include "canvas/cells/celltext.h"
#include "terminal/screen/terminalguard.h"
#include "terminal/screen/terminalkeys.h"

#include <vterm.h>

#include <algorithm>
#include <type_traits>

namespace rankdeck
{

namespace
{

/// The right half of a wide character, as libvterm marks it.
constexpr uint32_t rightHalf = static_cast<uint32_t>(-1);

LogColor fromVTerm(const VTermColor &color)
{
    if ((color.type & VTERM_COLOR_DEFAULT_MASK) != 0)
        return {};
    if (VTERM_COLOR_IS_INDEXED(&color))
        return {LogColor::Kind::Indexed, color.indexed.idx};
    return {LogColor::Kind::Rgb, static_cast<quint32>(color.rgb.red) << 16 |
                                     static_cast<quint32>(color.rgb.green) << 8 | color.rgb.blue};
}

VTermColor toVTerm(const LogColor &color, const VTermColor &usual)
{
    VTermColor result = usual;
    if (color.kind == LogColor::Kind::Indexed)
        vterm_color_indexed(&result, static_cast<uint8_t>(color.value));
    else if (color.kind == LogColor::Kind::Rgb)
        vterm_color_rgb(&result, static_cast<uint8_t>(color.value >> 16),
                        static_cast<uint8_t>(color.value >> 8), static_cast<uint8_t>(color.value));
    return result;
}

TerminalCell fromVTerm(const VTermScreenCell &cell)
{
    TerminalCell result;
    if (cell.chars[0] == rightHalf) {
        result.width = 0;
    } else {
        result.width = static_cast<quint8>(std::clamp<int>(cell.width, 1, 2));
        std::copy_n(cell.chars, result.characters.size(), result.characters.begin());
    }
    result.style.foreground = fromVTerm(cell.fg);
    result.style.background = fromVTerm(cell.bg);
    result.style.bold = cell.attrs.bold != 0;
    result.style.underline = cell.attrs.underline != VTERM_UNDERLINE_OFF;
    result.isInverse = cell.attrs.reverse != 0;
    return result;
}

VTermScreenCell toVTerm(const TerminalCell &cell, const VTermColor &foreground, const VTermColor &background)
{
    VTermScreenCell result{};
    if (cell.width == 0)
        result.chars[0] = rightHalf;
    else
        std::ranges::copy(cell.characters, std::begin(result.chars));
    result.width = static_cast<char>(std::max<quint8>(1, cell.width));
    result.attrs.bold = cell.style.bold ? 1U : 0U;
    result.attrs.underline = cell.style.underline ? VTERM_UNDERLINE_SINGLE : VTERM_UNDERLINE_OFF;
    result.attrs.reverse = cell.isInverse ? 1U : 0U;
    result.fg = toVTerm(cell.style.foreground, foreground);
    result.bg = toVTerm(cell.style.background, background);
    return result;
}

struct FreeTerminal {
    void operator()(VTerm *terminal) const { vterm_free(terminal); }
};

/// Ends an unfinished escape sequence (CAN).
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

/// libvterm keeps the other half of a half overwritten wide character; a cell before a right half is "wide".
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

/// As in logs, paths, numbers and dotted names are words.
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
        // The damage is not used; merged, it takes the least memory.
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
            self->takeTitle(value->string);
            break;
        default:
            break;
        }
        return 1;
    }

    /// @param part the whole one from libvterm 0.1; from newer versions the next fragment.
    template <typename Part>
    void takeTitle(const Part &part)
    {
        if constexpr (std::is_convertible_v<Part, const char *>) {
            titleBytes = part;
        } else {
            if (part.initial)
                titleBytes.clear();
            // A character takes four bytes at most.
            titleBytes.append(part.str,
                              std::min<qsizetype>(qsizetype(part.len), 4 * mostTitle - titleBytes.size()));
            if (!part.final)
                return;
        }
        title = harmless(QString::fromUtf8(titleBytes)).simplified().left(mostTitle);
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
            // A wide character does not fit into the last column.
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
        for (const TerminalGuard::Part &part : guard.parts(printed)) {
            feed(part.bytes);
            if (part.then == TerminalGuard::Part::Then::Repeat)
                repeat(part.count);
            else if (part.then == TerminalGuard::Part::Then::CheckCursor)
                bringCursorBack();
        }
    }

    /// Repeats the last character, at most to the end of the row.
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

    /// Moves the cursor back on the screen: a resize or a restored position may have put it outside.
    void bringCursorBack() const
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

    /// Resets the margins, as xterm does: libvterm would keep them outside of the screen.
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
    QByteArray titleBytes; ///< As far as it has come.
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
    // In pieces, to bound the memory of the answers.
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
    // Cancels an unfinished sequence and a chosen character set.
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
    const int row = int(number - topLine());
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
            text += '\n'_L1;
    }
    return text;
}

TerminalSelection wordAt(const TerminalScreen &screen, const TerminalScreen::Place &place)
{
    const TerminalLine line = screen.line(place.line);
    const auto count = int(line.cells.size());
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
    // Excludes the empty lines below the output.
    qint64 last = screen.endLine() - 1;
    while (last > screen.firstLine() && screen.line(last).cells.isEmpty())
        --last;
    return {{screen.firstLine(), 0}, {last, TerminalSelection::endOfLine}};
}

} // namespace rankdeck
