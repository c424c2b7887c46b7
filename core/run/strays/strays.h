#pragma once

#include "base/oneshottimer.h"
#include "run/process/processtree.h"
#include "run/record/runevent.h"

#include <chrono>
#include <functional>
#include <set>

namespace rankdeck
{

/// Descendants of a terminated process are reparented to the subreaper when it exits, and are signalled then.
/// Only after this time are the descendants of processes that are still alive looked up, which takes reading
/// all of /proc: milliseconds, on a large machine tens of them.
inline constexpr std::chrono::milliseconds lookDeeperAfter{50};

/// A process that SIGKILL has not ended after this time hangs in the kernel, or may not be killed by this
/// user.
inline constexpr std::chrono::milliseconds unkillableAfter{5000};

/// How far to look for processes below this process.
enum class Reach {
    Children,    ///< Its own children: cheap. Orphans are reparented to it, so without children it has no
                 ///< descendants either.
    Descendants, ///< The whole tree: reads all of /proc.
};

/// Is told of a child that has ended, as it was before its pid became free.
using OnReaped = std::function<void(const ProcessInfo &, const ExitStatus &)>;

/// Lists what lives below this process, except `spared`, the children that QProcess waits for. Adopted
/// zombies are reaped on the way, one pid at a time: a wait for any child would take the exit codes of spared
/// ones. This process must be a child subreaper.
std::vector<ProcessInfo> listStrays(Reach reach, const std::vector<qint64> &spared,
                                    const OnReaped &onReaped = {});

/// Returns "python3 (pid 4711)", for messages.
Sentence nameOf(const ProcessInfo &process);

/// Returns the event that a left-over process got this signal.
RunEvent sweptEvent(const ProcessInfo &stray, int signalNumber);

/// What keeps a process alive that got SIGKILL some seconds ago.
struct Survival {
    bool isOthers = false; ///< It belongs to another user: a rank may start a set-uid program.
    QString place;         ///< Where in the kernel it waits, as /proc/PID/wchan says; empty or "0": unknown.
    QStringList devices;   ///< NPUs that it has open: "/dev/davinci3".
};
Sentence survivalText(const ProcessInfo &process, const Survival &survival);

/// Returns the event that a process is left alone, with what keeps it alive at present.
/// @param index in the plan; -1: it is not there.
RunEvent survivedEvent(const ProcessInfo &process, int index = -1);

/// Kills everything that lives below this process at once, and reaps it. This process must be a child
/// subreaper.
class StrayKiller : public QObject
{
    Q_OBJECT

public:
    StrayKiller();

    /// Begins. May emit done() before it returns.
    void start();
    /// Call it on SIGCHLD, when a child of this process has ended; does nothing before start().
    void childEnded();

Q_SIGNALS:
    /// A child of this process, or an orphan that was reparented to it, has ended.
    void reaped(qint64 pid, const rankdeck::ExitStatus &status);
    /// Emitted with sweptEvent() once for each process, and before done() with survivedEvent() for each that
    /// hangs in the kernel or belongs to another user, and is left alone.
    void happened(const rankdeck::RunEvent &event);
    /// Emitted once.
    void done();

private:
    void sweep(Reach reach);
    void giveUp();
    void finish();

    OneShotTimer m_look;
    OneShotTimer m_deeper{int(lookDeeperAfter.count())};
    OneShotTimer m_limit{int(unkillableAfter.count())};
    std::set<pid_t> m_told;
};

} // namespace rankdeck
