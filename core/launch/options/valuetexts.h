#pragma once

#include "launch/options/launchcommandline.h"

namespace rankdeck
{

/// How the text of an option and its value in a spec become each other, see LaunchOption.
struct OptionText {
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;
    std::function<QStringList(const LaunchSpec &)> write;
};

/// Returns the text form of a row's field: that of its type, or its own.
OptionText textOf(const OptionRow &row);

} // namespace rankdeck
