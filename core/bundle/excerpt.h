#pragma once

#include "result.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace rankdeck
{

/// A file, or its beginning and its end with a line between them that says how much was left out.
struct Excerpt {
    QByteArray content;
    qint64 fileBytes = 0; ///< Of the file when it was read.
    qint64 headBytes = 0; ///< Before what was left out; all of them when nothing was.
    qint64 tailBegin = 0; ///< Where in the file what comes after it begins.
    qint64 headLines = 0;
    qint64 leftOutLines = 0;

    qint64 leftOutBytes() const { return tailBegin - headBytes; }
    /// Where in `content`, as it was read, a place in the file is; one that was left out: where the end
    /// begins.
    qint64 placeOf(qint64 offset) const;
    /// The same for lines, from 1.
    qint64 lineOf(qint64 line) const;
    /// The line between, with its line end.
    QByteArray gapLine() const;
};

/// Read a regular file, a quarter of `most` from its beginning and the rest from its end where it is larger,
/// cut between lines where there are some. Never waits for what is no file. Error: it is no file or cannot be
/// read.
Result<Excerpt> readExcerpt(const QString &path, qint64 most, const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
