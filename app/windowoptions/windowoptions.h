#pragma once

#include "optionparser/optionparser.h"

namespace rankdeck
{

/// The table of the window's options, in the order of --help: its parser, its --help and completion read it.
std::vector<CommandOption> windowOptions();

} // namespace rankdeck
