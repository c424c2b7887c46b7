#include "agent/messages/nodereplies.h"

#include "base/program.h"
#include "run/record/rundirectory.h"
#include "run/record/runkeeper.h"

#include <QStorageInfo>
#include <QSysInfo>

namespace rankdeck
{

// Apart from what reads and writes the messages, so that fuzzing these needs nothing of the node.
NodeDescription NodeDescription::ofThisNode()
{
    NodeDescription description;
    description.version = QCoreApplication::applicationVersion();
    description.program = programPath();
    description.hostName = QSysInfo::machineHostName();
    description.architecture = QSysInfo::currentCpuArchitecture();
    description.npuCount = npusInDev();
    description.directory = existingFolder(runsDirectory());
    description.freeBytes = QStorageInfo(description.directory).bytesAvailable();
    description.wallUs = wallClockUs();
    return description;
}

} // namespace rankdeck
