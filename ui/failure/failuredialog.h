#pragma once

#include "failure/verdictwatch.h"
#include "widgets/widgetparts.h"

#include <QPointer>

namespace rankdeck
{

/// Returns the end of a run that failed without a failed rank: "Over since 2024-01-01 12:00:00. Its
/// processes: 6 ended, 1 exited, 1 still running." One more sentence if the end of some processes is unknown.
QString runEnding(const RunState &state);

/// Returns the index in LaunchPlan::processes of the process that failed; -1 if the failure names none.
int failedProcess(const RunState &state);

class VerdictTabs;

/// Explains a known error: its title with the catalogue's id, its meaning, advice, and commands that can be
/// selected. Hidden for an unknown error.
class ExplanationBox : public QFrame
{
    Q_OBJECT

public:
    explicit ExplanationBox(QWidget *parent = nullptr);

    void setExplanation(const FailureExplanation &explanation);

private:
    QLabel *m_title;
    QLabel *m_meaning;
    QLabel *m_mend;
    QLabel *m_commands;
    QLabel *m_problem;
};

/// Reports a run's first failure: which rank, why, what to do, and the evidence.
class FailureView : public QWidget
{
    Q_OBJECT

public:
    /// @param state must have a failure.
    /// @param watch knows the verdict, and gets each state first; null: the view finds it itself.
    /// @param more buttons besides the view's own.
    explicit FailureView(const RunState &state, QWidget *parent = nullptr, VerdictWatch *watch = nullptr,
                         QDialogButtonBox::StandardButtons more = QDialogButtonBox::NoButton);

    /// Updates the run's state; its failure must be the same.
    void setState(const RunState &state);

    /// Returns the plain text that is copied or saved.
    QString report() const;
    /// Returns true once the logs have been read.
    bool isDiagnosed() const { return m_watch->isDiagnosed(); }
    /// Returns the title of a window that shows this: "Rank 3 failed first - train".
    QString title() const { return tr("%1 - %2", "headline - run").arg(m_headline->text(), m_state.name); }
    /// Returns the height at this width that shows all text, and some lines of evidence.
    int heightFor(int width) const;
    QDialogButtonBox *buttons() const { return m_buttons; }

Q_SIGNALS:
    /// Emitted when the user wants to read a log.
    /// @param process index in LaunchPlan::processes.
    /// @param line from 0; -1 for none.
    void openLog(int process, const QString &file, qint64 line);
    void runAgainRequested();
    /// The verdict is another one.
    void changed();

private:
    void addButtons();
    void showVerdict();
    void takeVerdict();
    void showTabs();
    void showHead();
    void copy();
    void chooseFile();
    void save(const QString &path);

    RunState m_state;
    Verdict m_verdict;
    VerdictWatch *m_watch;
    bool m_ownsWatch;
    QString m_suggestedName;
    QLabel *m_headline;
    QLabel *m_place;
    QLabel *m_cause;
    QLabel *m_reason;
    ExplanationBox *m_explanation;
    QLabel *m_advice;
    VerdictTabs *m_tabs;
    QLabel *m_logFile;
    QLabel *m_ending;
    QLabel *m_message;
    QDialogButtonBox *m_buttons;
    QPushButton *m_openButton = nullptr;
    QPushButton *m_againButton = nullptr;
    bool m_hasLog; ///< The failure is that of a process with a log.
};

/// The view of a failure as a dialog, not modal. When a log is opened from it, it gets out of the log's way.
class FailureDialog : public QDialog
{
    Q_OBJECT

public:
    /// See FailureView.
    explicit FailureDialog(const RunState &state, QWidget *parent = nullptr, VerdictWatch *watch = nullptr);

    void setState(const RunState &state) { m_view->setState(state); }
    QString report() const { return m_view->report(); }
    bool isDiagnosed() const { return m_view->isDiagnosed(); }
    /// Moves to where it covers as little as possible of `area`, in global coordinates.
    void giveWay(const QRect &area);

Q_SIGNALS:
    // See FailureView.
    void openLog(int process, const QString &file, qint64 line);
    void runAgainRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();
    void keepOnScreen();

    FailureView *m_view;
    /// Another size is the user's: it stays. A busy X server may come back to an earlier one for a moment.
    QList<QSize> m_ownSizes;
};

/// Finds the verdict on the failure of the run that is shown, opens the error dialog, and keeps it up to
/// date.
class FailureNotice : public QObject
{
    Q_OBJECT

public:
    /// @param page parent of the dialog.
    explicit FailureNotice(QWidget *page);

    /// Closes the dialog for another run.
    /// @param watched see RunPage::setSession().
    void reset(bool watched);
    /// @param recordedVerdict see RunSession::recordedVerdict().
    void setState(const RunState &state, const std::optional<Verdict> &recordedVerdict);
    /// Opens the dialog, or raises it; does nothing if the run has not failed.
    void show();
    /// Returns the dialog's content, for a place in the window; null if the run has not failed.
    FailureView *view();
    /// Moves an open dialog away from `area`, in global coordinates.
    void giveWay(const QRect &area);

Q_SIGNALS:
    // See FailureDialog.
    void openLog(int process, const QString &file, qint64 line);
    void runAgainRequested();
    /// The verdict that all views show; see VerdictWatch.
    void verdictChanged(const rankdeck::Verdict &verdict, bool isDiagnosed);

private:
    QWidget *m_page;
    RunState m_state;
    VerdictWatch m_verdict;
    QPointer<FailureDialog> m_dialog;
    QPointer<FailureView> m_view;
    Failure m_shownFailure; ///< The one in m_dialog and m_view.
    bool m_watched = false; ///< A failure opens the dialog.
};

} // namespace rankdeck
