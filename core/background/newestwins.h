#pragma once

#include "background/inbackground.h"

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace rankdeck
{

/// Does one piece of work at a time in the background and keeps only the newest of those that are asked for
/// meanwhile; the result of one that was overtaken is dropped. A member of `context`, in whose thread `done`
/// is called.
template <typename T>
class NewestWins
{
public:
    /// Asked by long work, in its thread: whether what it makes is still wanted.
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
    Work m_next;                                   ///< What waits; null when nothing does.
    std::shared_ptr<std::atomic_bool> m_cancelled; ///< Of what runs; null when nothing does.
};

} // namespace rankdeck
