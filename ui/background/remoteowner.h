#pragma once

#include <QObject>

#include <memory>

namespace rankdeck
{

/// Ends an object in the thread it lives in.
struct DeleteInItsThread {
    void operator()(QObject *object) const { object->deleteLater(); }
};

/// Owns an object that lives in another thread. Talk to it through signals and queued calls only.
template <typename T>
using RemoteOwner = std::unique_ptr<T, DeleteInItsThread>;

} // namespace rankdeck
