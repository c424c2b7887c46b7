#pragma once

#include <QString>

namespace rankdeck
{

class OptionGroup;
struct OptionWords;
class TableCheckLine;

// The options of each launcher as fields of the form, in their order.

/// @param tableCheck goes below the rank table, which takes it.
void addDavincirunOptions(OptionGroup &options, TableCheckLine *tableCheck);
/// @param tableCheck as above.
void addMsrunOptions(OptionGroup &options, TableCheckLine *tableCheck);
void addProcessesOptions(OptionGroup &options);

// What several launchers have.

void addWorkDir(OptionGroup &options);
/// @param words its help without the full stop: a path may follow.
void addLogDir(OptionGroup &options, const OptionWords &words, const QString &placeholder);
/// Name, variables, conda environment, grace.
void addRunOptions(OptionGroup &options);
void addDestroy(OptionGroup &options);
void addRaise(OptionGroup &options);
void addBindCore(OptionGroup &options, const QString &label);
/// Which nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// What few need: files of variables, limits, commands before and after.
void addRareOptions(OptionGroup &options);

} // namespace rankdeck
