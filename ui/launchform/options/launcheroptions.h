#pragma once

#include "base/tr.h"

namespace rankdeck
{

class OptionGroup;
class TableCheckLine;

// Each function adds the fields of a launcher, in their order.

/// @param tableCheck stands below the rank table field, which takes ownership of it.
void addDavincirunOptions(OptionGroup &options, TableCheckLine *tableCheck);
void addMsrunOptions(OptionGroup &options, TableCheckLine *tableCheck);
void addProcessesOptions(OptionGroup &options);
void addWrapOptions(OptionGroup &options);

// Each function adds fields that several launchers share.

void addBindCore(OptionGroup &options, const QString &label);
/// Adds the choice of nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// Adds rarely used options: files of variables, limits, commands before and after.
void addRareOptions(OptionGroup &options);

} // namespace rankdeck
