#include "run/record/shownphase.h"

#include <array>

namespace rankdeck
{

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
