#pragma once

#include <QString>

#include <memory>

class QObject;
class QThread;

namespace rankdeck
{

/// A thread with an event loop for work that may block on a file system, owned by an object of the GUI
/// thread. Ends with its owner; one that hangs in the file system for longer than two seconds then is left
/// behind to end on its own rather than hang the window too.
class IoThread
{
public:
    explicit IoThread(const QString &name);
    ~IoThread();
    Q_DISABLE_COPY_MOVE(IoThread)

    /// Move `worker` into the thread, which deletes it at its end. `worker` must have no parent.
    void adopt(QObject *worker);

private:
    std::unique_ptr<QThread> m_thread;
};

} // namespace rankdeck
