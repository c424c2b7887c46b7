#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/verdict/verdict.h"

#include <QLocale>

namespace rankdeck
{

/// What is known of a run's failure at once, from the run's state alone: the process that was seen to fail
/// first and the end of its log. diagnose() knows more, once it has read the logs. Reads no file; without a
/// failure hasFailure is false.
/// @param catalogue may be null: then nothing is looked up in one.
Verdict firstSight(const RunState &state, const ErrorCatalogue *catalogue, const QLocale &locale);

/// How the processes have ended, so far; nothing of a log directory, whose ends nobody saw.
std::vector<Verdict::Exit> exitsOf(const RunState &state);

} // namespace rankdeck
