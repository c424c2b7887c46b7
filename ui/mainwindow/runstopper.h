#pragma once

#include "background/remoteowner.h"
#include "run/runclient.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <vector>

namespace rankdeck
{

class IoThread;

/// Asks several runs to stop and waits until each has taken the request, so that the window may close.
class RunStopper : public QObject
{
    Q_OBJECT

public:
    /// @param control must outlive the stopper.
    RunStopper(const QStringList &directories, IoThread &control, QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    /// Once. `unheard` are the runs that did not take the request within ten seconds.
    void finished(const QStringList &unheard);

private:
    void settle(const QString &directory);

    std::vector<RemoteOwner<RunClient>> m_clients;
    QStringList m_waiting;
    QTimer m_deadline;
    bool m_finished = false;
};

} // namespace rankdeck
