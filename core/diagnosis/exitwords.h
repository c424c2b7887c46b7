#pragma once

#include "run/exitstatus.h"

#include <QString>

namespace rankdeck
{

/// What an exit status says, in words: one sentence without a full stop, with the usual cause where there is
/// one. Source of the codes: POSIX shell (126, 127, 128 + n), signal(7).
QString describeExit(const ExitStatus &status);

/// The id of the catalogue's entry on such an end (resources/errors/exit.json, system-oom-killer); empty when
/// it has none.
QString exitEntry(const ExitStatus &status);

} // namespace rankdeck
