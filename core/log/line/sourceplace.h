#pragma once

#include "base/tr.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// A line of a source file that a text names.
struct SourcePlace {
    QString path;
    int line = 0;        ///< From 1.
    qsizetype begin = 0; ///< Where the text names it, characters.
    qsizetype end = 0;

    bool operator==(const SourcePlace &) const = default;
};

/// Returns the places in files that a line of a log names, from left to right: `File "/x/train.py", line 14`
/// of Python; "/x/train.py:14" and "/x/train.py(14)" of MindSpore, compilers and others. Files need not
/// exist. Takes time that is linear in the length of the line.
QList<SourcePlace> sourcePlacesIn(const QString &line);

} // namespace rankdeck
