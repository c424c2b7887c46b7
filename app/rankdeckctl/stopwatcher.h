#pragma once

#include "run/runclient.h"

#include <QObject>

#include <optional>

namespace rankdeck
{

/// Asks for the end of some processes of a run and waits until they have ended, while the run goes on.
class StopWatcher : public QObject
{
    Q_OBJECT

public:
    /// @param request names processes of the run.
    StopWatcher(const QString &runDirectory, StopRequest request);

    /// Runs the event loop until the processes have ended. Returns 0, or unusableInput when the run cannot be
    /// asked.
    int watch();

private:
    void take(const RunState &state);

    StopRequest m_request;
    RunClient m_client;
    std::optional<RunState> m_state;
};

} // namespace rankdeck
