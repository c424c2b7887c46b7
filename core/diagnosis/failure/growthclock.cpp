#include "diagnosis/failure/growthclock.h"

#include "run/record/growthmarks.h"

namespace rankdeck
{

LogMerge::Growth growthClock(const QString &marks)
{
    struct Clock {
        explicit Clock(const QString &file)
            : times(file)
        {
        }
        GrowthTimes times;
        std::optional<QDateTime> last{};
        LogTime lastTime{}; ///< The same; many lines have it, and a time zone takes a microsecond.
    };
    return [clock = std::make_shared<Clock>(marks)](ByteOffset size) -> std::optional<LogTime> {
        const auto time = clock->times.reached(size.value);
        if (!time)
            return std::nullopt;
        if (clock->last != time) {
            clock->last = time;
            clock->lastTime = logTimeOf(*time);
        }
        return clock->lastTime;
    };
}

} // namespace rankdeck
