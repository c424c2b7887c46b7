#pragma once

#include "log/logtypes.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace rankdeck
{

/// The last `count` lines of a file as raw bytes without their ends, read backwards from the end; an
/// unfinished last line counts. At most `maxBytes` are looked at: of a line that begins before them, only its
/// end is returned. Empty if the file is empty, not there, or cannot be read.
QList<QByteArray> lastLines(const QString &path, int count, qint64 maxBytes);

/// Where the last `count` lines of a file begin; 0 when it has no more than that or cannot be read. Looks at
/// the file from its end in blocks, so the memory needed does not depend on it.
ByteOffset offsetOfLastLines(const QString &path, int count);

} // namespace rankdeck
