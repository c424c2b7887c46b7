#pragma once

#include "replay/replayplayer.h"
#include "widgets/widgetparts.h"

#include <QPointer>
#include <QSlider>

namespace rankdeck
{

/// The time line of a replay. Its values are tenths of a second since the begin. The marks stand over the
/// groove; their texts are in tool tips.
class MarkedSlider : public QSlider
{
    Q_OBJECT

public:
    explicit MarkedSlider(QWidget *parent = nullptr);

    static constexpr int msOfStep = 100;

    void setMarks(const QDateTime &begin, const QDateTime &end, const QList<ReplayMark> &marks);
    /// Sets the steps that are written under the groove, as many as there is room for.
    void setSteps(const QList<ReplayStep> &steps);
    /// Returns the mark whose letter is at this place; null if there is none.
    const ReplayMark *markAt(const QPoint &place) const;

    QSize sizeHint() const override
    {
        return QSlider::sizeHint() + QSize(0, letterHeight() * (m_steps.isEmpty() ? 1 : 2));
    }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *) override { setSliderDown(false); }

private:
    int valueAt(int x) const;
    int placeOf(const QDateTime &time) const;
    void drawMarks(QPainter &painter) const;
    void drawSteps(QPainter &painter) const;
    int letterHeight() const { return fontMetrics().height(); }

    QDateTime m_begin;
    QList<ReplayStep> m_steps;
    QList<ReplayMark> m_marks; ///< The most important mark is last.
};

class ElidedLabel;

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
