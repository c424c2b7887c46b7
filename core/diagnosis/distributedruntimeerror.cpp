#include "diagnosis/distributedruntimeerror.h"

#include "diagnosis/failurereport.h"

namespace rankdeck
{

DistributedRuntimeError::DistributedRuntimeError(const RunState &state)
    : std::runtime_error(failureReport(state).toStdString())
    , m_failure(state.failure.value_or(Failure()))
    , m_runDirectory(state.directory)
{
}

} // namespace rankdeck
