#pragma once

#include "replay/replayplayer.h"
#include "widgets/widgetparts.h"

#include <QPointer>

namespace rankdeck
{

class ElidedLabel;
class MarkedSlider;

/// Plays and pauses a replay, goes to another time in it, and shows the last event.
class ReplayBar : public QWidget
{
    Q_OBJECT

public:
    explicit ReplayBar(QWidget *parent = nullptr);

    /// Shows the bar for this player; hides it for null.
    void setPlayer(ReplayPlayer *player);
    /// Play, back and forth: for a menu, so that their keys act from anywhere.
    QList<QAction *> playActions() const { return {m_play, m_back, m_next}; }

Q_SIGNALS:
    /// Emitted when the user wants to see the present state of the run.
    void closeRequested();

private:
    /// Adds an action that calls `act` with the player, if there is one.
    QAction *addAction(const QString &text, const char *name, Qt::Key key, const char *icon,
                       void (*act)(ReplayPlayer &player));
    void layOut();
    void showPlaying();
    void showTime();
    void showSpeed();

    QPointer<ReplayPlayer> m_player;
    QAction *m_play;
    QAction *m_back;
    QAction *m_next;
    QToolButton *m_playButton = nullptr;
    MarkedSlider *m_slider;
    bool m_isPlaying = false;
    QLabel *m_time;
    QComboBox *m_speed;
    QPushButton *m_close;
    ElidedLabel *m_last; ///< The last mark.
};

} // namespace rankdeck
