#pragma once

#include "base/tr.h"

namespace rankdeck
{

class OptionGroup;
class TableCheckLine;

struct OptionWords;

// Each function adds the fields of a launcher, in their order.

/// @param tableCheck stands below the rank table field, which takes ownership of it.
void addDavincirunOptions(OptionGroup &options, TableCheckLine *tableCheck);
void addMsrunOptions(OptionGroup &options, TableCheckLine *tableCheck);
void addProcessesOptions(OptionGroup &options);

// Each function adds fields that several launchers share.

void addWorkDir(OptionGroup &options);
/// @param words its help ends without a full stop: a path may follow.
void addLogDir(OptionGroup &options, const OptionWords &words, const QString &placeholder);
/// Adds name, variables, conda environment, grace.
void addRunOptions(OptionGroup &options);
void addDestroy(OptionGroup &options);
void addRaise(OptionGroup &options);
void addBindCore(OptionGroup &options, const QString &label);
/// Adds the choice of nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// Adds rarely used options: files of variables, limits, commands before and after.
void addRareOptions(OptionGroup &options);

} // namespace rankdeck
