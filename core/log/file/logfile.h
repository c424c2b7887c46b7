#pragma once

#include "base/result.h"
#include "log/line/logtypes.h"

#include <vector>

#include <sys/types.h>

namespace rankdeck
{

class LogFile;

/// Reads lines of a file by their offset, a block at a time: fast for lines near each other, either way.
class LineBlock
{
public:
    /// Largest block size in bytes; of a longer line only the beginning is read.
    static constexpr qint64 blockBytes = 256 * 1024;

    /// @param usualBytes to read for lines that are not longer.
    explicit LineBlock(qint64 usualBytes = blockBytes)
        : m_usualBytes(usualBytes)
    {
    }

    /// Returns the line without its end; valid until the next call. Empty if the file has become shorter.
    QByteArrayView line(const LogFile &file, ByteOffset begin);

private:
    void load(const LogFile &file, qint64 from, qint64 bytes);
    /// Returns the loaded part of the line, and whether that is all of it.
    std::pair<QByteArrayView, bool> find(qint64 begin) const;

    qint64 m_usualBytes;
    std::vector<char> m_bytes;
    qint64 m_at = 0;   ///< In the file.
    qint64 m_size = 0; ///< Bytes that are there.
};

struct LogPage;

/// Result of LogFile::poll().
struct LogGrowth {
    bool changed = false;   ///< Bytes were added, or the file was cut or replaced.
    bool restarted = false; ///< The file was cut or replaced: line numbers start again.
    bool more = false;      ///< The budget ran out before the end of the file: poll again.
};

/// A growing file and an index of its lines, 16 bytes per 64 KiB. Reads the disk: not for the GUI thread.
class LogFile
{
public:
    static constexpr qint64 checkpointSpacing = 64 * 1024; ///< bytes
    static constexpr qint64 pollBudget = 64 * 1024 * 1024; ///< bytes

    /// Nothing is opened before the first poll().
    explicit LogFile(QString path);
    ~LogFile();
    Q_DISABLE_COPY_MOVE(LogFile)

    QString path() const { return m_path; }
    /// From the next poll() on the file ends at the limit. A lowered limit is reported as a cut.
    void setLimit(LogLimit limit) { m_limit = std::move(limit); }

    /// Reads the part that was added, at most `budget` bytes. An unchanged file costs one stat. A missing
    /// file is not an error; a removed one is read on while it is open. A file that is cut and grows past its
    /// old size between two polls is not noticed as cut.
    Result<LogGrowth> poll(qint64 budget = pollBudget);
    /// Closes the file; the next read opens it. For callers with thousands; if removed, it is not read on.
    void release();

    bool exists() const { return m_descriptor >= 0 || m_isReleased; }
    /// Lines read so far; an unfinished last line counts.
    qint64 totalLines() const { return m_newlines + (m_lastLineStart < m_size ? 1 : 0); }
    /// Bytes read so far.
    qint64 totalBytes() const { return m_size; }

    /// Returns `count` lines from `first`, each cut at LogLines::maxShownLineBytes with its true length added
    /// if `saysLength`. Shows the end of a long line that overwrites itself (a progress bar).
    LogPage read(LineNumber first, int count, bool saysLength = true) const;

    /// Returns the last `most` bytes of a line, uncut; empty if there is no such line.
    QByteArray readWhole(LineNumber line, qint64 most) const;

    /// The lines that one checkpoint covers: at least 64 KiB unless it is the last, more for one long line.
    struct Stretch {
        LineNumber firstLine;
        ByteOffset begin;
        ByteOffset end;
    };
    int stretchCount() const { return int(m_checkpoints.size()); }
    Stretch stretch(int index) const;
    int stretchOf(LineNumber line) const;
    /// Returns the line that holds the byte at `offset`, 0 .. totalBytes().
    LineNumber lineOf(ByteOffset offset) const;
    /// Returns where a line begins; `line` is 0 .. totalLines() - 1.
    ByteOffset beginOf(LineNumber line) const { return ByteOffset(offsetOf(line.value)); }
    /// Reads at most `size` bytes from `from` into `target`; returns how many were read.
    qint64 readBytes(ByteOffset from, char *target, qint64 size) const;

private:
    struct Checkpoint {
        qint64 line;
        qint64 offset;
    };

    int openAgain() const;
    Result<bool> open();
    void close();
    void clearIndex();
    void cutIndex(qint64 size);
    void index(const char *data, qint64 size);
    qint64 offsetOf(qint64 line) const;
    qint64 endOfLongLine(qint64 line) const;
    QByteArray cutLine(qint64 begin, qint64 end, QByteArrayView head, bool saysLength) const;

    QString m_path;
    LogLimit m_limit;
    int m_descriptor = -1;
    bool m_isReleased = false; ///< m_device and m_inode are those of the file that was read.
    dev_t m_device = 0;
    ino_t m_inode = 0;
    qint64 m_size = 0;
    qint64 m_newlines = 0;
    qint64 m_lastLineStart = 0;
    std::vector<Checkpoint> m_checkpoints;
};

} // namespace rankdeck
