#pragma once

#include "background/iothread.h"
#include "run/record/runrequests.h"
#include "terminal/screen/terminalfollower.h"
#include "widgets/tiles.h"

namespace rankdeck
{

class TerminalPane;

/// One terminal to show.
struct TerminalTile {
    int process = 0; ///< By index in LaunchPlan::processes.
    QString title;
    QString logFile; ///< Its output.
    /// A sentence on how to get a terminal; empty if it has one.
    QString none;
};

/// Makes the follower of a process's log, in a thread of its own.
using FollowTerminal = std::function<RemoteOwner<TerminalFollower>(int process)>;

/// One terminal, or several in a grid that suits the area. Alt and an arrow move the focus between them.
class TerminalTiles : public TilesOf<TerminalPane, TerminalTile, &TerminalTile::process>
{
    Q_OBJECT

public:
    using TilesOf::TilesOf;

    /// Shows these, in this order. Keeps panes whose process and log stay the same. The threads of followers
    /// must live until other tiles are set.
    void setTiles(const QList<TerminalTile> &tiles, const FollowTerminal &follow);
    QList<int> processes() const { return keys(); }
    /// Sets the font of all panes, also future ones.
    /// @param family empty: the usual one.
    void setText(const QString &family, qreal points);
    void setKeyboard(bool isOurs, const QString &holder);

Q_SIGNALS:
    void typed(const rankdeck::TerminalInput &input);
    void keyboardRequested();

private:
    TerminalPane *makePane(const TerminalTile &tile, const FollowTerminal &follow);
    void goToNeighbour(const TerminalPane *pane, int arrow);

    QString m_holder;
    bool m_isOurs = true;
    QString m_family;     ///< Empty: the usual one.
    qreal m_textSize = 0; ///< Points; 0: the window's.
};

} // namespace rankdeck
