#pragma once

#include "log/loglinehead.h"

#include <QByteArray>
#include <QByteArrayView>

#include <memory>

namespace rankdeck
{

/// Writes lines to standard output in large blocks, each block of whole lines. What cannot be written because
/// nobody reads it any more is dropped.
class LineWriter
{
public:
    LineWriter();

    void write(QByteArrayView prefix, QByteArrayView line)
    {
        char *const end = roomFor(prefix.size() + line.size() + 1);
        append(append(end, prefix), line)[0] = '\n';
        m_size += prefix.size() + line.size() + 1;
    }
    /// The same with colours: the prefix as `sgr` says ("36"), the line as its severity does, unless it has
    /// colours of its own.
    void writeColored(QByteArrayView prefix, QByteArrayView sgr, QByteArrayView line, LogSeverity severity);
    void flush();

private:
    static char *append(char *end, QByteArrayView bytes);
    /// Where so many bytes can be appended.
    char *roomFor(qsizetype size)
    {
        if (m_size + size > m_capacity)
            makeRoom(size);
        return m_block.get() + m_size;
    }
    void makeRoom(qsizetype size);

    std::unique_ptr<char[]> m_block;
    qsizetype m_capacity;
    qsizetype m_size = 0;
};

/// Whether to colour what goes to standard output: `choice` is always, never, or auto, which is a terminal
/// that can, unless NO_COLOR (no-color.org) is set.
bool usesColor(const QString &choice);

} // namespace rankdeck
