#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// A piece of a log on its way from the node that it is written on.
struct LogChunk {
    static constexpr qsizetype mostBytes = 128 * 1024; ///< The most bytes of a log in one chunk.

    quint32 file = 0;       ///< Index of the log, as both ends number them.
    quint32 generation = 0; ///< How often the log has restarted: it was truncated or replaced.
    quint32 request = 0;    ///< Number of the wish for this log that it answers.
    qint64 offset = 0;      ///< Bytes before it.
    QByteArray bytes;       ///< One to mostBytes.

    /// @param compress with zlib at its fastest; bytes that do not become smaller are sent unchanged.
    QByteArray toBytes(bool compress) const;
    /// Nothing if it is not a chunk. A malicious one takes a thousand times mostBytes of memory for a moment.
    static std::optional<LogChunk> fromBytes(QByteArrayView text);

    bool operator==(const LogChunk &) const = default;
};

// Messages between the two ends of mirrored logs: chunks, and one JSON object a line, {"logs": …}.

/// A place in a log, or its end.
struct LogPlace {
    int file = 0;           ///< Index of the log, as both ends number them.
    quint32 generation = 0; ///< How often the log has restarted: it was truncated or replaced.
    qint64 offset = 0;      ///< Bytes before it.
    quint32 request = 0;    ///< In a wish: its number, which is repeated in each chunk that answers it.

    bool operator==(const LogPlace &) const = default;
};

/// Returns the log with this index; null if there is none.
auto *logIn(auto &logs, int file)
{
    return file >= 0 && file < static_cast<int>(logs.size()) ? &logs[static_cast<std::size_t>(file)]
                                                             : nullptr;
}

/// Returns true if a line is a LogNews or a LogWish; it may still be unusable.
bool isLogLine(const QByteArray &line);

/// Reports the sizes of logs to the head, also of logs that the node does not send.
struct LogNews {
    QList<LogPlace> ends;

    QByteArray toLine() const;
    static std::optional<LogNews> fromLine(const QByteArray &line);
    bool operator==(const LogNews &) const = default;
};

struct LogWish {
    QList<LogPlace> follow = {};          ///< Send these logs from here on.
    QList<int> leave = {};                ///< Logs that the node shall stop sending.
    std::optional<QList<int>> first = {}; ///< Logs that are shown: they are sent before all others.
    std::optional<bool> compress = {};
    qint64 credit = 0;   ///< More bytes of logs, before compression, that may be sent.
    bool isLast = false; ///< The run has ended: the node may exit when everything is sent.

    QByteArray toLine() const;
    static std::optional<LogWish> fromLine(const QByteArray &line);
    bool operator==(const LogWish &) const = default;
};

} // namespace rankdeck
