#pragma once

#include "base/tr.h"

#include <deque>
#include <optional>

namespace rankdeck
{

/// The events of an agent that its head may not have received: numbered from 1, and kept until the head has
/// acknowledged them, so that those lost with a broken stream can be sent again.
class EventBacklog
{
public:
    /// Keeps the line of an event, and returns it with its number.
    QByteArray add(const QByteArray &line);
    /// The head has all events up to `number`. A number that was never given is ignored.
    void acknowledge(qint64 number);
    /// Returns the lines that are kept, oldest first.
    const std::deque<QByteArray> &lines() const { return m_lines; }
    bool isEmpty() const { return m_lines.empty(); }

    /// Returns the number in a line; nothing if it has none.
    static std::optional<qint64> numberIn(const QByteArray &line);

private:
    std::deque<QByteArray> m_lines;
    qint64 m_acknowledged = 0; ///< The number before that of the first line.
};

} // namespace rankdeck
