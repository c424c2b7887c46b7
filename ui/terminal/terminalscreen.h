#pragma once

#include "run/terminal.h"
#include "terminal/terminalhistory.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

namespace rankdeck
{

/// What a terminal shows: the output of a program as libvterm understands it (UTF-8, as xterm-256color), with
/// the lines that have left it at the top. No widget, no file. Whatever a program prints is taken; what
/// it makes the emulator keep is bounded.
///
/// Lines are numbered from 0 since the beginning, those that were dropped from the history counted in; a
/// number may come to mean another line while the screen is cleared, resized or used without a history (as by
/// vim).
class TerminalScreen
{
public:
    /// Larger and smaller sizes are taken as these.
    static constexpr TerminalSize leastSize{2, 2};
    static constexpr TerminalSize mostSize{500, 1000};
    static constexpr qsizetype mostTitle = 200;        ///< Characters.
    static constexpr qsizetype mostAnswers = 4 * 1024; ///< Bytes for one write().

    explicit TerminalScreen(const TerminalSize &size = {});
    ~TerminalScreen();
    Q_DISABLE_COPY_MOVE(TerminalScreen)

    /// Take what the program printed; returns what the emulator answers to it (where the cursor is, what kind
    /// of terminal this is), for the program. An answer is wanted once: only for what has just been printed,
    /// and by one of those who watch.
    QByteArray write(QByteArrayView bytes);
    /// Text of our own between what the program printed, on a line of its own.
    void remark(const QString &text);
    void resize(const TerminalSize &size);
    TerminalSize size() const;
    /// As at the beginning, without a history.
    void reset();

    /// The oldest line there is, the first one of the screen, and the one behind its last.
    qint64 firstLine() const;
    qint64 topLine() const;
    qint64 endLine() const { return topLine() + size().rows; }
    /// Empty where there is none.
    TerminalLine line(qint64 number) const;

    struct Place {
        qint64 line = 0;
        int column = 0;
        bool operator==(const Place &) const = default;
    };
    /// Nothing while the program hides it.
    std::optional<Place> cursor() const;
    /// The same, hidden or not.
    Place cursorPlace() const;
    /// A program uses the whole screen, as vim and less do: no line goes into the history.
    bool isAlternate() const;
    /// As the program set it; without control characters.
    QString title() const;

    /// What a key sends to the program; see isForProgram().
    QByteArray key(int key, Qt::KeyboardModifiers modifiers, const QString &text);
    /// What text from the clipboard sends: see harmless(); in brackets where the program asked for it.
    QByteArray paste(const QString &text);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankdeck
