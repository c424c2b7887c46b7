#include "launchform/previewworker.h"

#include "launchform/plannedlaunch.h"

namespace rankdeck
{

void PreviewWorker::make(const LaunchSpec &spec, Chip chip)
{
    Q_EMIT ready(plannedLaunch(spec, chip).preview);
}

} // namespace rankdeck
