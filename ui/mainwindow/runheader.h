#pragma once

#include "diagnosis/progress/progresswords.h"
#include "run/runstate.h"

#include <QTimer>
#include <QWidget>

class QPushButton;

namespace rankdeck
{

class CanvasLabel;
class ElidedLabel;
class ProgressLine;
class StallNotice;
class StateBadge;

/// Says which run is shown and how it is, and offers what can be done with it.
class RunHeader : public QWidget
{
    Q_OBJECT

public:
    explicit RunHeader(QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// How far its training is; a line for it is there once something is known.
    void setProgress(const RunProgress &progress);

Q_SIGNALS:
    void stopWanted();
    void killWanted();
    void runAgainWanted();
    void showErrorWanted();
    void dumpWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void updateElapsed();
    void updateProgress();

    RunState m_state;
    RunProgress m_runProgress;
    ElidedLabel *m_name;
    StateBadge *m_badge;
    CanvasLabel *m_elapsed;
    ElidedLabel *m_details;
    ProgressLine *m_progress;
    StallNotice *m_stall;
    QPushButton *m_stop;
    QPushButton *m_kill;
    QPushButton *m_runAgain;
    QPushButton *m_showError;
    QTimer m_clock; ///< Runs only while the run is live and the header is visible.
};

} // namespace rankdeck
