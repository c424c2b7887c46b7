#pragma once

#include "collective/selftest.h"
#include "launch/launchplan.h"
#include "log/logtail.h"

#include <memory>
#include <vector>

namespace rankdeck
{

/// Reads the logs of a run whose ranks make a collective self-test, `rankdeckctl collective`, for what they
/// tell. Of any other run no more than the beginning of each log is read. Reads the disk; not for the GUI
/// thread.
class SelfTestLogs
{
public:
    /// A log that has told nothing in so many lines, or bytes, is not read on.
    static constexpr int mostOtherLines = 64;
    static constexpr qint64 mostOtherBytes = 64 * 1024;

    explicit SelfTestLogs(const LaunchPlan &plan);

    /// Read on, some megabytes at most. True when there is more at once.
    bool readOn();
    /// The logs grow no more: read to the end, an unfinished last line included.
    void readRest();
    /// A rank has told something.
    bool isSelfTest() const { return m_isSelfTest; }
    /// No log is read any more.
    bool isOver() const { return m_logs.empty(); }
    const SelfTestResults &results() const { return m_results; }
    /// Whether the results have changed since this was asked last.
    bool takeChanged();

private:
    struct Log {
        int rank = 0;
        std::unique_ptr<LogTail> tail;
        int lines = 0; ///< As long as it has told nothing …
        qint64 bytes = 0;
        bool hasTold = false;
    };
    void take(Log &log, QByteArrayView line);

    std::vector<Log> m_logs; ///< Those that are read on.
    SelfTestResults m_results;
    bool m_isSelfTest = false;
    bool m_isChanged = false;
    bool m_keepsOpen = true;
};

} // namespace rankdeck
