#pragma once

#include "diagnosis/verdict/verdict.h"
#include "run/runstate.h"

#include <QLocale>

#include <functional>

namespace rankdeck
{

class LineSigns;

/// Find out which rank of a run failed first, and why, from all that its processes left: see rule(). A run
/// that has not failed, but whose logs show errors, is judged alike; where there are none, hasFailure is
/// false. Reads all logs once, at some 400 MB/s a cpu: not for the GUI thread. Any thread.
/// @param state a run, live or past, or a log directory.
/// @param isCancelled asked now and then from several threads; then the verdict rests on what was read so
/// far.
Verdict diagnose(const RunState &state, const LineSigns &signs, const QLocale &locale,
                 const std::function<bool()> &isCancelled = {});
/// The same with ErrorCatalogue::load() in the language of the program.
Verdict diagnose(const RunState &state, const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
