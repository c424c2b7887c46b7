#pragma once

#include "runwatcher.h"

namespace rankdeck
{

/// Asks for the end of some processes of a run and waits until they have ended, while the run goes on.
class StopWatcher : public RunWatcher
{
    Q_OBJECT

public:
    /// @param request names processes of the run.
    StopWatcher(const QString &runDirectory, StopRequest request);

protected:
    void ask(RunClient &client, const RunState &state) override;
    bool take(const RunState &state, const RunState *before) override;

private:
    StopRequest m_request;
};

} // namespace rankdeck
