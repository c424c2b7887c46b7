#include "run/linebuffer.h"

namespace rankdeck
{

LineBuffer::LineBuffer(qsizetype longestLine)
    : m_longestLine(longestLine)
{
}

void LineBuffer::add(QByteArrayView bytes)
{
    if (!m_isOverlong)
        m_bytes.append(bytes);
}

std::optional<QByteArray> LineBuffer::take()
{
    const qsizetype end = m_bytes.indexOf('\n', m_searched);
    const qsizetype length = end < 0 ? m_bytes.size() : end;
    if (length > m_longestLine) {
        m_isOverlong = true;
        m_bytes.clear();
        m_searched = 0;
        return std::nullopt;
    }
    if (end < 0) {
        m_searched = length;
        return std::nullopt;
    }
    const QByteArray line = m_bytes.left(end);
    m_bytes.remove(0, end + 1);
    m_searched = 0;
    return line;
}

} // namespace rankdeck
