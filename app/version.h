#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns this build's version for people, with commit and date: "0.2.0 (1a2b3c4d, 2026-11-26), Qt 6.4.2".
/// Without the commit where the build is not of a git clone; with a + after it where tracked files differ
/// from it.
QString versionText();

} // namespace rankdeck
