#pragma once

#include <QByteArray>

#include <deque>
#include <optional>

namespace rankdeck
{

/// The events of an agent that its head may not have: numbered from 1, and kept until the head has said that
/// they have arrived, so that what a broken stream took with it can be told again.
class EventBacklog
{
public:
    /// The line of an event, with the next number in it; it is kept.
    QByteArray add(const QByteArray &line);
    /// The head has all up to `number`; one that was never given is none of its numbers.
    void acknowledge(qint64 number);
    /// The lines that are kept, oldest first.
    const std::deque<QByteArray> &lines() const { return m_lines; }
    bool isEmpty() const { return m_lines.empty(); }

    /// The number in a line; nothing where there is none.
    static std::optional<qint64> numberIn(const QByteArray &line);

private:
    std::deque<QByteArray> m_lines;
    qint64 m_acknowledged = 0; ///< The number before that of the first line.
};

} // namespace rankdeck
