#pragma once

#include "base/tr.h"

#include <QDeadlineTimer>
#include <QThread>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace rankdeck
{

/// Calls `work`, which is short and touches files, in a thread of its own, then `done` with its result in the
/// thread of `context`, unless that is gone. `work` runs to its end; the program's end waits seconds for it.
template <typename Work, typename Done>
void inBackground(QObject *context, Work work, Done done)
{
    const auto outcome = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
    QThread *thread = QThread::create([work = std::move(work), outcome] { outcome->emplace(work()); });
    QObject::connect(thread, &QThread::finished, context,
                     [outcome, done = std::move(done)]() mutable { done(std::move(**outcome)); });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    // The work may read the program's own data, such as its resources.
    QObject::connect(
        QCoreApplication::instance(), &QObject::destroyed, thread,
        [thread] { thread->wait(QDeadlineTimer(std::chrono::seconds(5))); }, Qt::DirectConnection);
    thread->start();
}

/// Does one work at a time in the background. Of the requests during the work only the newest is kept; the
/// result of outdated work is dropped. Use as a member of `context`, in whose thread `done` is called.
template <typename T>
class NewestWins
{
public:
    /// Called by long work in its thread: returns whether its result is no longer needed.
    using IsCancelled = std::function<bool()>;
    using Work = std::function<T(const IsCancelled &isCancelled)>;

    NewestWins(QObject *context, std::function<void(const T &)> done)
        : m_context(context)
        , m_done(std::move(done))
    {
    }
    ~NewestWins() { cancelRunning(); }
    Q_DISABLE_COPY_MOVE(NewestWins)

    void ask(Work work)
    {
        m_next = std::move(work);
        if (m_cancelled)
            cancelRunning();
        else
            start();
    }

private:
    void cancelRunning()
    {
        if (m_cancelled)
            *m_cancelled = true;
    }

    void start()
    {
        m_cancelled = std::make_shared<std::atomic_bool>(false);
        inBackground(
            m_context,
            [work = std::exchange(m_next, {}), cancelled = m_cancelled] {
                return work([cancelled] { return cancelled->load(); });
            },
            [this](const T &result) {
                m_cancelled.reset();
                if (m_next)
                    start();
                else
                    m_done(result);
            });
    }

    QObject *m_context;
    std::function<void(const T &)> m_done;
    Work m_next;                                   ///< The request that waits; null if none.
    std::shared_ptr<std::atomic_bool> m_cancelled; ///< Flag of the running work; null if none runs.
};

} // namespace rankdeck
