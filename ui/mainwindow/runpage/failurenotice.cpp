#include "mainwindow/runpage/failurenotice.h"

#include "failure/failuredialog.h"

namespace rankdeck
{

FailureNotice::FailureNotice(QWidget *page)
    : QObject(page)
    , m_page(page)
{
    connect(&m_verdict, &VerdictWatch::changed, this,
            [this] { Q_EMIT verdictChanged(m_verdict.verdict(), m_verdict.isDiagnosed()); });
}

FailureNotice::~FailureNotice() = default;

void FailureNotice::reset(bool watched)
{
    delete m_dialog;
    m_state = {};
    m_verdict.clear();
    m_watched = watched;
}

void FailureNotice::setState(const RunState &state, const std::optional<Verdict> &recordedVerdict)
{
    m_state = state;
    m_verdict.setState(state, recordedVerdict);
    m_watched = m_watched || (isLive(state.phase) && !state.failure);
    if (!state.failure)
        return;
    // At the run's end another rank may turn out to have failed first.
    if (m_dialog && *state.failure != m_shownFailure) {
        m_dialog->deleteLater();
        m_dialog.clear();
        show();
    } else if (m_dialog) {
        m_dialog->setState(state);
    }
    if (m_watched && state.plan->raiseOnFailure) {
        m_watched = false;
        show();
    }
}

void FailureNotice::show()
{
    if (!m_state.failure)
        return;
    if (!m_dialog) {
        m_dialog = new FailureDialog(m_state, m_page, &m_verdict);
        m_shownFailure = *m_state.failure;
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &FailureDialog::openLog, this, &FailureNotice::openLog);
        connect(m_dialog, &FailureDialog::runAgainWanted, this, &FailureNotice::runAgainWanted);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

} // namespace rankdeck
