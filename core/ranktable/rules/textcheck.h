#pragma once

#include "ranktable/jsondocument.h"
#include "ranktable/rules/findingcollector.h"

namespace rankdeck
{

/// Notice what is wrong with the text as JSON: syntax, comments, trailing commas, keys that stand twice.
void checkText(const JsonDocument &document, FindingCollector &findings);

} // namespace rankdeck
