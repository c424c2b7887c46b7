#pragma once

#include "agent/preflight/holders.h"
#include "background/iothread.h"
#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "ranktable/rules/ranktablecheck.h"

#include <QDeadlineTimer>
#include <QMessageBox>

#include <atomic>

namespace rankdeck
{

class NodeHolders;
class RankTableWaiter;

/// When to start a launch whose devices or ports are used by processes outside of live runs.
enum class LaunchWhen {
    Asked,    ///< At once, after the user was asked.
    OnceFree, ///< The processes may be ending: it waits for that, at most LaunchWorker::freeLimit, then asks.
};

/// The blocking part of a LaunchJob; lives in its thread.
class LaunchWorker : public QObject
{
    Q_OBJECT

public:
    /// @param chip the rank table is checked by its rules.
    explicit LaunchWorker(LaunchSpec spec, Chip chip = Chip::Unknown, LaunchWhen when = LaunchWhen::Asked);

    /// HCCL needs some ten seconds until the devices of a run that has ended can be used again (EJ0001).
    static constexpr std::chrono::seconds freeLimit{30};

    void run();
    // See LaunchJob.
    void proceed()
    {
        if (!m_done)
            makePlan();
    }
    void stopHolders();
    void launchAllTheSame();
    /// Cancels the launch; may be called in any thread. A run that is already starting goes on.
    void requestCancel();

Q_SIGNALS:
    void progress(const QString &text);
    void tableHasErrors(const rankdeck::TableCheck &check);
    void held(const QList<rankdeck::Holder> &holders);
    // Exactly one of the following is emitted, once:
    void launched(const QString &runDirectory);
    void failed(const rankdeck::Error &error);
    void cancelled();

private:
    void finishWaiting(const Result<RankTable> &table);
    void checkTable();
    void makePlan();
    void findHolders();
    void askNodes();
    void dropNodes();
    void onHoldersFound(const Holders &holders);
    bool waitsFor(const Holders &holders);
    void launch();
    void fail(const Error &error)
    {
        m_done = true;
        Q_EMIT failed(error);
    }
    void giveUp();

    LaunchSpec m_spec;
    HostFacts m_facts;
    Chip m_chip;
    LaunchWhen m_when;
    std::optional<QDeadlineTimer> m_untilFree; ///< Deadline of a running wait.
    QString m_tablePath;
    RankTable m_table;
    LaunchPlan m_plan;
    QList<Holder> m_holders;
    RankTableWaiter *m_waiter = nullptr; ///< A child.
    NodeHolders *m_nodes = nullptr;      ///< A child; of a launch for named nodes.
    std::atomic_bool m_cancelRequested = false;
    bool m_done = false;
};

/// Carries out a launch in a thread of its own: finds the rank table, waits until it is completed, checks it,
/// plans, starts the run. Emits exactly one of launched(), failed() and cancelled(), then finished(), all in
/// the thread of the job. Deleting a job cancels it without a signal.
class LaunchJob : public QObject
{
    Q_OBJECT

public:
    explicit LaunchJob(const LaunchSpec &spec, QObject *parent = nullptr,
                       LaunchWhen when = LaunchWhen::Asked);
    ~LaunchJob() override { m_worker->requestCancel(); }

public Q_SLOTS:
    void start() { post(&LaunchWorker::run); }
    /// Cancels the launch, unless the run is starting already; then launched() still follows.
    void cancel() { m_worker->requestCancel(); }
    /// Launches despite tableHasErrors().
    void proceed() { post(&LaunchWorker::proceed); }
    /// After held(): ends the holders that are runs of Rankdeck, then launches.
    void stopHolders() { post(&LaunchWorker::stopHolders); }
    /// After held(): launches beside the holders.
    void launchAllTheSame() { post(&LaunchWorker::launchAllTheSame); }

Q_SIGNALS:
    /// Text for a status line: "Waiting for the rank table (initializing), 12 s".
    void progress(const QString &text);
    /// The job waits for proceed() or cancel().
    void tableHasErrors(const rankdeck::TableCheck &check);
    /// Other processes hold devices or the port. The job waits for stopHolders(), launchAllTheSame() or
    /// cancel().
    void held(const QList<rankdeck::Holder> &holders);
    void launched(const QString &runDirectory);
    void failed(const rankdeck::Error &error);
    void cancelled();
    /// The last signal of every job; it may be deleted later from here.
    void finished();

private:
    /// Calls a function of the worker in its thread.
    void post(void (LaunchWorker::*function)())
    {
        QMetaObject::invokeMethod(m_worker, function, Qt::QueuedConnection);
    }

    IoThread m_thread;
    LaunchWorker *m_worker; ///< Lives in and is deleted by m_thread.
};

/// Asks whether to launch with a rank table that has errors. Cancel is the default.
class LaunchQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// It answers `job`, and closes when the job has finished.
    LaunchQuestion(const TableCheck &check, LaunchJob *job, QWidget *parent);
};

/// Asks what to do if other processes hold the devices or the port of a launch: stop the runs of Rankdeck
/// among them and launch, launch all the same, or cancel.
class HoldersQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// As LaunchQuestion.
    HoldersQuestion(const QList<Holder> &holders, LaunchJob *job, QWidget *parent);
};

} // namespace rankdeck
