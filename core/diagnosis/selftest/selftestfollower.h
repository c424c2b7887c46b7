#pragma once

#include "collective/selftest/selftest.h"
#include "log/file/logtail.h"

#include <QTimer>

#include <memory>

namespace rankdeck
{

struct LaunchPlan;

/// Reads the logs of a collective self-test, `rankdeckctl collective`. For any other run only the beginning
/// of each log is read. Reads the disk: not for the GUI thread.
class SelfTestLogs
{
public:
    /// Reading of a log stops after this many lines or bytes without an event.
    static constexpr int mostOtherLines = 64;
    static constexpr qint64 mostOtherBytes = 64 * 1024;

    explicit SelfTestLogs(const LaunchPlan &plan);

    /// Reads on, some megabytes at most. Returns true if there is more at once.
    bool readOn();
    /// Reads to the end, including an unfinished last line: the logs do not grow any more.
    void readRest();
    /// Returns true once no log is read any more.
    bool isOver() const { return m_logs.empty(); }
    const SelfTestResults &results() const { return m_results; }
    /// Returns whether the results have changed since the last call.
    bool takeChanged() { return std::exchange(m_isChanged, false); }

private:
    struct Log {
        int rank = 0;
        std::unique_ptr<LogTail> tail;
        int lines = 0; ///< Lines before its first event …
        qint64 bytes = 0;
        bool hasTold = false;
    };
    void take(Log &log, QByteArrayView line);

    std::vector<Log> m_logs; ///< Logs that are still read.
    SelfTestResults m_results;
    bool m_isChanged = false;
    bool m_keepsOpen = true;
};

/// Follows a collective self-test through the logs of a run; soon stops for others. Not for the GUI thread.
class SelfTestFollower : public QObject
{
    Q_OBJECT

public:
    static constexpr int lookMs = 250; ///< Between two looks, and between two news at least.

    explicit SelfTestFollower(const LaunchPlan &plan);

public Q_SLOTS:
    /// Reads the backlog, then polls.
    void start();
    /// Reads to the end, then stops polling: the run is over.
    void finish();

Q_SIGNALS:
    /// All results so far.
    void told(const rankdeck::SelfTestResults &results);

private:
    void look();

    SelfTestLogs m_logs;
    QTimer m_timer;
    bool m_isFinishing = false;
};

} // namespace rankdeck
