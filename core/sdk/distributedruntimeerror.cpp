#include "sdk/distributedruntimeerror.h"

#include "diagnosis/verdict/verdicttext.h"
#include "run/record/runstate.h"

namespace rankdeck
{

DistributedRuntimeError::DistributedRuntimeError(const RunState &state, Verdict verdict)
    : std::runtime_error("DistributedRuntimeError: " + verdictText(verdict, state).toStdString())
    , m_failure(state.failure.value_or(Failure()))
    , m_verdict(std::move(verdict))
    , m_runDirectory(state.directory)
{
}

} // namespace rankdeck
