#pragma once

#include "background/iothread.h"
#include "base/oneshottimer.h"
#include "run/record/runrequests.h"
#include "terminal/screen/terminalfollower.h"
#include "widgets/tiles.h"

namespace rankdeck
{

class ElidedLabel;
class TerminalView;

/// The terminal of one process, with a strip above it (title and state) and, while keys do not go to the
/// process, a line below with the reason.
class TerminalPane : public TilePane
{
    Q_OBJECT

public:
    /// @param process its index in LaunchPlan::processes.
    explicit TerminalPane(int process, QWidget *parent = nullptr);

    int process() const { return m_process; }
    TerminalView *view() const { return m_view; }
    /// Shows the output of the process.
    void follow(RemoteOwner<TerminalFollower> follower);
    /// Also stops reading: the follower's thread may end now.
    void retire() override;
    /// Shows that the process has no terminal; the sentence explains how to get one.
    void showNone(const QString &sentence);
    /// Sets the title, such as "rank 3 · device 3".
    void setTitle(const QString &title);
    /// Sets the state, such as "running".
    void setState(const QString &state)
    {
        m_state = state;
        showStatus();
    }
    /// Sets the sentence on how the process ended: it takes no keys any more. Empty: it is alive.
    void setEnding(const QString &sentence)
    {
        m_ending = sentence;
        showKeyboard();
    }
    /// Sets whether keys from this window go to the process, as at first; if not, `holder` ("ada on node2")
    /// has the keyboard.
    void setKeyboard(bool isOurs, const QString &holder);
    /// Sets the size of the characters, in points.
    /// @param family empty: the usual one.
    void setText(const QString &family, qreal points);

Q_SIGNALS:
    /// Keys, answers of the emulator, and the size of the terminal.
    void typed(const rankdeck::TerminalInput &input);
    /// The user asked for the keyboard.
    void keyboardRequested();

private:
    void showPart(const TerminalFollower::Part &part);
    void reportSize();
    void showStatus();
    void showKeyboard();
    void showBar();
    void showBarSoon();

    int m_process;
    QWidget *m_body;
    TerminalView *m_view;
    QScrollBar *m_bar;
    QLabel *m_none;
    QWidget *m_line; ///< Shown while keys do not go to the process.
    ElidedLabel *m_lineText;
    QPushButton *m_take;
    OneShotTimer m_barTimer;
    RemoteOwner<TerminalFollower> m_follower;
    QString m_state;
    QString m_programTitle;
    QString m_ending;
    QString m_holder;
    bool m_hasStarted = false; ///< The follower was started, after the first size was known.
    bool m_isOurs = true;
    bool m_wasFollowing = true;
    bool m_showingBar = false;
};

} // namespace rankdeck
