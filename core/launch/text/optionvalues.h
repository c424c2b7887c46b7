#pragma once

#include "base/result.h"

#include <string>

namespace rankdeck
{

/// Checks a pattern for prompts (--prompt-pattern): it must be a regular expression (RE2), and must not match
/// empty text, or every rank would always be at a prompt. An empty pattern means none.
std::optional<Error> promptPatternError(const QString &pattern);

/// Returns the number of --dump-signal: HUP, QUIT, USR1 or USR2, with or without SIG, in any case; 0 for
/// other and for empty text.
int dumpSignalNumber(const QString &text);

/// Checks --dump-signal; an empty text means none.
std::optional<Error> dumpSignalError(const QString &text);

/// Checks the value of --flight-recorder: auto, on or off.
std::optional<Error> flightRecorderError(const QString &text);

/// Checks the value of --ports: auto or fixed.
std::optional<Error> portsError(const QString &text);

/// Returns the pattern in the syntax of every version of RE2: "(?<step>…)", which is newer, as "(?P<step>…)".
std::string progressPatternText(const QString &pattern);

/// Checks a pattern for progress lines: it must be a regular expression (RE2) with named groups, all of
/// progressPatternNames(). An empty pattern means none.
std::optional<Error> progressPatternError(const QString &pattern);

} // namespace rankdeck
