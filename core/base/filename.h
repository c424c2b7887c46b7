#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns `name` as one component of a path: other characters become '_'.
QString asFileName(QString name);

} // namespace rankdeck
