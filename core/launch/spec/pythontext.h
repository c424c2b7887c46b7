#pragma once

#include "base/tr.h"

#include <nlohmann/json.hpp>

namespace rankdeck
{

/// JSON whose objects keep their order, as Python's do.
using OrderedJson = nlohmann::ordered_json;

/// Returns the text that Python's str() makes of a value that its json module has read: "1", "0.5", "True",
/// "None", "[1, 'a']", "{'a': 1}"; a text as it is. Recursive: for values of little depth.
QString pythonText(const OrderedJson &value);

} // namespace rankdeck
