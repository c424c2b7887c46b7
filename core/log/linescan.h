#pragma once

#include "log/logtypes.h"
#include "result.h"

#include <QByteArrayView>
#include <QIODevice>

#include <functional>

namespace rankdeck
{

/// A line as scanLines() hands it out.
struct ScannedLine {
    QByteArrayView text; ///< Without its end.
    LineNumber line;
    ByteOffset end; ///< Where it ends, from where the scan began.
};

/// Read `input` from where it is to its end, once, and hand every line to `take`, in order; its text is valid
/// only there. The scan ends early when `take` returns false. Memory does not depend on the size of the
/// input: a line of more than 64 KiB is handed out in pieces of that size. Blocks. Returns how many lines
/// were read; an unfinished last one counts. Error: the input cannot be read on.
Result<qint64> scanLines(QIODevice &input, const std::function<bool(const ScannedLine &)> &take);

} // namespace rankdeck
