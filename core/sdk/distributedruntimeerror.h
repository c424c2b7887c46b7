#pragma once

#include "diagnosis/verdict/verdict.h"

#include <stdexcept>

namespace rankdeck
{

struct RunState;

/// Thrown by the SDK when a rank fails: which one, why, what to do, and where to look; what() says it in
/// plain text for a terminal. Named after the Python SDK's.
class DistributedRuntimeError : public std::runtime_error
{
public:
    /// @param state a run that has a failure.
    /// @param verdict what verdictOf() found of it.
    DistributedRuntimeError(const RunState &state, Verdict verdict);

    /// The process that was seen to fail first, and how it ended.
    const Failure &failure() const { return m_failure; }
    /// Which rank is the first cause of it, as the logs of all ranks tell.
    const Verdict &verdict() const { return m_verdict; }
    /// The run's directory, with everything that is known about it.
    const QString &runDirectory() const { return m_runDirectory; }

private:
    Failure m_failure;
    Verdict m_verdict;
    QString m_runDirectory;
};

} // namespace rankdeck
