#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "log/logtypes.h"

#include <QByteArrayView>
#include <QIODevice>

#include <functional>

namespace rankdeck
{

/// A line that tells of a known error.
struct KnownLine {
    const ErrorEntry &entry;
    LineNumber line;
    QByteArrayView text; ///< Without its end; of a long line the piece in which the error is told.
};

/// Read `input` from where it is to its end, once, and hand out every line that tells of a known error, in
/// order, to `take`; `text` is valid only there. Memory does not depend on the size of the input: a line of
/// more than 64 KiB is looked at in pieces of that size, so a message across such a border may be missed, and
/// the line may be handed out more than once. Blocks.
/// Returns how many lines were read; an unfinished last one counts. Error: the input cannot be read on.
Result<qint64> scanForErrors(QIODevice &input, const ErrorCatalogue &catalogue,
                             const std::function<void(const KnownLine &)> &take);

} // namespace rankdeck
