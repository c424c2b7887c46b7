#pragma once

#include "result.h"

#include <QString>

namespace rankdeck
{

/// Why no agent answered on `node`, with the mend. `how` is how its transport ended, the words of ssh or srun
/// at the end.
Error problemOfReaching(const QString &how, const QString &node);

} // namespace rankdeck
