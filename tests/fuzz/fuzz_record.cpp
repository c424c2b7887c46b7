// A run.json, whoever wrote it.

#include "demand.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

#include <cstdint>

using namespace rankdeck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto record = runRecordFrom(
        QByteArray(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)), u"run.json"_s);
    if (!record) {
        demand(!record.error().what.isEmpty());
        return 0;
    }
    RunState state;
    state.setPlan(record->plan);
    demand(state.ranks.size() == record->plan.processes.size());
    (void)currentPhase(*record);
    return 0;
}
