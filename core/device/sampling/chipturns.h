#pragma once

#include "device/devicesample.h"

#include <QElapsedTimer>
#include <QList>

#include <algorithm>
#include <limits>
#include <utility>

namespace rankdeck
{

/// What is asked of one chip at a time, and what each said last. However seldom there is time for a question,
/// every chip has its turn.
template <typename Answer>
class ChipTurns
{
public:
    struct Turn {
        DeviceIds chip;
        QElapsedTimer age; ///< Since it was asked.
        Answer answer;
    };

    /// Of those that are due the one that was never asked, else the one that was asked longest ago; null:
    /// none is due.
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

    /// It is asked now; what it said last stays until it says something else.
    void begin(const DeviceIds &chip)
    {
        const qsizetype at = indexOf(chip);
        Turn turn = at < 0 ? Turn{chip, {}, {}} : m_turns.takeAt(at);
        turn.age.start();
        m_turns.append(std::move(turn));
    }

    /// Of the chip that was asked last.
    Answer &current() { return m_turns.last().answer; }
    /// Null: it was never asked.
    const Answer *answerOf(const DeviceIds &chip) const
    {
        const qsizetype at = indexOf(chip);
        return at < 0 ? nullptr : &m_turns[at].answer;
    }

private:
    qsizetype indexOf(const DeviceIds &chip) const
    {
        const auto found = std::find_if(m_turns.begin(), m_turns.end(),
                                        [&](const Turn &turn) { return turn.chip.isSameChip(chip); });
        return found == m_turns.end() ? -1 : found - m_turns.begin();
    }

    QList<Turn> m_turns; ///< In the order in which they were asked.
};

} // namespace rankdeck
