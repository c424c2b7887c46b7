#pragma once

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

/// Call `work` in a thread of its own, then `done` with what it returned, in the thread of `context`. For
/// short pieces of work that touch files. `done` is not called when `context` is gone by then; `work` runs to
/// its end, for which the end of the program waits a few seconds.
template <typename Work, typename Done>
void inBackground(QObject *context, Work work, Done done)
{
    const auto outcome = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
    QThread *thread = QThread::create([work = std::move(work), outcome] { outcome->emplace(work()); });
    QObject::connect(thread, &QThread::finished, context,
                     [outcome, done = std::move(done)]() mutable { done(std::move(**outcome)); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    // What it reads may go with the program, as its resources do.
    QObject::connect(
        QCoreApplication::instance(), &QObject::destroyed, thread,
        [thread] { thread->wait(QDeadlineTimer(std::chrono::seconds(5))); }, Qt::DirectConnection);
    thread->start();
}

} // namespace rankdeck
