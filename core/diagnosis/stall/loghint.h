#pragma once

#include "diagnosis/stall/stalldetector.h"

#include <QString>

namespace rankdeck
{

/// What the last lines of a log say: whether its process compiles, and its step. Reads 16 KiB at most; of a
/// log that cannot be read nothing is known.
LogHint hintOfLog(const QString &path);

} // namespace rankdeck
