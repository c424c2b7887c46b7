#pragma once

#include "base/oneshottimer.h"
#include "log/line/logtypes.h"

#include <QFile>

namespace rankdeck
{

/// Reads the log of a terminal and its growth, in the thread it lives in (never the GUI thread), on a timer.
/// Sends the next part only after the last one was taken(), and skips to the end if it falls too far behind:
/// so the view stays quick with any amount of output.
class TerminalFollower : public QObject
{
    Q_OBJECT

public:
    /// Bytes that are read of an existing log, from the beginning of a line.
    static constexpr qint64 shownBefore = 256 * 1024;
    /// Bytes that it may be behind before it skips.
    static constexpr qint64 mostBehind = 1024 * 1024;
    /// Bytes before the end that it reads after a skip.
    static constexpr qint64 shownAfterSkip = 64 * 1024;
    static constexpr qint64 partBytes = 64 * 1024;
    /// ms between polls: within quickPeriod after typing or output, else idleInterval.
    static constexpr int quickInterval = 10;
    static constexpr int quickPeriod = 2000;
    static constexpr int idleInterval = 100;
    /// ms after a skip.
    static constexpr int floodInterval = 200;

    struct Part {
        QByteArray bytes;
        qint64 skipped = 0;   ///< Bytes skipped between the last part and this one.
        bool isOld = false;   ///< The part was in the log before start().
        bool isFirst = false; ///< First of a new log: the terminal must be cleared.
    };

    explicit TerminalFollower(const QString &path);

    /// From the next poll on the log ends at the limit. After a lowered limit the log begins again.
    void setLimit(LogLimit limit) { m_limit = std::move(limit); }
    /// Starts to read; nothing is sent until a log exists.
    void start() { poll(); }
    /// Reports that the last part was shown.
    void taken()
    {
        m_isWaiting = false;
        pollAgain();
    }
    /// Reports typing: an echo may come soon.
    void expectNews();

Q_SIGNALS:
    void part(const rankdeck::TerminalFollower::Part &part);

private:
    bool openLog();
    void poll();
    void skipTo(qint64 offset, qint64 size);
    void pollAgain();

    qint64 size() const { return limited(m_file.size(), m_limit); }

    QFile m_file;
    LogLimit m_limit;
    OneShotTimer m_timer;
    int m_quickPolls = 0; ///< Quick polls that are left.
    qint64 m_offset = 0;
    qint64 m_sizeAtOpening = 0;
    qint64 m_skipped = 0;
    bool m_isFirst = true;
    bool m_isWaiting = false; ///< For taken().
    bool m_isFlooded = false;
};

} // namespace rankdeck
