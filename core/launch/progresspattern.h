#pragma once

#include "result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>

namespace rankdeck
{

/// The names that groups of a pattern for progress lines may have: epoch, epochs, step, steps, loss,
/// step_time_ms, step_time_s, throughput.
QStringList progressPatternNames();

/// The pattern as RE2 of any version takes it: "(?<step>…)", which is newer, as "(?P<step>…)".
std::string progressPatternText(const QString &pattern);

/// What is wrong with a pattern for progress lines: it is no regular expression (RE2), or has no named group
/// or one of another name. An empty one is none, and right.
std::optional<Error> progressPatternError(const QString &pattern);

} // namespace rankdeck
