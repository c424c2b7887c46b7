#pragma once

#include "base/result.h"
#include "rankdeckctl/top/screenline.h"
#include "run/process/unixsignals.h"

#include <QSize>

namespace rankdeck
{

/// A key that was pressed.
struct Key {
    enum Name { Text, Up, Down, Left, Right, PageUp, PageDown, Home, End, Enter, Escape, Tab, Backspace };

    Name name = Text;
    QString text = {}; ///< Characters of the key, for Text.
};

/// The terminal on standard input and output, full-screen for its lifetime.
class FullScreen : public QObject
{
    Q_OBJECT

public:
    /// Fails if there is no terminal, or if the terminal cannot show a full screen.
    static Result<std::unique_ptr<FullScreen>> open();
    ~FullScreen() override;

    QSize size() const;
    /// Draws the lines, from the top on; sends only changes.
    void draw(const QList<ScreenLine> &lines);

Q_SIGNALS:
    void pressed(const rankdeck::Key &key);
    void resized();
    /// The terminal is gone, or a signal asks the program to end.
    void closed();

private:
    struct Screen;
    explicit FullScreen(std::unique_ptr<Screen> screen);

    void readKeys();
    void onSignal(int number);
    void drawRun(const LogRun &run, bool isChosen) const;

    std::unique_ptr<Screen> m_screen;
    UnixSignals m_signals;
    QSocketNotifier m_keys;
};

} // namespace rankdeck
