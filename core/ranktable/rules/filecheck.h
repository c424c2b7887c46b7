#pragma once

#include "ranktable/rules/findingcollector.h"

namespace rankdeck
{

/// Notice what readers do not like about the file itself: a name that does not end in .json, a symbolic link.
void checkFile(const QString &path, FindingCollector &findings);

} // namespace rankdeck
