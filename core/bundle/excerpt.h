#pragma once

#include "base/result.h"

#include <functional>

namespace rankdeck
{

/// A file, or its beginning and its end around a line with the number of bytes left out.
struct Excerpt {
    QByteArray content;
    qint64 fileBytes = 0; ///< Size of the file when it was read.
    qint64 headBytes = 0; ///< Bytes before the part that was left out; all if none was.
    qint64 tailBegin = 0; ///< Where in the file what comes after it begins.
    qint64 headLines = 0;
    qint64 leftOutLines = 0;

    qint64 leftOutBytes() const { return tailBegin - headBytes; }
    /// Returns where an offset of the file is in `content`; for one that was left out, where the end begins.
    qint64 placeOf(qint64 offset) const;
    /// Returns the line between head and end, with its line end.
    QByteArray gapLine() const;
};

/// Reads a regular file; of one larger than `most`, a quarter of `most` from its beginning and the rest from
/// its end, cut between lines if possible. Never waits for a pipe or device. Fails if it cannot be read.
Result<Excerpt> readExcerpt(const QString &path, qint64 most, const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
