#pragma once

#include "launch/launchplan.h"
#include "run/runevent.h"
#include "run/worker.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// Runs the hooks of one list of a plan, one after the other, each as a Worker. What they leave running is
/// left alone.
class HookSequence : public QObject
{
    Q_OBJECT

public:
    /// Before the launch the first that fails, unless it may, ends the sequence; after it none does.
    enum class When { Before, After };

    HookSequence(std::vector<ProcessPlan> hooks, When when, QObject *parent = nullptr);

    void start();
    /// Start no further hook; SIGTERM to the one that runs, SIGKILL after `graceSeconds`.
    void tearDown(int graceSeconds);
    /// Go on, but at most this long: then kill().
    void limit(int seconds);
    /// Start no further hook; SIGKILL to the one that runs.
    void kill();
    /// The hook that runs; 0 when none does.
    qint64 pid() const { return m_worker && m_worker->isRunning() ? m_worker->pid() : 0; }

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// No hook runs and none will. `ok`: none failed that may not, and nobody ended the sequence.
    void finished(bool ok);

private:
    void next();
    void takeEnd(const ExitStatus &status, const QString &reason);
    /// What SIGKILL has not ended hangs in the kernel.
    void giveUp();
    void report(RunEvent::Kind kind, const QString &text, const std::optional<ExitStatus> &status = {});
    const ProcessPlan &current() const { return m_hooks[m_index]; }

    std::vector<ProcessPlan> m_hooks;
    When m_when;
    std::size_t m_index = 0;
    std::unique_ptr<Worker> m_worker;
    QTimer m_limit;
    bool m_isCutShort = false;
    bool m_isKilled = false;
};

} // namespace rankdeck
