#pragma once

#include "run/process/terminal.h"
#include "terminal/screen/terminalline.h"

namespace rankdeck
{

/// The screen and history of a terminal, as libvterm interprets a program's output (UTF-8, as
/// xterm-256color). No widget, no file. Accepts any output; its memory is bounded.
///
/// Lines are numbered from 0 since the start, including those dropped from the history. The number of a line
/// may change when the screen is cleared, resized or used without a history (as by vim).
class TerminalScreen
{
public:
    /// Sizes are clamped to these.
    static constexpr TerminalSize leastSize{2, 2};
    static constexpr TerminalSize mostSize{500, 1000};
    static constexpr qsizetype mostTitle = 200;        ///< Characters.
    static constexpr qsizetype mostAnswers = 4 * 1024; ///< Bytes for one write().

    explicit TerminalScreen(const TerminalSize &size = {});
    ~TerminalScreen();

    /// Interprets a program's output. Returns the emulator's answers to it (cursor position, kind of
    /// terminal), for the program. Only one viewer may send them, and only for new output.
    QByteArray write(QByteArrayView bytes);
    /// Shows text of Rankdeck's own on a separate line.
    void remark(const QString &text);
    void resize(const TerminalSize &size);
    TerminalSize size() const;
    /// Clears the screen, the history and the state.
    void reset();

    /// The oldest line kept, the first one of the screen, and the one after its last.
    qint64 firstLine() const;
    qint64 topLine() const;
    qint64 endLine() const { return topLine() + size().rows; }
    /// Returns an empty line if there is none.
    TerminalLine line(qint64 number) const;

    struct Place {
        qint64 line = 0;
        int column = 0;
        auto operator<=>(const Place &) const = default;
    };
    /// Place of the cursor; nothing while the program hides it.
    std::optional<Place> cursor() const;
    /// Place of the cursor, hidden or not.
    Place cursorPlace() const;
    /// Whether a program uses the alternate screen, as vim and less do: lines do not go into the history.
    bool isAlternate() const;
    /// The title that the program set; without control characters.
    QString title() const;

    /// Returns the bytes of a key for the program; see isForProgram().
    QByteArray key(int key, Qt::KeyboardModifiers modifiers, const QString &text);
    /// Returns the bytes of pasted text, made harmless(); bracketed if the program asked for that.
    QByteArray paste(const QString &text);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// A selection in a terminal, from one border between cells to another.
struct TerminalSelection {
    using Place = TerminalScreen::Place;

    /// Greater than every column of a line; includes its end.
    static constexpr int endOfLine = 1 << 20;

    Place anchor;
    Place caret;

    bool isEmpty() const { return anchor == caret; }
    Place begin() const { return std::min(anchor, caret); }
    Place end() const { return std::max(anchor, caret); }
    /// Returns the selected cells of a line: the first, and the one after the last; equal if none are.
    std::pair<int, int> columnsOf(qint64 line) const;

    bool operator==(const TerminalSelection &) const = default;
};

/// Returns the selected text; lines that the terminal wrapped are joined, blanks at line ends removed.
QString textOf(const TerminalScreen &screen, const TerminalSelection &selection);
/// Select the word at a place, the whole line including its wrapped rows, and everything.
TerminalSelection wordAt(const TerminalScreen &screen, const TerminalScreen::Place &place);
TerminalSelection wholeLineAt(const TerminalScreen &screen, qint64 line);
TerminalSelection allOf(const TerminalScreen &screen);

} // namespace rankdeck
