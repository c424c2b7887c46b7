#pragma once

#include "launchform/fields/optiongroup.h"

namespace rankdeck
{

struct Launcher;
class TableCheckLine;

// Each function adds fields to the launch form, made from the rows of their options.

/// Adds the fields of a launcher.
/// @param makeTableCheck makes what stands below the field of a rank table, which takes ownership of it.
void addLauncherOptions(OptionGroup &options, const Launcher &launcher,
                        const std::function<TableCheckLine *()> &makeTableCheck);
/// Adds the choice of nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// Adds the other options of every launcher.
void addRareOptions(OptionGroup &options, const Launcher &launcher);

} // namespace rankdeck
