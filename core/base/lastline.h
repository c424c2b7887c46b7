#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace rankdeck
{

/// The last line of what a program said, to be told in a sentence: its words, 300 characters at most.
inline QString lastLineOf(const QByteArray &output)
{
    const QList<QByteArray> lines = output.trimmed().split('\n');
    return QString::fromUtf8(lines.last()).simplified().left(300);
}

} // namespace rankdeck
