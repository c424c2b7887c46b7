#pragma once

#include "base/tr.h"

#include <memory>

class QObject;
class QThread;

namespace rankdeck
{

/// Deletes an object in the thread it lives in.
struct DeleteInItsThread {
    void operator()(QObject *object) const { object->deleteLater(); }
};

/// Owns an object that lives in another thread. Talk to it through signals and queued calls only.
template <typename T>
using RemoteOwner = std::unique_ptr<T, DeleteInItsThread>;

/// A thread with an event loop for work that may block on a file system. Ends with its owner, an object of
/// the GUI thread; if it is blocked for more than two seconds, it is abandoned and ends on its own.
class IoThread
{
public:
    explicit IoThread(const QString &name);
    ~IoThread();

    /// Moves `worker` into the thread, which deletes it at its end. `worker` must have no parent.
    void adopt(QObject *worker);

private:
    std::unique_ptr<QThread> m_thread;
};

} // namespace rankdeck
