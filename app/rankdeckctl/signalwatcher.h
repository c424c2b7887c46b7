#pragma once

#include "runwatcher.h"

#include <QSet>

namespace rankdeck
{

/// Asks that a signal is sent to processes of a run and waits until there is an answer for each.
class SignalWatcher : public RunWatcher
{
    Q_OBJECT

public:
    /// @param request without processes: all ranks that run.
    SignalWatcher(const QString &runDirectory, SignalRequest request);

    /// Once it has run: to how many it was sent, and a sentence for each that did not get it.
    int sentTo() const { return m_sentTo; }
    const QStringList &problems() const { return m_problems; }

protected:
    void ask(RunClient &client, const RunState &state) override;
    bool take(const RunState &state, const RunState *before) override;

private:
    void answer(int process, const QString &problem);

    SignalRequest m_request;
    QSet<int> m_due;
    int m_sentTo = 0;
    QStringList m_problems;
};

} // namespace rankdeck
