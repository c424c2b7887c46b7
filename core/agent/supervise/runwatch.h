#pragma once

#include "agent/supervise/runbook.h"
#include "agent/supervise/samplekeeper.h"
#include "agent/supervise/stallwatch.h"
#include "diagnosis/progress/progresskeeper.h"
#include "run/record/growthmarks.h"
#include "run/record/runkeeper.h"
#include "run/record/runrequests.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

/// Watches a run for its supervisor: the growth of its logs, their progress, whether its files can be
/// written, the samples of its nodes, and whether ranks stall. Writes its findings into the book.
class RunWatch : public QObject
{
    Q_OBJECT

public:
    /// @param book must live as long as this object does.
    explicit RunWatch(RunBook &book);

    /// Looks at the files twice a second from now on.
    void start();
    /// Looks a last time.
    void stop();
    /// An attempt begins, or its plan has changed: follows the logs of the present plan from now on.
    void followLogs();
    /// Brings the marks of growth up to date.
    void mark() { m_growth->mark(); }

    /// Notes the processes whose logs are on screen.
    void show(const QList<int> &processes);
    /// See StallWatch::awaitStacks().
    void awaitStacks(const QList<int> &processes);
    void takeSample(const NodeSample &sample);

    /// Returns how often each node is to be sampled: while a client wants it, while a stall is near, or
    /// always if the launch asks for it; 0: not at all.
    std::chrono::milliseconds sampleInterval(const SampleWish &wish) const;

Q_SIGNALS:
    /// After each look.
    void looked();
    /// sampleInterval() has changed.
    void sampleIntervalChanged();

private:
    void look();
    void lookForStalls(std::vector<int> grown);

    RunBook &m_book;
    SampleKeeper m_samples;
    QTimer m_timer;
    QElapsedTimer m_sinceLook;
    std::unique_ptr<RunKeeper> m_keeper;
    std::unique_ptr<GrowthMarks> m_growth;
    std::unique_ptr<StallWatch> m_stalls;       ///< For the current attempt.
    std::unique_ptr<ProgressKeeper> m_progress; ///< The same.
    QList<int> m_shown;
    bool m_isStallNear = false;
};

} // namespace rankdeck
