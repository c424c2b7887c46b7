#include "agent/channel/frames.h"

#include <QtEndian>

#include <algorithm>

namespace rankdeck
{

constexpr char frameMark[] = {'\0', 'F'};
constexpr qsizetype channelAt = 2;
constexpr qsizetype sizeAt = 4;
constexpr qsizetype headerBytes = 8;

QByteArray framed(quint16 channel, QByteArrayView bytes)
{
    Q_ASSERT(bytes.size() <= mostFrameBytes);
    QByteArray frame(headerBytes, Qt::Uninitialized);
    frame.reserve(headerBytes + bytes.size());
    std::copy_n(frameMark, sizeof frameMark, frame.data());
    qToLittleEndian(channel, frame.data() + channelAt);
    qToLittleEndian(static_cast<quint32>(bytes.size()), frame.data() + sizeAt);
    return frame.append(bytes);
}

FrameDecoder::FrameDecoder(qsizetype longestLine)
    : m_longestLine(longestLine)
{
}

void FrameDecoder::add(QByteArrayView bytes)
{
    if (m_isUnusable)
        return;
    // Not at each take: what is left would be moved again and again.
    m_bytes.remove(0, m_taken);
    m_taken = 0;
    m_bytes.append(bytes);
}

std::optional<FrameDecoder::Item> FrameDecoder::take()
{
    const QByteArrayView rest = QByteArrayView(m_bytes).sliced(m_taken);
    if (rest.isEmpty())
        return std::nullopt;
    return rest[0] == frameMark[0] ? takeFrame(rest) : takeLine(rest);
}

std::optional<FrameDecoder::Item> FrameDecoder::takeFrame(QByteArrayView rest)
{
    if (rest.size() > 1 && rest[1] != frameMark[1]) {
        giveUp();
        return std::nullopt;
    }
    if (rest.size() < headerBytes)
        return std::nullopt;
    const auto size = static_cast<qsizetype>(qFromLittleEndian<quint32>(rest.data() + sizeAt));
    if (size > mostFrameBytes) {
        giveUp();
        return std::nullopt;
    }
    if (rest.size() < headerBytes + size)
        return std::nullopt;
    m_taken += headerBytes + size;
    return Frame{qFromLittleEndian<quint16>(rest.data() + channelAt),
                 rest.sliced(headerBytes, size).toByteArray()};
}

std::optional<FrameDecoder::Item> FrameDecoder::takeLine(QByteArrayView rest)
{
    const qsizetype end = rest.indexOf('\n', m_searched);
    const qsizetype length = end < 0 ? rest.size() : end;
    if (length > m_longestLine) {
        giveUp();
        return std::nullopt;
    }
    if (end < 0) {
        m_searched = length;
        return std::nullopt;
    }
    m_searched = 0;
    m_taken += end + 1;
    return rest.first(end).toByteArray();
}

void FrameDecoder::giveUp()
{
    m_isUnusable = true;
    m_bytes.clear();
    m_taken = 0;
    m_searched = 0;
}

QByteArray DumpPiece::toBytes() const
{
    Q_ASSERT(bytes.size() <= mostBytes);
    return name.toLatin1() + (isFirst ? '\n' : '+') + bytes;
}

std::optional<DumpPiece> DumpPiece::fromBytes(QByteArrayView text)
{
    const auto isOfName = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == '.';
    };
    constexpr qsizetype longestName = 200;
    const auto end = std::ranges::find_if_not(text, isOfName);
    const qsizetype size = end - text.begin();
    const bool isName = size > 0 && size <= longestName && text.front() != '.' && end != text.end();
    if (!isName || (*end != '\n' && *end != '+') || text.size() - size - 1 > mostBytes)
        return std::nullopt;
    return DumpPiece{QString::fromLatin1(text.first(size)), *end == '\n',
                     text.sliced(size + 1).toByteArray()};
}

} // namespace rankdeck
