#pragma once

#include "log/logtypes.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <functional>
#include <span>
#include <sys/types.h>

namespace rankdeck
{

/// Hands on a growing file line by line, each byte once, as a command line prints it. Knows nothing of
/// earlier lines and needs no more memory than longestPiece. The file may appear later.
class LogTail
{
public:
    /// A longer line is handed on in pieces of this size, bytes.
    static constexpr qsizetype longestPiece = 1024 * 1024;
    /// Must not read another log in the same thread: they share the block that `line` is in.
    using Sink = std::function<void(QByteArrayView line)>;

    /// What ends a line.
    enum class LineEnd {
        Newline,
        NewlineOrReturn, ///< Also what a progress bar returns with; it ends an empty line before a newline.
    };

    /// @param start where to begin in the file as it is now; one that is cut or replaced later is read whole.
    explicit LogTail(QString path, ByteOffset start = {}, LineEnd end = LineEnd::Newline);
    ~LogTail();
    Q_DISABLE_COPY_MOVE(LogTail)

    /// Pass each new whole line to `sink`, without its line end; read at most `maxBytes`. Returns how many
    /// bytes were read: 0 when there was nothing new or there is no file (yet), -1 when it cannot be read
    /// (see error()). A file that was cut or replaced is read from its start.
    qint64 readLines(const Sink &sink, qint64 maxBytes);
    /// At the end of a run: pass on a last line that has no line end. False if there is none.
    bool flushRest(const Sink &sink);
    /// The beginning of a line whose end is not there yet; until the next call of this.
    QByteArrayView unfinished() const { return m_rest; }
    /// Hold the file no longer open, until more is read: for who reads thousands. A file that is removed
    /// meanwhile is not read on.
    void release();
    /// Where in the file the line begins that is handed on next.
    ByteOffset nextLine() const { return ByteOffset(m_offset - m_rest.size()); }
    /// Why reading failed, one sentence; empty if it did not.
    QString error() const { return m_error; }

private:
    bool open();
    void close();
    qint64 fail(int error);
    qsizetype handOn(const Sink &sink, std::span<char> bytes, qsizetype from) const;

    QString m_path;
    QString m_error;
    LineEnd m_lineEnd;
    int m_descriptor = -1;
    bool m_isReleased = false; ///< m_device and m_inode are those of the file that was read.
    dev_t m_device = 0;
    ino_t m_inode = 0;
    qint64 m_offset;
    QByteArray m_rest;
};

} // namespace rankdeck
