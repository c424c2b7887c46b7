#pragma once

#include "collective/storeclient.h"

#include <chrono>

namespace rankdeck
{

/// Until every rank below `worldSize` has set its key, `prefix` and its number. @throws DistError naming the
/// ranks that have not within `patience`; the store is over.
void waitForRanks(StoreClient &store, const QByteArray &prefix, int worldSize,
                  std::chrono::milliseconds patience);

} // namespace rankdeck
