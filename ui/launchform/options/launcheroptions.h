#pragma once

#include "launchform/fields/optiongroup.h"

namespace rankdeck
{

struct Launcher;

// Each function adds fields to the launch form, made from the rows of their options.

/// Adds the fields of a launcher.
void addLauncherOptions(OptionGroup &options, const Launcher &launcher);
/// Adds the choice of nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// Adds the other options of every launcher.
/// @param shown the fields of the launcher, which have some of them.
void addRareOptions(OptionGroup &options, const OptionGroup &shown);

} // namespace rankdeck
