#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace rankdeck
{

// What the ends of a mirrored log say to each other beside the chunks: one JSON object a line, {"logs": …}.

/// A place in a log, or its end.
struct LogPlace {
    int file = 0;           ///< Index of the log, as both ends number them.
    quint32 generation = 0; ///< How often the log has begun anew: it was truncated or replaced.
    qint64 offset = 0;      ///< Bytes before it.
    quint32 request = 0;    ///< Of a wish: its number, which comes back with each chunk that answers it.

    bool operator==(const LogPlace &) const = default;
};

/// Whether a line is one of these; it may be unusable all the same.
bool isLogLine(const QByteArray &line);

/// The node says how long logs have become, also those that it sends nothing of.
struct LogNews {
    QList<LogPlace> ends;

    QByteArray toLine() const;
    static std::optional<LogNews> fromLine(const QByteArray &line);
    bool operator==(const LogNews &) const = default;
};

/// What the head asks of a node.
struct LogWish {
    QList<LogPlace> follow;          ///< Send these logs from here on.
    QList<int> leave;                ///< Send no more of these.
    std::optional<QList<int>> first; ///< Those that are shown: whatever they have goes before all others.
    std::optional<bool> compress;
    qint64 credit = 0; ///< Bytes of logs, before they are compressed, that may be sent besides those before.
    /// The run has ended there, and this is all: when it is sent, the node may go.
    bool isLast = false;

    QByteArray toLine() const;
    static std::optional<LogWish> fromLine(const QByteArray &line);
    bool operator==(const LogWish &) const = default;
};

} // namespace rankdeck
