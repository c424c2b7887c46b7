#pragma once

#include "result.h"

#include <QString>

namespace rankdeck
{

/// Why no agent answered on `node`, with the mend. `how` is how its transport ended, the words of ssh or srun
/// at the end.
Error problemOfReaching(const QString &how, const QString &node);

/// Whether that is since ssh has never seen the node's host key; a changed one is something else.
bool isKeyUnknown(const QString &how);

} // namespace rankdeck
