#pragma once

#include "agent/nodedescription.h"

#include <QElapsedTimer>

namespace rankdeck
{

/// A node's clock beside this machine's, from a few questions and answers: the first answer of a connection
/// is late, and the shortest round trip tells best.
class ClockComparison
{
public:
    /// A question is sent now.
    void ask()
    {
        m_askedUs = wallClockUs();
        m_sinceQuestion.start();
    }

    /// Its answer is here, with the node's clock; whether another question is worth it.
    bool take(const NodeDescription &answer)
    {
        const double roundTrip = static_cast<double>(m_sinceQuestion.nsecsElapsed()) / 1e6;
        if (m_answers == 0 || roundTrip < m_roundTripMs) {
            m_roundTripMs = roundTrip;
            m_offsetMs = static_cast<double>(answer.wallUs - m_askedUs) / 1000 - roundTrip / 2;
        }
        return ++m_answers < questions;
    }

    double roundTripMs() const { return m_roundTripMs; } ///< The shortest.
    /// The node's clock less this one's, within half the round trip.
    double offsetMs() const { return m_offsetMs; }

private:
    static constexpr int questions = 5;

    QElapsedTimer m_sinceQuestion;
    qint64 m_askedUs = 0;
    int m_answers = 0;
    double m_roundTripMs = 0;
    double m_offsetMs = 0;
};

} // namespace rankdeck
