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
    /// @param verdict the run's verdict from verdictOf().
    DistributedRuntimeError(const RunState &state, Verdict verdict);

    /// The process that was seen to fail first, and how it ended.
    const Failure &failure() const { return m_failure; }
    /// Returns the rank that is the first cause of the failure, by the logs of all ranks.
    const Verdict &verdict() const { return m_verdict; }
    /// The run's directory, with everything that is known about it.
    const QString &runDirectory() const { return m_runDirectory; }

private:
    Failure m_failure;
    Verdict m_verdict;
    QString m_runDirectory;
};

} // namespace rankdeck
