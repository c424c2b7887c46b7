#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <functional>

namespace rankdeck
{

/// Waits until a rank table's status is "completed", reading it once a second.
/// A file that is missing is an error at once; one that does not parse is read again while it is younger than
/// two seconds, since it may be half written. All file access happens in the thread this object lives in.
class RankTableWaiter : public QObject
{
    Q_OBJECT

public:
    /// @param timeLimit how long to wait for an unfinished table; 30 minutes is HCCL's own limit.
    explicit RankTableWaiter(QString path, std::chrono::seconds timeLimit = std::chrono::minutes(30),
                             QObject *parent = nullptr);

    /// Waits, blocking, for callers without an event loop. Calls `isCancelled` ten times a second, and
    /// `onWaiting` where the object would emit waiting().
    static Result<RankTable>
    wait(const QString &path, std::chrono::seconds timeLimit, const std::function<bool()> &isCancelled = {},
         const std::function<void(const QString &status, int elapsedSeconds)> &onWaiting = {});

public Q_SLOTS:
    void start();
    void cancel();

Q_SIGNALS:
    /// The table is there but not completed; `status` is its status, `elapsedSeconds` how long it has been
    /// waiting.
    void waiting(const QString &status, int elapsedSeconds);
    /// Emitted once.
    void finished(const rankdeck::Result<rankdeck::RankTable> &result);

private:
    void poll();

    QString m_path;
    std::chrono::seconds m_timeLimit;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
};

} // namespace rankdeck
