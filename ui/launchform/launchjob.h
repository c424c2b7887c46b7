#pragma once

#include "agent/preflight/holders.h"
#include "background/iothread.h"
#include "launch/launchspec.h"
#include "ranktable/tablecheck.h"
#include "result.h"

#include <QObject>

namespace rankdeck
{

class LaunchWorker;

/// One launch, from the spec to a run directory, in a thread of its own: finds the rank table, waits until it
/// is completed, checks it, plans, starts the run. Exactly one of launched(), failed() and cancelled() is
/// emitted, then finished(), all in the thread the job lives in. Deleting a job cancels it without a signal.
class LaunchJob : public QObject
{
    Q_OBJECT

public:
    explicit LaunchJob(const LaunchSpec &spec, QObject *parent = nullptr);
    ~LaunchJob() override;

public Q_SLOTS:
    void start();
    /// Nothing is started after this unless the run was being started already; then launched() still comes.
    void cancel();
    /// Launch though tableHasErrors().
    void proceed();
    /// Launch though held(): after ending the runs of ours among the holders …
    void stopHolders();
    /// … or beside them all.
    void launchAllTheSame();

Q_SIGNALS:
    /// For a status line: "Waiting for the rank table (initializing), 12 s".
    void progress(const QString &text);
    /// Nothing is started until proceed() or cancel() is called.
    void tableHasErrors(const rankdeck::TableCheck &check);
    /// Somebody holds devices or the port. Nothing is started until stopHolders(), launchAllTheSame() or
    /// cancel() is called.
    void held(const QList<rankdeck::Holder> &holders);
    void launched(const QString &runDirectory);
    void failed(const rankdeck::Error &error);
    void cancelled();
    /// Last of all, whatever came of it: the time for deleteLater().
    void finished();

private:
    IoThread m_thread;
    LaunchWorker *m_worker; ///< Lives in and is deleted by m_thread.
};

} // namespace rankdeck
