#pragma once

#include "log/logtypes.h"
#include "result.h"

#include <QString>

#include <sys/types.h>
#include <vector>

namespace rankdeck
{

struct LogPage;

/// What one LogFile::poll() found.
struct LogGrowth {
    bool changed = false;   ///< Bytes were added, or the file was cut or replaced.
    bool restarted = false; ///< The file was cut or replaced: line numbers start again.
    bool more = false;      ///< The budget ran out before the end of the file: poll again.
};

/// One growing file and a sparse index of its lines: 16 bytes a 64 KiB of file, nothing per line, so that a
/// log of many gigabytes costs next to nothing. Every call reads the disk; not for the GUI thread.
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

    /// Read what was added, at most `budget` bytes of it. An unchanged file costs one stat. A file that is
    /// not there (yet) is no error; one that was removed is read on for as long as it is held open. A file
    /// that is cut and grows past its old size between two polls is not noticed as cut.
    Result<LogGrowth> poll(qint64 budget = pollBudget);

    bool exists() const { return m_descriptor >= 0; }
    /// Lines read so far; an unfinished last line counts.
    qint64 totalLines() const { return m_newlines + (m_lastLineStart < m_size ? 1 : 0); }
    /// Bytes read so far.
    qint64 totalBytes() const { return m_size; }

    /// `count` lines from `first`, each cut at LogLines::maxShownLineBytes with its true length said
    /// behind it. Of a long line that overwrites itself with carriage returns (a progress bar), the end is
    /// shown.
    LogPage read(LineNumber first, int count) const;

    /// The last `most` bytes of a line, uncut; empty where there is none.
    QByteArray readWhole(LineNumber line, qint64 most) const;

    /// Whole lines that lie together: what one checkpoint of the index covers. At least 64 KiB unless it is
    /// the last, more only because its last line is that long.
    struct Stretch {
        LineNumber firstLine;
        ByteOffset begin;
        ByteOffset end;
    };
    int stretchCount() const { return int(m_checkpoints.size()); }
    Stretch stretch(int index) const;
    int stretchOf(LineNumber line) const;
    /// The line that the byte at `offset`, 0 .. totalBytes(), belongs to or would begin.
    LineNumber lineOf(ByteOffset offset) const;
    /// At most `size` bytes from `from` into `target`; how many there were.
    qint64 readBytes(ByteOffset from, char *target, qint64 size) const;

private:
    struct Checkpoint {
        qint64 line;
        qint64 offset;
    };

    Result<bool> open();
    void close();
    void clearIndex();
    void index(const char *data, qint64 size);
    qint64 offsetOf(qint64 line) const;
    qint64 endOfLongLine(qint64 line) const;
    QByteArray cutLine(qint64 begin, qint64 end, QByteArrayView head) const;

    QString m_path;
    int m_descriptor = -1;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    qint64 m_size = 0;
    qint64 m_newlines = 0;
    qint64 m_lastLineStart = 0;
    std::vector<Checkpoint> m_checkpoints;
    std::vector<char> m_block;
};

} // namespace rankdeck
