#pragma once

#include "result.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// What MA_ALGORITHM_OPERATOR says of the operators that a job brings along.
struct PlatformOperator {
    bool hasArchive = false; ///< It names an archive to be installed before the launch.
    bool isIdeMode = false;  ///< An archive, developed in the IDE: the device log goes to the screen.
};

/// Nothing of both when the variable is empty or not set. Source: davincirunsdk, common.py.
/// Error: it is not a JSON object.
Result<PlatformOperator> platformOperator(const QProcessEnvironment &environment);

} // namespace rankdeck
