#include "agent/node/promptwatch.h"

#include "run/record/runevent.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <vector>

namespace rankdeck
{

/// A prompt and the output before it may come in pieces.
constexpr int lookMs = 40;
constexpr qint64 pauseMs = 200;

PromptWatch::PromptWatch(const QString &pattern)
    : m_reader(pattern)
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &PromptWatch::look);
}

void PromptWatch::take(int process, QByteArrayView printed)
{
    Rank &rank = m_ranks.try_emplace(process, Rank{m_reader, {}, {}, 0, false}).first->second;
    rank.reader.take(printed);
    rank.printed = QDateTime::currentDateTimeUtc();
    rank.isNew = true;
    if (!m_timer.isActive())
        m_timer.start();
}

void PromptWatch::look()
{
    bool isAnyLeft = false;
    std::vector<RunEvent> events;
    const qint64 now = QDeadlineTimer::current(Qt::PreciseTimer).deadline();
    for (auto &[process, rank] : m_ranks) {
        if (!rank.isNew)
            continue;
        // A rank that was just reported is looked at later.
        if (now - rank.toldAt < pauseMs) {
            isAnyLeft = true;
            continue;
        }
        rank.isNew = false;
        const std::optional<RankPrompt> prompt = rank.reader.prompt();
        if (prompt.has_value() == rank.told.has_value() && (!prompt || prompt->isSamePlace(*rank.told)))
            continue;
        rank.told = prompt;
        rank.toldAt = now;
        events.push_back(RunEvent::now(prompt ? AnyEvent(events::AtPrompt{process, prompt})
                                              : events::PromptLeft{process}));
        events.back().wall = rank.printed;
    }
    // In the order in which ranks reached their breakpoints.
    std::ranges::stable_sort(events, {}, &RunEvent::wall);
    for (const RunEvent &event : events)
        Q_EMIT happened(event);
    if (!isAnyLeft)
        m_timer.stop();
}

} // namespace rankdeck
