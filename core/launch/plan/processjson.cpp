#include "base/jsontext.h"
#include "launch/plan/processplan.h"

namespace rankdeck
{

void insertRank(JsonText &json, const ProcessPlan &process)
{
    const bool isKnown = process.role == Role::Worker && !process.isRankOpen;
    json.insert("rank", isKnown ? JsonText(process.rank) : JsonText());
    if (process.startedAs >= 0)
        json.insert("started_as", process.startedAs);
}

} // namespace rankdeck
