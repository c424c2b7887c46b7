#include "failure/verdictwatch.h"

#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"

namespace rankdeck
{

VerdictWatch::VerdictWatch(QObject *parent)
    : QObject(parent)
    , m_diagnosis(this, [this](const Verdict &verdict) { take(verdict); })
{
}

void VerdictWatch::clear()
{
    m_state = {};
    m_verdict = {};
    m_isDiagnosed = false;
    m_isRecorded = false;
}

void VerdictWatch::setState(const RunState &state, const std::optional<Verdict> &recorded)
{
    const bool isOther = state.directory != m_state.directory || state.failure != m_state.failure ||
                         state.hasTrouble() != m_state.hasTrouble();
    // Ranks that are being ended may still write important lines.
    const bool hasEnded = isLive(m_state.phase) && !isLive(state.phase);
    m_state = state;
    if (!state.hasTrouble()) {
        m_isDiagnosed = false;
        if (std::exchange(m_verdict, {}).hasFailure)
            Q_EMIT changed(); // The rank was started again.
        return;
    }
    if (isOther) {
        m_isRecorded = recorded.has_value();
        m_isDiagnosed = m_isRecorded;
        // Reads no files: the user's catalogue and the logs follow in the background.
        m_verdict = recorded && recorded->hasFailure ? *recorded : firstSight(state, nullptr, QLocale());
        Q_EMIT changed();
    }
    if (!m_isRecorded && (isOther || hasEnded))
        m_diagnosis.ask([state](const NewestWins<Verdict>::IsCancelled &isCancelled) {
            return verdictOf(state, isCancelled);
        });
}

void VerdictWatch::take(const Verdict &verdict)
{
    // The verdict may belong to the run before.
    if (!m_state.hasTrouble() || m_isRecorded)
        return;
    m_isDiagnosed = true;
    // If the rules find no failure in the logs, the first verdict stays.
    if (verdict.hasFailure)
        m_verdict = verdict;
    Q_EMIT changed();
}

} // namespace rankdeck
