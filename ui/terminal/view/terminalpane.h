#pragma once

#include "background/remoteowner.h"
#include "logview/tilepane.h"
#include "run/terminalinput.h"
#include "terminal/terminalfollower.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QScrollBar;

namespace rankdeck
{

class ElidedLabel;
class TerminalView;

/// The terminal of one process, with a strip above it: whose it is, how that one is; and a line below it
/// where keys do not go to the process, that says why.
class TerminalPane : public TilePane
{
    Q_OBJECT

public:
    /// @param process its index in LaunchPlan::processes.
    explicit TerminalPane(int process, QWidget *parent = nullptr);
    ~TerminalPane() override;

    int process() const { return m_process; }
    TerminalView *view() const { return m_view; }
    /// Show what the process prints.
    void follow(RemoteOwner<TerminalFollower> follower);
    /// Show no more than what is shown. The follower's thread may end now.
    void stopFollowing();
    /// The process has no terminal; the sentence says how to get one.
    void showNone(const QString &sentence);
    /// Such as "rank 3 · device 3".
    void setTitle(const QString &title);
    /// Such as "running".
    void setState(const QString &state);
    /// How the process has ended, a sentence: it takes no keys any more. Empty: it lives.
    void setEnding(const QString &sentence);
    /// Whether keys from this window go to the process, and else who has the keyboard, such as "ada on
    /// node2". At first it is ours.
    void setKeyboard(bool isOurs, const QString &holder);
    /// Of the terminal's characters, in points.
    void setTextSize(qreal points);

Q_SIGNALS:
    /// Keys, answers of the emulator, and how large the terminal is shown.
    void typed(const rankdeck::TerminalInput &input);
    /// The user wants the keyboard.
    void keyboardWanted();

private:
    void takePart(const TerminalFollower::Part &part);
    void type(const QByteArray &bytes);
    void tellSize();
    void showStatus();
    void showKeyboard();
    void showBar();
    void showBarSoon();

    int m_process;
    QWidget *m_body;
    TerminalView *m_view;
    QScrollBar *m_bar;
    QLabel *m_none;
    QWidget *m_line; ///< Where keys do not go to the process.
    ElidedLabel *m_lineText;
    QPushButton *m_take;
    QTimer m_barTimer;
    RemoteOwner<TerminalFollower> m_follower;
    QString m_state;
    QString m_programTitle;
    QString m_ending;
    QString m_holder;
    bool m_hasStarted = false; ///< Once it is known how large it is shown.
    bool m_isOurs = true;
    bool m_wasFollowing = true;
    bool m_showingBar = false;
};

} // namespace rankdeck
