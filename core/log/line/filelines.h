#pragma once

#include "base/result.h"
#include "log/line/logtypes.h"

#include <QIODevice>

#include <functional>

namespace rankdeck
{

/// Returns the last `count` lines of a file as raw bytes without line ends, including an unfinished last
/// line. Reads at most the last `maxBytes`; a line that begins before them loses its beginning. Empty if the
/// file is empty, missing or unreadable.
QList<QByteArray> lastLines(const QString &path, int count, qint64 maxBytes);

/// Returns where the last `count` lines of a file begin; 0 if fewer or unreadable. Needs little memory.
ByteOffset offsetOfLastLines(const QString &path, int count);

/// A line as scanLines() hands it out.
struct ScannedLine {
    QByteArrayView text; ///< Without its end.
    LineNumber line;
    ByteOffset end; ///< Where it ends, from where the scan began.
};

/// Reads `input` to its end and passes every line to `take`, in order; its text is valid only during the
/// call. Stops when `take` returns false. Uses constant memory: a line of more than 64 KiB is passed in such
/// pieces. Blocks. Returns the number of lines, with an unfinished last one. Fails if `input` cannot be read.
Result<qint64> scanLines(QIODevice &input, const std::function<bool(const ScannedLine &)> &take);

} // namespace rankdeck
