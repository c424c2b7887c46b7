#pragma once

#include "run/runstate.h"

#include <QList>
#include <QObject>
#include <QTimer>

namespace rankdeck
{

/// Every run under runsDirectory(), newest first. Reads one small file a run.
QList<RunSummary> listRuns();

/// The directory of the run called `name`: its whole name, a unique beginning or end of it, or "last".
/// Error: none or several, listed.
Result<QString> findRun(const QString &name);

/// Looks for new and changed runs every two seconds, in the thread it lives in.
class RunCatalog : public QObject
{
    Q_OBJECT

public:
    explicit RunCatalog(QObject *parent = nullptr);

public Q_SLOTS:
    void start();
    /// Look now.
    void refresh();

Q_SIGNALS:
    /// Emitted by start() and whenever the list differs from the last one.
    void runsChanged(const QList<rankdeck::RunSummary> &runs);

private:
    QTimer m_timer;
    QList<RunSummary> m_runs;
    bool m_reported = false;
};

} // namespace rankdeck
