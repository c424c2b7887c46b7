#include "run/pidview.h"

#include "run/processtree.h"

namespace rankdeck
{

PidView pidViewOfAll()
{
    QHash<qint64, int> all;
    if (!isInitialPidNamespace()) {
        for (const pid_t pid : allPids())
            all.insert(pid, 0);
    }
    return pidViewOf(all);
}

} // namespace rankdeck
