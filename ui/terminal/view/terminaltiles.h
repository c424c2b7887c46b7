#pragma once

#include "background/remoteowner.h"
#include "run/terminalinput.h"
#include "terminal/terminalfollower.h"

#include <QList>
#include <QPointer>
#include <QString>
#include <QWidget>

#include <functional>

class QGridLayout;

namespace rankdeck
{

class TerminalPane;

/// One terminal to show.
struct TerminalTile {
    int process = 0; ///< By index in LaunchPlan::processes.
    QString title;
    QString logFile; ///< What it prints.
    /// Where it has no terminal: a sentence on how to get one.
    QString none;
};

/// Makes what reads a process's log, in a thread of its own.
using FollowTerminal = std::function<RemoteOwner<TerminalFollower>(int process)>;

/// One terminal, or several side by side in a grid that suits the area. Alt and arrows go from one to the
/// other.
class TerminalTiles : public QWidget
{
    Q_OBJECT

public:
    explicit TerminalTiles(QWidget *parent = nullptr);

    /// Show these, in this order. A pane whose process and log stay is kept. The threads of followers must
    /// live until other tiles are set.
    void setTiles(const QList<TerminalTile> &tiles, const FollowTerminal &follow);
    QList<int> processes() const;
    /// nullptr when it is not shown.
    TerminalPane *pane(int process) const;
    /// That has the focus or had it last, else the first one; nullptr when there is none.
    TerminalPane *currentPane() const;
    /// Of all panes, also of those to come; see TerminalPane.
    void setTextSize(qreal points);
    void setKeyboard(bool isOurs, const QString &holder);

Q_SIGNALS:
    void typed(const rankdeck::TerminalInput &input);
    void keyboardWanted();
    /// A pane's strip was double-clicked: the caller may show it alone, or all again.
    void activated(int process);
    /// See TerminalView.
    void zoomWanted(int steps);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Shown {
        TerminalPane *pane;
        QString logFile;
    };

    TerminalPane *makePane(const TerminalTile &tile, const FollowTerminal &follow);
    void arrange();
    void goToNeighbour(const TerminalPane *pane, int arrow);

    QGridLayout *m_grid;
    QList<Shown> m_shown;
    QPointer<TerminalPane> m_focused; ///< Last; may be one that is not shown any more.
    QString m_holder;
    bool m_isOurs = true;
    qreal m_textSize = 0; ///< Points; 0: as the window's.
    int m_columns = 0;
};

} // namespace rankdeck
