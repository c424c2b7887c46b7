#pragma once

#include "background/inbackground.h"
#include "diagnosis/verdict/verdict.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// Keeps the verdict on the failure of one run for all views of a window, so that they agree. The verdict
/// from the record comes first; then the logs of all ranks are read in the background, and again when the run
/// has finished, unless its verdict is kept.
class VerdictWatch : public QObject
{
    Q_OBJECT

public:
    explicit VerdictWatch(QObject *parent = nullptr);

    /// @param recorded the verdict of a bundle; with it no logs are read.
    void setState(const RunState &state, const std::optional<Verdict> &recorded = std::nullopt);
    /// Another run will follow.
    void clear();

    /// Has no failure before the run has one.
    const Verdict &verdict() const { return m_verdict; }
    /// Returns true once the logs have been read.
    bool isDiagnosed() const { return m_isDiagnosed; }
    /// Returns true if the verdict is that of a bundle.
    bool isRecorded() const { return m_isRecorded; }

Q_SIGNALS:
    void changed();

private:
    void take(const Verdict &verdict);

    RunState m_state;
    Verdict m_verdict;
    bool m_isDiagnosed = false;
    bool m_isRecorded = false;
    NewestWins<Verdict> m_diagnosis;
};

} // namespace rankdeck
