#pragma once

#include "background/inbackground.h"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace rankdeck
{

/// Does one piece of work at a time in the background. Of the requests that come meanwhile only the newest
/// is kept, and the result of work that was overtaken is dropped. To be a member of `context`, in whose
/// thread `done` is called.
template <typename T>
class NewestWins
{
public:
    /// For long work, called in its thread: whether its result is no longer wanted.
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
    std::shared_ptr<std::atomic_bool> m_cancelled; ///< Of the work that runs; null if none.
};

} // namespace rankdeck
