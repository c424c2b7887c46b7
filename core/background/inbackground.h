#pragma once

#include "base/tr.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QObject>
#include <QThread>

#include <chrono>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace rankdeck
{

/// Calls `work` in a thread of its own, then `done` with its result in the thread of `context`. For
/// short work that touches files. `done` is not called if `context` is gone by then. `work` always runs to
/// its end; the end of the program waits a few seconds for that.
template <typename Work, typename Done>
void inBackground(QObject *context, Work work, Done done)
{
    const auto outcome = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
    QThread *thread = QThread::create([work = std::move(work), outcome] { outcome->emplace(work()); });
    QObject::connect(thread, &QThread::finished, context,
                     [outcome, done = std::move(done)]() mutable { done(std::move(**outcome)); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    // The work may read what goes with the program, such as its resources.
    QObject::connect(
        QCoreApplication::instance(), &QObject::destroyed, thread,
        [thread] { thread->wait(QDeadlineTimer(std::chrono::seconds(5))); }, Qt::DirectConnection);
    thread->start();
}

} // namespace rankdeck
