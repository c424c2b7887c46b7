#pragma once

#include "diagnosis/failureexplanation.h"
#include "run/runstate.h"

#include <QDialog>

class QLabel;

namespace rankdeck
{

class ExplanationBox;

/// Tells of a run's first failure: which rank, how it ended, what is known of its error, its last lines, and
/// what to do next. Not modal.
class FailureDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param state must have a failure.
    explicit FailureDialog(const RunState &state, QWidget *parent = nullptr);

    /// What has become of the run meanwhile; its failure is the same.
    void setState(const RunState &state);

    /// The plain text that Copy and Save report hand out. The explanation is in it once it is shown.
    const QString &report() const { return m_report; }

Q_SIGNALS:
    /// The user wants to read the failed rank's log; by index in LaunchPlan::processes.
    void openLog(int process);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void explain(const FailureExplanation &explanation);
    void fit();
    void showEnds();
    void copy();
    void chooseFile();
    void save(const QString &path);

    RunState m_state;
    FailureExplanation m_known; ///< Of its error, once that was looked up.
    QString m_report;
    QString m_suggestedName;
    ExplanationBox *m_explanation;
    QLabel *m_ending;
    QLabel *m_message;
    QSize m_fitted; ///< Its size as long as the user has not changed it.
    bool m_hasLog;  ///< Whether the failure is that of a process with a log.
};

} // namespace rankdeck
