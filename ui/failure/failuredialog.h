#pragma once

#include "background/newestwins.h"
#include "diagnosis/verdict/verdict.h"
#include "run/runstate.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;

namespace rankdeck
{

class ExplanationBox;
class VerdictTabs;

/// Tells of a run's first failure: which rank, why, what to do, and what that rests on. What is known at once
/// is shown at once; meanwhile the logs of all ranks are read, and again when the run has ended. Not modal.
class FailureDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param state must have a failure.
    /// @param recorded the verdict of a bundle, which is shown as it is; nothing is read then.
    explicit FailureDialog(const RunState &state, QWidget *parent = nullptr,
                           const std::optional<Verdict> &recorded = std::nullopt);

    /// What has become of the run meanwhile; its failure is the same.
    void setState(const RunState &state);

    /// The plain text that Copy and Save report hand out.
    QString report() const;
    /// Whether the logs have been read.
    bool isDiagnosed() const { return m_isDiagnosed; }

Q_SIGNALS:
    /// The user wants to read a log, by index in LaunchPlan::processes, at a line (0-based; -1: none).
    void openLog(int process, const QString &file, qint64 line);
    void runAgainWanted();

private:
    void diagnoseAgain();
    void takeVerdict(const Verdict &verdict, bool isDiagnosed);
    void showHead();
    void fit();
    void copy();
    void chooseFile();
    void save(const QString &path);

    RunState m_state;
    Verdict m_verdict;
    bool m_isDiagnosed = false;
    NewestWins<Verdict> m_diagnosis;
    QString m_suggestedName;
    QLabel *m_headline;
    QLabel *m_place;
    QLabel *m_cause;
    QLabel *m_reason;
    ExplanationBox *m_explanation;
    QLabel *m_advice;
    VerdictTabs *m_tabs;
    QLabel *m_ending;
    QLabel *m_message;
    QPushButton *m_openButton;
    QPushButton *m_againButton;
    QSize m_fitted; ///< Its size as long as the user has not changed it.
    bool m_hasLog;  ///< Whether the failure is that of a process with a log.
};

} // namespace rankdeck
