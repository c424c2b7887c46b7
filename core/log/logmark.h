#pragma once

#include "log/logtypes.h"

#include <QString>

namespace rankdeck
{

/// A remark of ours at a place in a log, such as where lines are missing. It is no part of the file.
struct LogMark {
    ByteOffset offset; ///< Bytes of the file before it.
    QString text;
    LineNumber line; ///< The line before which it stands; worked out by LogFollower.

    bool operator==(const LogMark &) const = default;
};

} // namespace rankdeck
