#pragma once

#include "ranktable/reading/findingcollector.h"
#include "ranktable/table/ranktable.h"

namespace rankdeck
{

/// Reports missing keys, wrong types, numbers out of range and unknown keys in a whole table of this form.
void checkShape(JsonValue table, RankTableForm form, FindingCollector &findings);

} // namespace rankdeck
