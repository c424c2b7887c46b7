#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// Returns the value of whole numbers with + - * / % and brackets, as a shell's $((…)) without variables;
/// nothing for anything else, and for numbers beyond a thousand million.
std::optional<qint64> shellArithmetic(const QString &text);

} // namespace rankdeck
