#pragma once

#include "run/runclient.h"

#include <QObject>

#include <optional>

namespace rankdeck
{

/// Asks something of a run and waits until it is done, while the run goes on.
class RunWatcher : public QObject
{
    Q_OBJECT

public:
    explicit RunWatcher(const QString &runDirectory);

    /// Runs the event loop until all is done, or the run has ended. Returns 0, or unusableInput when the run
    /// cannot be asked.
    int watch();
    /// Once it has run.
    const RunState &state() const { return *m_state; }

protected:
    /// The run is known: ask.
    virtual void ask(RunClient &client, const RunState &state) = 0;
    /// What there is to say of a change; `before` is null for the first state, of which ask() is called
    /// before. True: nothing is left to be done.
    virtual bool take(const RunState &state, const RunState *before) = 0;

private:
    void hear(const RunState &state);

    RunClient m_client;
    std::optional<RunState> m_state;
};

} // namespace rankdeck
