#pragma once

#include "base/oneshottimer.h"
#include "run/mirror/logtalk.h"

#include <QElapsedTimer>

#include <deque>
#include <set>
#include <vector>

namespace rankdeck
{

/// The head's end of the logs of one node: writes them into files on this machine, so that they are read,
/// searched and reported like its own logs. Grants the node credit, which limits the bytes in memory, and
/// keeps bytes that a full disk does not accept until it does. Accesses files in the thread it lives in.
class LogMirror : public QObject
{
    Q_OBJECT

public:
    struct Options {
        /// The most bytes that are on their way or wait for the disk. Less than the network takes within a
        /// round trip slows the transfer down.
        qint64 window = 4 * 1024 * 1024;
        /// 0: as fast as it comes. After a pause, what comes within a second may come at once.
        qint64 bytesPerSecond = 0;
        bool compress = false; ///< For transports that do not compress already.
        bool followAll = true; ///< Otherwise only what follow() names.
    };

    /// @param files the mirrors, by the index that both ends use; empty: no mirror of this log. A file that
    /// exists is continued. Files are made 0600, and missing folders 0700.
    LogMirror(const QStringList &files, const Options &options);

    /// Requests the next pieces from a node that has connected, for the first time or again.
    void connected();
    void setFirst(const QList<int> &files);
    void follow(const QList<int> &files);
    void leave(const QList<int> &files);
    /// Sends the node the permission to exit once everything is sent.
    void finish() { Q_EMIT wish(LogWish{.isLast = true}.toLine()); }
    /// Takes a LogNews. False: it is unusable, and so is the node.
    bool takeNews(const QByteArray &line);
    /// Takes a LogChunk. False: not a chunk, not asked for, or more than was granted; the node is unusable.
    bool takeChunk(QByteArrayView bytes);

    /// Returns the bytes of a mirror, including those that wait for the disk.
    qint64 size(int file) const { return m_logs[static_cast<std::size_t>(file)].place.offset; }
    /// Returns the bytes of the log on the node by its last news, also of a log that is not followed.
    qint64 sizeOnNode(int file) const { return m_logs[static_cast<std::size_t>(file)].end.offset; }
    /// Returns the bytes that are still missing here of all followed logs, by the last news.
    qint64 behind() const;
    /// Returns the bytes that wait for room on the disk.
    qint64 waiting() const { return m_waitingBytes; }

Q_SIGNALS:
    void wish(const QByteArray &line); ///< A LogWish, for the node.
    /// Emitted if a mirror cannot be written, for another reason than a full disk; it is abandoned.
    void failed(int file, const QString &sentence);

private:
    struct Log {
        QByteArray path;
        LogPlace place; ///< Place of the next piece.
        LogPlace end;   ///< On the node.
        bool isFollowed = false;
    };
    static LogPlace requestFrom(Log &log, qint64 offset);
    void writeWaiting();
    int write(Log &log, LogChunk &chunk);
    void giveUp(Log &log, int errorNumber);
    void release(qint64 bytes);
    void grant();

    Options m_options;
    qint64 m_window;
    std::vector<Log> m_logs;
    std::deque<LogChunk> m_waiting;
    qint64 m_waitingBytes = 0;
    QList<int> m_first;
    bool m_isConnected = false;
    qint64 m_granted = 0;   ///< Credit that the node has not used.
    qint64 m_free = 0;      ///< Part of the window that is not granted yet.
    double m_allowance = 0; ///< Bytes that the rate has room for.
    QElapsedTimer m_sinceGrant;
    OneShotTimer m_grantTimer; ///< Small pieces of credit are granted together.
    OneShotTimer m_retry;      ///< How often a full disk is tried again.
};

} // namespace rankdeck
