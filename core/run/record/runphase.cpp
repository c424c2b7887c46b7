#include "run/record/runphase.h"

#include "base/wordtable.h"

namespace rankdeck
{

constexpr std::array runPhaseWords{"starting", "running", "stopping", "succeeded", "failed",
                                   "stopped",  "lost",    "recorded", "writing",   "unknown"};
constexpr std::array rankPhaseWords{"waiting", "running", "exited",  "failed",
                                    "ended",   "stopped", "unknown", "writing"};
constexpr std::array holdWords{"", "paused", "traced"};

QString phaseWord(RunPhase phase)
{
    return wordIn(runPhaseWords, phase);
}

QString phaseWord(RankPhase phase)
{
    return wordIn(rankPhaseWords, phase);
}

std::optional<RankPhase> rankPhaseFromWord(const QString &word)
{
    return valueIn<RankPhase>(rankPhaseWords, word);
}

QString shownWord(RankPhase phase)
{
    static constexpr std::array words{
        QT_TRANSLATE_NOOP("rankdeck", "waiting"),   QT_TRANSLATE_NOOP("rankdeck", "running"),
        QT_TRANSLATE_NOOP("rankdeck", "succeeded"), QT_TRANSLATE_NOOP("rankdeck", "failed"),
        QT_TRANSLATE_NOOP("rankdeck", "lost"),      QT_TRANSLATE_NOOP("rankdeck", "stopped"),
        QT_TRANSLATE_NOOP("rankdeck", "unknown"),   QT_TRANSLATE_NOOP("rankdeck", "writing")};
    static_assert(words.size() == std::size_t(RankPhase::Writing) + 1);
    return tr(words.at(std::size_t(phase)));
}

QString holdWord(Hold hold)
{
    return wordIn(holdWords, hold);
}

std::optional<RunPhase> phaseFromWord(const QString &word)
{
    return valueIn<RunPhase>(runPhaseWords, word);
}

bool isLive(RunPhase phase)
{
    return phase == RunPhase::Starting || phase == RunPhase::Running || phase == RunPhase::Stopping;
}

bool mayGrow(RunPhase phase)
{
    return isLive(phase) || phase == RunPhase::Writing;
}

bool hasLogsAlone(RunPhase phase)
{
    return phase == RunPhase::Recorded || phase == RunPhase::Writing;
}

QString shownWord(RunPhase phase)
{
    static constexpr std::array words{
        QT_TRANSLATE_NOOP("rankdeck", "starting"),      QT_TRANSLATE_NOOP("rankdeck", "running"),
        QT_TRANSLATE_NOOP("rankdeck", "stopping"),      QT_TRANSLATE_NOOP("rankdeck", "succeeded"),
        QT_TRANSLATE_NOOP("rankdeck", "failed"),        QT_TRANSLATE_NOOP("rankdeck", "stopped"),
        QT_TRANSLATE_NOOP("rankdeck", "lost"),          QT_TRANSLATE_NOOP("rankdeck", "recorded"),
        QT_TRANSLATE_NOOP("rankdeck", "being written"), QT_TRANSLATE_NOOP("rankdeck", "unknown")};
    static_assert(words.size() == std::size_t(RunPhase::Unknown) + 1);
    return tr(words.at(std::size_t(phase)));
}

} // namespace rankdeck
