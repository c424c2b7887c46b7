#pragma once

#include "launch/spec/optionrows.h"

namespace rankdeck
{

/// Reads the text of an option into a spec; a switch has an empty text.
std::optional<Error> readOption(const OptionRow &row, LaunchSpec &spec, const QString &text);
/// Returns the texts of an option, one for each time that it is given; none if it is not given.
QStringList optionTexts(const OptionRow &row, const LaunchSpec &spec);

} // namespace rankdeck
