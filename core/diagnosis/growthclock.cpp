#include "diagnosis/growthclock.h"

#include "run/growthtimes.h"

namespace rankdeck
{

LogMerge::Growth growthClock(const QString &marks)
{
    return [times = std::make_shared<GrowthTimes>(marks)](ByteOffset size) -> std::optional<LogTime> {
        const auto time = times->reached(size.value);
        return time ? std::optional(logTimeOf(*time)) : std::nullopt;
    };
}

} // namespace rankdeck
