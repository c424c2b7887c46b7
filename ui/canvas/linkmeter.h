#pragma once

#include "canvas/framepacer.h"

#include <QList>

#include <optional>

namespace rankdeck
{

/// How good the connection to the display is, told from how soon it answers.
class LinkMeter
{
public:
    /// Bytes a second below which compression is worth its while (16 Mbit/s).
    static constexpr qint64 slowRate = 2'000'000;
    /// Fewer bytes at once say little about how many go through.
    static constexpr quint64 leastBytes = 200'000;

    void add(const FramePacer::Answer &answer);
    /// us; the least of the last answers, since each is late when the display or we had other things to do.
    std::optional<qint64> roundTrip() const;
    /// A large amount, such as the window's first look, went through at less than slowRate. What a connection
    /// compresses counts as it was before, so that one that does is rarely called slow.
    bool isSlow() const { return m_isSlow; }

private:
    QList<qint64> m_roundTrips;
    bool m_isSlow = false;
};

} // namespace rankdeck
