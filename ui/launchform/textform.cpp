#include "launchform/textform.h"

namespace rankdeck
{

TextForm TextForm::plain(const ValueIn<QString> &value)
{
    return {[value](const LaunchSpec &spec) {
                LaunchSpec copy = spec;
                return value(copy);
            },
            [value](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                value(spec) = text;
                return std::nullopt;
            }};
}

} // namespace rankdeck
