#pragma once

#include "log/line/logtypes.h"

#include <ctime>
#include <functional>
#include <span>
#include <sys/types.h>

namespace rankdeck
{

/// Passes on a growing file line by line, each byte once, as a command line prints it. Uses no more memory
/// than longestPiece. The file may appear later, and may be rotated: one that was renamed or removed is read
/// on until its successor has a line, and as long as it is open; one that was cut is read from its start.
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
    /// @param unfinished beginning of a line that stands right before `start`, as unfinished() returned it.
    explicit LogTail(QString path, ByteOffset start = {}, LineEnd end = LineEnd::Newline,
                     QByteArray unfinished = {});
    ~LogTail();
    Q_DISABLE_COPY_MOVE(LogTail)

    /// Reads no further than the limit says; lowering it takes nothing back.
    void setLimit(LogLimit limit) { m_limit = std::move(limit); }

    /// Passes each new whole line to `sink`, without its end; reads at most `maxBytes`. Returns the number of
    /// bytes read: 0 if nothing is new or the file is missing, -1 if it cannot be read (see error()). Zero
    /// bytes at a file's start are left out: who does not append leaves a hole there when the file is cut.
    qint64 readLines(const Sink &sink, qint64 maxBytes);
    /// Passes on a last line that has no line end. Returns false if there is none.
    bool flushRest(const Sink &sink);
    /// Returns the beginning of a line that is not finished yet; valid until the next call of readLines().
    QByteArrayView unfinished() const { return m_now.rest; }
    /// Closes the file until the next read, for callers with thousands; if it is replaced, it is not read on.
    void release();
    /// Returns the offset of the next line to be passed on.
    ByteOffset nextLine() const { return ByteOffset(m_now.offset - m_now.rest.size()); }
    /// Returns how far the file was read, with unfinished().
    ByteOffset offset() const { return ByteOffset(m_now.offset); }
    /// Why reading failed, one sentence; empty if it did not.
    QString error() const { return m_error; }

private:
    /// What has been read of a file.
    struct Reading {
        int descriptor = -1;
        qint64 offset = 0;
        QByteArray rest = {};  ///< The beginning of a line.
        QByteArray seen = {};  ///< The last bytes before the offset; others in their place show a cut file.
        bool isAtStart = true; ///< Nothing but zero bytes was read.
    };

    bool open();
    void startAgain(const Sink &sink);
    qint64 readOn(Reading &reading, const Sink &sink, qint64 maxBytes);
    qint64 fail(int error);
    qsizetype handOn(const Sink &sink, std::span<char> bytes, qsizetype from) const;

    QString m_path;
    LogLimit m_limit;
    QString m_error;
    LineEnd m_lineEnd;
    bool m_isReleased = false; ///< m_device and m_inode are those of the file that was read.
    dev_t m_device = 0;
    ino_t m_inode = 0;
    timespec m_written{}; ///< When it was written, as far as that is known.
    Reading m_now;
    Reading m_former; ///< The file that had this path before: who has it open may write on into it.
};

} // namespace rankdeck
