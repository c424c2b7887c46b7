#pragma once

#include "ranktable/jsondocument.h"
#include "ranktable/rules/findingcollector.h"
#include "ranktable/rules/shape.h"

namespace rankdeck
{

/// Notice missing keys, wrong types, numbers out of range and keys that the shape does not know, in an object
/// and all that it holds.
void checkShape(JsonValue object, const Shape &shape, FindingCollector &findings);

} // namespace rankdeck
