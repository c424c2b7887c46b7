#pragma once

#include "background/iothread.h"
#include "debugger/rankanswers.h"
#include "run/record/runrequests.h"
#include "run/record/runstate.h"

#include <QPointer>
#include <QWidget>

class QScrollBar;

namespace rankdeck
{

class AnswersView;
class CommandBar;
class RunSession;
class TerminalTiles;

/// The terminals of a run's ranks, a line that types commands into many of them at once, and their answers.
class TerminalBoard : public QWidget
{
    Q_OBJECT

public:
    explicit TerminalBoard(QWidget *parent = nullptr);
    ~TerminalBoard() override;

    TerminalTiles *tiles() const { return m_tiles; }
    /// Shows these processes' terminals, a note for one without. The session must live until clear().
    void show(RunSession &session, const QList<int> &processes);
    void clear();
    void setState(const RunState &state);

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        fitAnswers();
    }

private:
    void setKeyboard(const Keyboard &keyboard);
    void send(const QList<int> &processes, const QByteArray &bytes, bool isCommand);
    void takeAnswers(const QList<RankAnswer> &answers);
    void fitAnswers();

    TerminalTiles *m_tiles;
    QWidget *m_answersBox;
    AnswersView *m_answersView;
    QScrollBar *m_answersBar;
    CommandBar *m_commands;
    QPointer<RunSession> m_session;
    RunState m_state;
    RemoteOwner<RankAnswers> m_answers; ///< Collected by m_session.
    TerminalInput m_unsent;             ///< A command, typed once its answers are being collected.
};

} // namespace rankdeck
