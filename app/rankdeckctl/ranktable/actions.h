#pragma once

#include "base/tr.h"

namespace rankdeck
{

// The actions of `rankdeckctl ranktable`. Each takes what follows its name and returns the exit code.

int checkRankTablesAction(const QStringList &arguments);
int showRankTableAction(const QStringList &arguments);
int convertRankTableAction(const QStringList &arguments);
int mergeRankTablesAction(const QStringList &arguments);
int subsetOfRankTableAction(const QStringList &arguments);
int generateRankTableAction(const QStringList &arguments);
int initRankTableAction(const QStringList &arguments);
int waitForRankTableAction(const QStringList &arguments);

} // namespace rankdeck
