#pragma once

#include "result.h"

#include <QString>

namespace rankdeck
{

/// Exit code for unusable arguments or input.
inline constexpr int unusableInput = 2;

/// A line on standard output: what was asked for.
void print(const QString &line);
/// A line on standard error: progress and chatter.
void say(const QString &line);
/// The error's sentence on standard error; returns unusableInput.
int refuse(const Error &error);

} // namespace rankdeck
