#pragma once

#include "base/result.h"
#include "ranktable/table/ranktable.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <functional>

namespace rankdeck
{

/// Returns why a rank table that is not completed may still become so, for messages: its status, or that it
/// is being written (cut off, or changed less than two seconds ago), or that its folder has no such file yet.
/// Empty: `table`, as read from `path`, is completed, or it is wrong for good.
QString statusOfUnfinishedTable(const QString &path, const Result<RankTable> &table);

/// Waits until a rank table's status is "completed", reading it once a second. What
/// statusOfUnfinishedTable() has a word for is waited for; any other fault is an error at once. All file
/// access happens in the thread this object lives in.
class RankTableWaiter : public QObject
{
    Q_OBJECT

public:
    /// @param timeLimit how long to wait for an unfinished table; 30 minutes is HCCL's own limit.
    explicit RankTableWaiter(QString path, std::chrono::seconds timeLimit = std::chrono::minutes(30),
                             QObject *parent = nullptr);

    /// Waits, blocking. Calls `isCancelled` ten times a second, and `onWaiting` in place of waiting().
    static Result<RankTable>
    wait(const QString &path, std::chrono::seconds timeLimit, const std::function<bool()> &isCancelled = {},
         const std::function<void(const QString &status, int elapsedSeconds)> &onWaiting = {});

    /// Names the option that sets the time limit, for the error when the time is up; "--wait" by default.
    void setLimitOption(const QString &option) { m_limitOption = option; }

public Q_SLOTS:
    void start();
    void cancel();

Q_SIGNALS:
    /// The table is not completed: its statusOfUnfinishedTable(), and for how long it has waited.
    void waiting(const QString &status, int elapsedSeconds);
    /// Emitted once.
    void finished(const rankdeck::Result<rankdeck::RankTable> &result);

private:
    void poll();

    QString m_path;
    std::chrono::seconds m_timeLimit;
    QString m_limitOption = u"--wait"_s;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
};

} // namespace rankdeck
