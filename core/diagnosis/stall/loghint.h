#pragma once

#include "diagnosis/progress/progressreader.h"
#include "diagnosis/stall/stalldetector.h"

#include <QString>

namespace rankdeck
{

/// What the last lines of a log say: whether its process compiles, and its step, counted over all epochs
/// where the line says how many steps one has. Reads 16 KiB at most; of a log that cannot be read nothing is
/// known.
LogHint hintOfLog(const QString &path, const ProgressReader &reader = {});

} // namespace rankdeck
