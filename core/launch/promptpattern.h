#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// What is wrong with a pattern for prompts (--prompt-pattern): it is no regular expression (RE2), or matches
/// nothing at all, so that every rank would be at a prompt always. An empty one is none, and right.
std::optional<Error> promptPatternError(const QString &pattern);

} // namespace rankdeck
