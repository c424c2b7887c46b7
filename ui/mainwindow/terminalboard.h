#pragma once

#include <QList>
#include <QPointer>
#include <QWidget>

namespace rankdeck
{

class RunSession;
class TerminalTiles;
struct RunState;

/// The terminals of a run's ranks, and what is typed into them on its way to the run.
class TerminalBoard : public QWidget
{
    Q_OBJECT

public:
    explicit TerminalBoard(QWidget *parent = nullptr);

    TerminalTiles *tiles() const { return m_tiles; }
    /// Show the terminals of these processes; those without one say so. The session must live until clear().
    void show(RunSession &session, const QList<int> &processes);
    void clear();
    /// What became of the processes.
    void setState(const RunState &state);

private:
    TerminalTiles *m_tiles;
    QPointer<RunSession> m_session;
};

} // namespace rankdeck
