#pragma once

#include "diagnosis/progress/progresslogs.h"

#include <deque>

namespace rankdeck
{

/// Reads the progress in the logs of a live run as they grow, and keeps it in the run directory: whoever asks
/// for it reads only what came since. Logs that are read in a moment anyway are left alone. Meant for a
/// supervisor: a look takes 20 ms of cpu at most, and if logs grow faster than that, later readers have more
/// to do.
class ProgressKeeper
{
public:
    /// @param plan of the attempt. @param places of the attempt, with both folders.
    ProgressKeeper(std::shared_ptr<const LaunchPlan> plan, ProgressReader reader, ProgressPlaces places);
    ~ProgressKeeper();
    Q_DISABLE_COPY_MOVE(ProgressKeeper)

    /// Reads on; call it twice a second, when the growth of the logs has been marked.
    /// @param hasGrown some log has grown since the last call.
    void look(bool hasGrown);
    /// Reads on for a third of a second of cpu at most, and keeps all that is known: the logs do not grow any
    /// more.
    void finish();
    /// Keeps all that is known.
    void keep();

private:
    void findGrown(bool isEnd);
    void readGrown(std::chrono::milliseconds cpu);

    std::shared_ptr<const LaunchPlan> m_plan;
    ProgressReader m_reader;
    ProgressPlaces m_places;
    std::unique_ptr<ProgressLogs> m_logs; ///< Null until a log is worth it.
    std::deque<int> m_grown;              ///< Processes whose logs are to be read.
    bool m_hasGrown = false;
    int m_looks = 0;
};

} // namespace rankdeck
