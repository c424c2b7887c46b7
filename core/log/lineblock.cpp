#include "log/lineblock.h"

#include "log/logfile.h"

#include <algorithm>
#include <cstring>

namespace rankdeck
{

QByteArrayView LineBlock::line(const LogFile &file, ByteOffset begin)
{
    auto [line, isWhole] = find(begin.value);
    if (isWhole)
        return line;
    // Who reads backward wants what stands before.
    if (begin.value < m_at) {
        load(file, std::max<qint64>(0, begin.value - blockBytes * 3 / 4));
        std::tie(line, isWhole) = find(begin.value);
    }
    if (!isWhole) {
        load(file, begin.value);
        line = find(begin.value).first;
    }
    return line;
}

void LineBlock::load(const LogFile &file, qint64 from)
{
    m_bytes.resize(blockBytes);
    m_at = from;
    m_size = file.readBytes(ByteOffset(from), m_bytes.data(), blockBytes);
}

std::pair<QByteArrayView, bool> LineBlock::find(qint64 begin) const
{
    if (begin < m_at || begin >= m_at + m_size)
        return {};
    const QByteArrayView rest(m_bytes.data() + (begin - m_at), m_at + m_size - begin);
    const void *const newline = std::memchr(rest.data(), '\n', static_cast<std::size_t>(rest.size()));
    if (!newline)
        return {rest, false};
    return {rest.first(static_cast<const char *>(newline) - rest.data()), true};
}

} // namespace rankdeck
