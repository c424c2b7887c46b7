#pragma once

#include "run/exitstatus.h"

#include <chrono>
#include <map>

namespace rankdeck
{

/// The signals that were sent to a node's processes on request: who looks at an end later is to know that
/// somebody wanted to see what the signal does.
class SentSignals
{
public:
    using Clock = std::chrono::steady_clock;

    /// Those that only hold a process and let it go on are not remembered.
    void note(int process, int number, Clock::time_point now = Clock::now());
    /// Say in the status of a process that has failed which signal it ended by, or had a minute ago or less.
    void explain(int process, ExitStatus &status, Clock::time_point now = Clock::now()) const;

private:
    struct Sent {
        int number;
        Clock::time_point when;
    };
    std::map<int, Sent> m_last;
};

} // namespace rankdeck
