#pragma once

#include "run/logchunk.h"
#include "run/logtalk.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <deque>
#include <set>
#include <vector>

namespace rankdeck
{

/// The head's end of the logs of one node: writes what comes of them into files of its own, so that they are
/// read, searched and reported like those of this machine. Grants the node as much as it may send, so that no
/// more than that is ever held in memory, and keeps what a full disk does not take until it does. Does its
/// file access in the thread it lives in.
class LogMirror : public QObject
{
    Q_OBJECT

public:
    struct Options {
        /// The most bytes of logs that are on their way or wait for the disk. Too few for what the line takes
        /// within a round trip slow it down.
        qint64 window = 4 * 1024 * 1024;
        /// 0: as fast as it comes. After a pause, what comes within a second may come at once.
        qint64 bytesPerSecond = 0;
        bool compress = false; ///< On their way, where the transport does not do that already.
        bool followAll = true; ///< Otherwise only what follow() names.
    };

    /// @param files where the mirrors are, by the index that both ends number the logs by; empty: there is no
    /// mirror of this one. What is there already is the beginning, after a break of whatever kind. Files are
    /// made 0600, and folders that are missing 0700.
    LogMirror(const QStringList &files, const Options &options, QObject *parent = nullptr);

    /// There is a node, or a new one: it is told where to go on.
    void connected();
    /// What is shown goes before all else.
    void setFirst(const QList<int> &files);
    void follow(const QList<int> &files);
    void leave(const QList<int> &files);
    /// Nothing more will be wanted: the node may go once it has sent what is.
    void finish();
    /// A LogNews. False: it is unusable, and the node with it.
    bool takeNews(const QByteArray &line);
    /// A LogChunk. False: it is unusable, and the node with it: no chunk, none that was asked for, or more
    /// than was granted.
    bool takeChunk(QByteArrayView bytes);

    /// Bytes of a mirror, those that wait for the disk included.
    qint64 size(int file) const { return m_logs[static_cast<std::size_t>(file)].place.offset; }
    /// Bytes of the log on the node, as far as it has told; also of one that is not followed.
    qint64 sizeOnNode(int file) const { return m_logs[static_cast<std::size_t>(file)].end.offset; }
    /// Bytes that the node has besides, of all that is followed, as far as it has told.
    qint64 behind() const;
    /// Bytes that wait for room on the disk.
    qint64 waiting() const { return m_waitingBytes; }

Q_SIGNALS:
    /// A LogWish, for the node.
    void wish(const QByteArray &line);
    /// A mirror cannot be written, for another reason than a full disk. It is given up.
    void failed(int file, const QString &sentence);

private:
    struct Log {
        QByteArray path;
        LogPlace place; ///< What comes next.
        LogPlace end;   ///< On the node.
        bool isFollowed = false;
    };
    Log *logAt(int file);
    bool isNext(const LogChunk &chunk) const;
    static LogPlace requestFrom(Log &log, qint64 offset);
    void writeWaiting();
    int write(Log &log, LogChunk &chunk);
    void fetchAgain(Log &log, qint64 offset);
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
    qint64 m_granted = 0;   ///< That the node has not used.
    qint64 m_free = 0;      ///< Of the window, to be granted.
    double m_allowance = 0; ///< Bytes that the rate has room for.
    QElapsedTimer m_sinceGrant;
    QTimer m_grantTimer;
    QTimer m_retry;
};

} // namespace rankdeck
