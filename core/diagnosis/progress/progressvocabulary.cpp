#include "diagnosis/progress/progressvocabulary.h"

namespace rankdeck
{

std::optional<double> durationMs(double number, std::string_view unit)
{
    if (unit == "ms" || unit == "ms/step" || unit == "ms/it" || unit == "ms/iter")
        return number;
    if (unit == "s" || unit == "sec" || unit == "seconds" || unit == "s/it" || unit == "s/iter" ||
        unit == "s/step" || unit == "sec/step")
        return number * 1000;
    if ((unit == "it/s" || unit == "iter/s") && number > 0)
        return 1000 / number;
    return {};
}

} // namespace rankdeck
