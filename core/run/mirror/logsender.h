#pragma once

#include "base/oneshottimer.h"
#include "run/mirror/logtalk.h"

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include <sys/types.h>

namespace rankdeck
{

/// The node's end of mirrored logs: reports their lengths to the head, and sends the growth of followed ones
/// as far as it has credit. Reads the logs now and then, in its thread, so that no process waits for it.
class LogSender : public QObject
{
    Q_OBJECT

public:
    /// @param paths of the logs, by index; they need not exist yet.
    /// @param lookEvery how often their sizes are read.
    explicit LogSender(const QStringList &paths,
                       std::chrono::milliseconds lookEvery = std::chrono::milliseconds(100));

    void take(const LogWish &wish);
    /// Reads the sizes now, and sends what there is; for the end of this program.
    void look();
    /// Returns true if some followed log has unsent bytes, as of the last look().
    bool hasUnsent() const { return std::ranges::any_of(m_logs, &Log::hasUnsent); }

Q_SIGNALS:
    void news(const QByteArray &line);   ///< A LogNews, for the head.
    void chunk(const QByteArray &bytes); ///< A LogChunk, for the head.
    /// All followed logs have been sent, as of the last look().
    void caughtUp();

private:
    struct Log {
        QByteArray path;
        LogPlace end;        ///< As of the last look().
        qint64 offset = 0;   ///< Sent up to here.
        quint32 request = 0; ///< The wish that it is sent for.
        ino_t inode = 0;     ///< 0: the file did not exist yet.
        bool isFollowed = false;
        bool isTold = true; ///< The head knows the end.

        bool hasUnsent() const { return isFollowed && offset < end.offset; }
    };
    static void lookAt(Log &log);
    void follow(const LogPlace &place);
    void tell();
    void send();
    Log *nextToSend();
    void sendSomeOf(Log &log);

    std::vector<Log> m_logs;
    std::set<int> m_first;
    std::size_t m_lastSent = 0;
    qint64 m_credit = 0;
    bool m_compresses = false;
    QTimer m_look;
    OneShotTimer m_goOn;
};

} // namespace rankdeck
