#pragma once

#include "run/runstate.h"

#include <stdexcept>

namespace rankdeck
{

/// Thrown by the SDK when a rank fails: which one, why, and where to look. Named after the Python SDK's.
class DistributedRuntimeError : public std::runtime_error
{
public:
    /// @param state a run that has a failure.
    explicit DistributedRuntimeError(const RunState &state);

    const Failure &failure() const { return m_failure; }
    /// The run's directory, with everything that is known about it.
    const QString &runDirectory() const { return m_runDirectory; }

private:
    Failure m_failure;
    QString m_runDirectory;
};

} // namespace rankdeck
