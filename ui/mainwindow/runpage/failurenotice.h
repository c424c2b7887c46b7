#pragma once

#include "failure/verdictwatch.h"
#include "run/record/runstate.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace rankdeck
{

class FailureDialog;

/// Finds the verdict on the failure of the run that is shown, opens the error dialog, and keeps it up to
/// date.
class FailureNotice : public QObject
{
    Q_OBJECT

public:
    /// @param page parent of the dialog.
    explicit FailureNotice(QWidget *page);
    ~FailureNotice() override;

    /// Closes the dialog for another run.
    /// @param watched see RunPage::setSession().
    void reset(bool watched);
    /// @param recordedVerdict see RunSession::recordedVerdict().
    void setState(const RunState &state, const std::optional<Verdict> &recordedVerdict);
    /// Opens the dialog, or raises it; does nothing if the run has not failed.
    void show();

Q_SIGNALS:
    // See FailureDialog.
    void openLog(int process, const QString &file, qint64 line);
    void runAgainWanted();
    /// The verdict that all views show; see VerdictWatch.
    void verdictChanged(const rankdeck::Verdict &verdict, bool isDiagnosed);

private:
    QWidget *m_page;
    RunState m_state;
    VerdictWatch m_verdict;
    QPointer<FailureDialog> m_dialog;
    Failure m_shownFailure; ///< The one in m_dialog.
    bool m_watched = false; ///< A failure opens the dialog.
};

} // namespace rankdeck
