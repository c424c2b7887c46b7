#pragma once

#include "log/line/logtypes.h"

#include <functional>
#include <span>
#include <sys/types.h>

namespace rankdeck
{

/// Passes on a growing file line by line, each byte once, as a command line prints it. Uses no more memory
/// than longestPiece. The file may appear later.
class LogTail
{
public:
    /// A longer line is passed on in pieces of this size, bytes.
    static constexpr qsizetype longestPiece = 1024 * 1024;
    /// Must not read another log in the same thread: they share the block that `line` is in.
    using Sink = std::function<void(QByteArrayView line)>;

    enum class LineEnd {
        Newline,
        /// Also the carriage return of a progress bar; it ends an empty line before a newline.
        NewlineOrReturn,
    };

    /// @param start where to begin in the present file; a file that is cut or replaced later is read whole.
    explicit LogTail(QString path, ByteOffset start = {}, LineEnd end = LineEnd::Newline);
    ~LogTail();
    Q_DISABLE_COPY_MOVE(LogTail)

    /// Reads no further than the limit says; lowering it takes nothing back.
    void setLimit(LogLimit limit) { m_limit = std::move(limit); }

    /// Passes each new whole line to `sink`, without its end; reads at most `maxBytes`. Returns the number of
    /// bytes read: 0 if nothing is new or the file is missing, -1 if it cannot be read (see error()). A file
    /// that was cut or replaced is read from its start.
    qint64 readLines(const Sink &sink, qint64 maxBytes);
    /// Passes on a last line that has no line end. Returns false if there is none.
    bool flushRest(const Sink &sink);
    /// Returns the beginning of a line that is not finished yet; valid until the next call of readLines().
    QByteArrayView unfinished() const { return m_rest; }
    /// Closes the file until the next read, for callers with thousands; if it is removed, it is not read on.
    void release();
    /// Returns the offset of the next line to be passed on.
    ByteOffset nextLine() const { return ByteOffset(m_offset - m_rest.size()); }
    /// Why reading failed, one sentence; empty if it did not.
    QString error() const { return m_error; }

private:
    bool open();
    void close();
    qint64 fail(int error);
    qsizetype handOn(const Sink &sink, std::span<char> bytes, qsizetype from) const;

    QString m_path;
    LogLimit m_limit;
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
