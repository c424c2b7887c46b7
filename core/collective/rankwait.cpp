#include "collective/rankwait.h"

#include "numberranges.h"

#include <QCoreApplication>

namespace rankdeck
{

void waitForRanks(StoreClient &store, const QByteArray &prefix, int worldSize,
                  std::chrono::milliseconds patience)
{
    const QList<int> missing = store.missingOf(prefix, worldSize, QDeadlineTimer(patience));
    if (!missing.isEmpty())
        throw DistError(QCoreApplication::translate("SelfTest", "nothing was heard within %1 s of rank %2")
                            .arg(static_cast<double>(patience.count()) / 1000)
                            .arg(numberRanges(missing)));
}

} // namespace rankdeck
