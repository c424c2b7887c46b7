#pragma once

#include "rankdeckctl/console/options.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

// The actions of `rankdeckctl ranktable`. Each returns the exit code.

int checkRankTablesAction(const Options &options);
int showRankTableAction(const Options &options);
int convertRankTableAction(const Options &options);
int mergeRankTablesAction(const Options &options);
int subsetOfRankTableAction(const Options &options);
int generateRankTableAction(const Options &options);
int initRankTableAction(const Options &options);
int waitForRankTableAction(const Options &options);

} // namespace rankdeck
