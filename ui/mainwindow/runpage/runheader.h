#pragma once

#include "base/oneshottimer.h"
#include "canvas/widget/canvaswidget.h"
#include "diagnosis/progress/rankprogress.h"
#include "diagnosis/verdict/verdict.h"
#include "run/record/runstate.h"
#include "widgets/widgetparts.h"

#include <QAction>
#include <QTimer>

namespace rankdeck
{

/// Returns the name of a run; a directory of logs is named with its parent, because most are called "log".
QString shownName(const RunState &state);

class ElidedLabel;
class StallNotice;
class StateBadge;

/// The actions that a run's present state allows. Used by the header's buttons and the menu.
struct RunAbilities {
    bool stop = false;
    bool kill = false;
    bool runAgain = false;
    bool showError = false;

    static RunAbilities of(const RunState &state)
    {
        const bool live = state.plan && state.isLiveNow();
        return {live && state.phase != RunPhase::Stopping, live, state.spec && !state.seenAt.isValid(),
                state.hasTrouble()};
    }
};

/// Progress of a run's training: a bar, if its end is known, and a text. Only changes are drawn, which
/// through a network is a few bytes per step.
class ProgressLine : public CanvasWidget
{
    Q_OBJECT

public:
    explicit ProgressLine(QWidget *parent = nullptr);

    /// @param fraction 0 .. 1; empty for no bar.
    void setProgress(std::optional<double> fraction, const QString &text);
    const QString &text() const { return m_text; }
    /// Area of the bar; empty if there is none.
    QRect barRect() const;
    QRect filledRect() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;

private:
    std::optional<double> m_fraction;
    QString m_text;
    QRect m_drawnBar;
    QRect m_drawnFilled;
    QString m_drawnText;
};

/// Shows that a report bundle is being unpacked, which can be cancelled, and then where and when it was made.
class BundleLine : public QWidget
{
    Q_OBJECT

public:
    explicit BundleLine(QWidget *parent = nullptr);

    /// Shows the line a moment later: a small bundle is unpacked by then.
    void setUnpacking(const QString &path);
    void setOrigin(const QString &sentence);
    /// Hides the line.
    void clear();

Q_SIGNALS:
    void cancelRequested();

private:
    ElidedLabel *m_text;
    QPushButton *m_cancel;
    OneShotTimer m_moment{300}; ///< Until the line shows: most bundles are read sooner.
};

/// Shown in place of a run that cannot be shown, with the reason.
class NothingShown : public QWidget
{
    Q_OBJECT

public:
    explicit NothingShown(QWidget *parent = nullptr);

    /// @param path of what should have been shown.
    void setProblem(const QString &path, const QString &sentence);

Q_SIGNALS:
    void openRequested();
    void closeRequested();

private:
    QLabel *m_title;
    QLabel *m_text;
};

/// Explains the present scene of a demo in one sentence. The user can turn such captions off, for all demos.
class CaptionLine : public QFrame
{
    Q_OBJECT

public:
    explicit CaptionLine(QWidget *parent = nullptr);

    /// Empty hides the line.
    void setCaption(const QString &caption);
    /// Turns captions on and off; kept for the next window.
    QAction *action() const { return m_action; }

private:
    void showText() { setVisible(m_action->isChecked() && !m_text->text().isEmpty()); }

    QLabel *m_text;
    QAction *m_action;
};

/// Shows the name and state of the run, and buttons to act on it.
class RunHeader : public QWidget
{
    Q_OBJECT

public:
    explicit RunHeader(QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// Sets the verdict that all views show.
    /// @param isDiagnosed false while the logs are still being read.
    void setVerdict(const Verdict &verdict, bool isDiagnosed);
    /// Sets the progress of the training; the line for it is shown once there is any.
    void setProgress(const RunProgress &progress);
    /// Shows all notes of the journal.
    void showNotes();
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stopRequested();
    void killRequested();
    void runAgainRequested();
    void showErrorRequested();
    void dumpRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void updateDetails();
    void updateElapsed();
    void updateProgress();

    RunState m_state;
    Verdict m_verdict;
    bool m_isDiagnosed = false;
    RunProgress m_runProgress;
    ElidedLabel *m_name;
    StateBadge *m_badge;
    CanvasLabel *m_elapsed;
    QToolButton *m_notes; ///< How many there are.
    ElidedLabel *m_details;
    ProgressLine *m_progress;
    StallNotice *m_stall;
    QWidget *m_buttons; ///< Holds the following; hidden where there is little room.
    QPushButton *m_stop;
    QPushButton *m_kill;
    QPushButton *m_runAgain;
    QPushButton *m_showError;
    QTimer m_clock; ///< Runs only while the run is live and the header is visible.
};

} // namespace rankdeck
