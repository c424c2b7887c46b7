#pragma once

#include "base/tr.h" // Without it lupdate files texts of classes that use this header under these.

#include <QtGlobal>

#include <algorithm>
#include <atomic>
#include <memory>

namespace rankdeck
{

/// How many bytes of a log are shown, as if it were not longer: a replay's time. May be changed in any
/// thread; who reads the log sees it at its next look. Null: the whole log.
using LogLimit = std::shared_ptr<const std::atomic<qint64>>;

/// Returns `size`, or the limit if that is less.
inline qint64 limited(qint64 size, const LogLimit &limit)
{
    return limit ? std::min(size, limit->load(std::memory_order_relaxed)) : size;
}

} // namespace rankdeck
