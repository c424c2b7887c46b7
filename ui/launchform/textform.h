#pragma once

#include "launchform/optionfield.h"

namespace rankdeck
{

/// How a value is written as text, and text read. Both ways lose nothing.
struct TextForm {
    std::function<QString(const LaunchSpec &)> write;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;

    /// Text is the value.
    static TextForm plain(const ValueIn<QString> &value);
};

} // namespace rankdeck
