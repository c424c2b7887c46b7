#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace rankdeck
{

/// A piece of a log on its way from the node that it is written on.
struct LogChunk {
    /// The most bytes of a log that travel at once.
    static constexpr qsizetype mostBytes = 128 * 1024;

    quint32 file = 0;       ///< Index of the log, as both ends number them.
    quint32 generation = 0; ///< How often the log has begun anew: it was truncated or replaced.
    quint32 request = 0;    ///< Which wish for this log it answers.
    qint64 offset = 0;      ///< Bytes before it.
    QByteArray bytes;       ///< One to mostBytes.

    /// @param compress with zlib at its fastest; bytes that this makes no smaller go as they are.
    QByteArray toBytes(bool compress) const;
    /// Nothing when it is no chunk. Takes up to a thousand times mostBytes of memory for a moment when the
    /// sender is malicious.
    static std::optional<LogChunk> fromBytes(QByteArrayView text);

    bool operator==(const LogChunk &) const = default;
};

} // namespace rankdeck
