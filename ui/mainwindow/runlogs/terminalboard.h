#pragma once

#include "background/remoteowner.h"
#include "debugger/rankanswers.h"
#include "run/keyboard.h"
#include "run/runstate.h"
#include "run/terminalinput.h"

#include <QList>
#include <QPointer>
#include <QWidget>

class QScrollBar;
class QToolButton;

namespace rankdeck
{

class AnswersView;
class CommandBar;
class RunSession;
class TerminalTiles;

/// The terminals of a run's ranks, a line that types into many of them at once, and what these answer.
class TerminalBoard : public QWidget
{
    Q_OBJECT

public:
    explicit TerminalBoard(QWidget *parent = nullptr);
    ~TerminalBoard() override;

    TerminalTiles *tiles() const { return m_tiles; }
    /// Show the terminals of these processes; those without one say so. The session must live until clear().
    void show(RunSession &session, const QList<int> &processes);
    void clear();
    /// What became of the processes.
    void setState(const RunState &state);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setKeyboard(const Keyboard &keyboard);
    void tellNow();
    void send(const QList<int> &processes, const QByteArray &bytes, bool isCommand);
    void takeAnswers(const QList<RankAnswer> &answers);
    void fitAnswers();
    void closeAnswers();

    TerminalTiles *m_tiles;
    QWidget *m_answersBox;
    AnswersView *m_answersView;
    QScrollBar *m_answersBar;
    CommandBar *m_commands;
    QPointer<RunSession> m_session;
    RunState m_state;
    RemoteOwner<RankAnswers> m_answers; ///< Of m_session.
    TerminalInput m_unsent;             ///< Typed once the answers to it are waited for.
};

} // namespace rankdeck
