#include "agent/channel/eventbacklog.h"

namespace rankdeck
{

/// How a numbered line begins.
constexpr char beginning[] = "{\"n\":";
constexpr qsizetype beginningSize = sizeof beginning - 1;

QByteArray EventBacklog::add(const QByteArray &line)
{
    const qint64 number = m_acknowledged + static_cast<qint64>(m_lines.size()) + 1;
    m_lines.push_back(beginning + QByteArray::number(number) + ',' + line.mid(1));
    return m_lines.back();
}

void EventBacklog::acknowledge(qint64 number)
{
    if (number > m_acknowledged + static_cast<qint64>(m_lines.size()))
        return;
    for (; m_acknowledged < number; ++m_acknowledged)
        m_lines.pop_front();
}

std::optional<qint64> EventBacklog::numberIn(const QByteArray &line)
{
    const qsizetype end = line.indexOf(',');
    if (!line.startsWith(beginning) || end < 0)
        return std::nullopt;
    bool isNumber = false;
    const qint64 number = line.mid(beginningSize, end - beginningSize).toLongLong(&isNumber);
    return isNumber && number > 0 ? std::optional(number) : std::nullopt;
}

} // namespace rankdeck
