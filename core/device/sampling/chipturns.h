#pragma once

#include "device/sample/devicesample.h"

#include <QElapsedTimer>

#include <algorithm>
#include <limits>
#include <utility>

namespace rankdeck
{

/// A question that is asked of one chip at a time, with the last answer of each. Every chip gets its turn.
template <typename Answer>
class ChipTurns
{
public:
    struct Turn {
        DeviceIds chip;
        QElapsedTimer age; ///< Since it was asked.
        Answer answer;
    };

    /// Returns the due chip that was never asked, else the one asked longest ago; null if none is due.
    /// @param isDue of a sample and its chip's last turn, null where it had none.
    template <typename IsDue>
    const DeviceSample *next(const QList<DeviceSample> &samples, const IsDue &isDue) const
    {
        const DeviceSample *found = nullptr;
        qsizetype place = std::numeric_limits<qsizetype>::max();
        for (const DeviceSample &sample : samples) {
            const qsizetype at = indexOf(sample.ids);
            if (at < place && isDue(sample, at < 0 ? nullptr : &m_turns[at])) {
                found = &sample;
                place = at;
            }
        }
        return found;
    }

    /// Marks the chip as asked now; its last answer stays until there is a new one.
    void begin(const DeviceIds &chip)
    {
        const qsizetype at = indexOf(chip);
        Turn turn = at < 0 ? Turn{chip, {}, {}} : m_turns.takeAt(at);
        turn.age.start();
        m_turns.append(std::move(turn));
    }

    /// Returns the answer of the chip that was asked last.
    Answer &current() { return m_turns.last().answer; }
    /// Returns null if it was never asked.
    const Answer *answerOf(const DeviceIds &chip) const
    {
        const qsizetype at = indexOf(chip);
        return at < 0 ? nullptr : &m_turns[at].answer;
    }

private:
    qsizetype indexOf(const DeviceIds &chip) const
    {
        const auto found =
            std::ranges::find_if(m_turns, [&](const Turn &turn) { return turn.chip.isSameChip(chip); });
        return found == m_turns.end() ? -1 : found - m_turns.begin();
    }

    QList<Turn> m_turns; ///< In the order in which they were asked.
};

} // namespace rankdeck
