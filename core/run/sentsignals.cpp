#include "run/sentsignals.h"

namespace rankdeck
{

namespace
{

/// What a program does about a signal it does by then, such as writing a checkpoint.
constexpr std::chrono::seconds mayActFor{60};

} // namespace

void SentSignals::note(int process, int number, Clock::time_point now)
{
    if (number != SIGSTOP && number != SIGCONT)
        m_last[process] = {number, now};
}

void SentSignals::explain(int process, ExitStatus &status, Clock::time_point now) const
{
    const auto sent = m_last.find(process);
    if (sent == m_last.end() || status.isSuccess())
        return;
    const int number = sent->second.number;
    const bool isBySignal = status.kind == ExitStatus::Kind::Signalled && status.number == number;
    const bool isAfterSignal = status.kind == ExitStatus::Kind::Exited &&
                               (status.number == 128 + number || now - sent->second.when <= mayActFor);
    if (isBySignal || isAfterSignal)
        status.requestedSignal = number;
}

} // namespace rankdeck
