#pragma once

#include <QObject>
#include <QThread>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace rankdeck
{

/// Call `work` in a thread of its own, then `done` with what it returned, in the thread of `context`. For
/// short pieces of work that touch files. `done` is not called when `context` is gone by then; `work` runs to
/// its end.
template <typename Work, typename Done>
void inBackground(QObject *context, Work work, Done done)
{
    const auto outcome = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
    QThread *thread = QThread::create([work = std::move(work), outcome] { outcome->emplace(work()); });
    QObject::connect(thread, &QThread::finished, context,
                     [outcome, done = std::move(done)]() mutable { done(std::move(**outcome)); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
}

} // namespace rankdeck
