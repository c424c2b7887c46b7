#pragma once

#include "log/logtypes.h"

#include <QByteArrayView>

#include <vector>

namespace rankdeck
{

class LogFile;

/// Reads lines of a file by where they begin, a block at a time: fast for lines that stand near each other,
/// in either direction.
class LineBlock
{
public:
    /// Of a longer line the beginning is read.
    static constexpr qint64 blockBytes = 256 * 1024;

    /// Without its end; valid until the next call. Empty where the file is not that long any more.
    QByteArrayView line(const LogFile &file, ByteOffset begin);

private:
    void load(const LogFile &file, qint64 from);
    /// What there is of the line, and whether that is all of it.
    std::pair<QByteArrayView, bool> find(qint64 begin) const;

    std::vector<char> m_bytes;
    qint64 m_at = 0;   ///< In the file.
    qint64 m_size = 0; ///< Bytes that are there.
};

} // namespace rankdeck
