#pragma once

#include "diagnosis/progress/progressreader.h"
#include "diagnosis/progress/rankprogress.h"
#include "launch/launchplan.h"
#include "log/loglinereader.h"
#include "log/logtail.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Reads the logs of all ranks of a run for their progress, each byte once, and remembers what they said in
/// bounded memory: 16 MB for a thousand ranks. Of processes that are no workers nothing is read. Reads the
/// disk; not for the GUI thread.
class ProgressLogs
{
public:
    /// Steps of other runs and attempts have other logs, so each takes an object of its own.
    ProgressLogs(const LaunchPlan &plan, ProgressReader reader);
    ~ProgressLogs();
    Q_DISABLE_COPY_MOVE(ProgressLogs)

    /// Read on, some megabytes at most. True when there is more at once.
    /// @param isLive lines come as they are printed, once all was read that was there first; else when they
    /// came is not known.
    bool readOn(bool isLive);
    /// The logs grow no more: read to the end, an unfinished last line included.
    void readRest();

    /// Processes of the plan.
    int count() const { return static_cast<int>(m_logs.size()); }
    /// What is known of one; an empty progress where it is no worker or printed none.
    const ProgressTracker &tracker(int process) const;
    /// Those whose progress has changed since this was asked last, in their order.
    std::vector<int> takeChanged();

private:
    struct Log;
    qint64 read(Log &log, std::size_t stream, qint64 most, bool isLive);

    ProgressReader m_reader;
    std::vector<std::unique_ptr<Log>> m_logs; ///< By process; null for what is no worker.
    std::size_t m_next = 0;
    bool m_isCaughtUp = false;
    bool m_keepsOpen = true;
};

} // namespace rankdeck
