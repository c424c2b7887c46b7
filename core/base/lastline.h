#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns the last line of a program's output for use in a sentence: simplified, 300 characters at most.
inline QString lastLineOf(const QByteArray &output)
{
    const QList<QByteArray> lines = output.trimmed().split('\n');
    return QString::fromUtf8(lines.last()).simplified().left(300);
}

} // namespace rankdeck
