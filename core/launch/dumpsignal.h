#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// The number of --dump-signal: HUP, QUIT, USR1 or USR2, with SIG before it or without, in any case. 0 for an
/// empty text and for any other.
int dumpSignalNumber(const QString &text);

/// What is wrong with it; nothing with an empty one, which is none.
std::optional<Error> dumpSignalError(const QString &text);

} // namespace rankdeck
