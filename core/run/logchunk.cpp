#include "run/logchunk.h"

#include <QtEndian>

namespace rankdeck
{

namespace
{

constexpr qsizetype fileAt = 0;
constexpr qsizetype generationAt = 4;
constexpr qsizetype requestAt = 8;
/// The number of bytes when they are compressed; 0: they are not.
constexpr qsizetype rawSizeAt = 12;
constexpr qsizetype offsetAt = 16;
constexpr qsizetype headerBytes = 24;
/// More than this of one log nobody has; sums with it do not overflow.
constexpr quint64 mostOffset = quint64(1) << 60;

} // namespace

QByteArray LogChunk::toBytes(bool compress) const
{
    const QByteArray small = compress ? qCompress(bytes, 1) : QByteArray();
    const bool isSmaller = compress && small.size() < bytes.size();
    QByteArray text(headerBytes, Qt::Uninitialized);
    text.reserve(headerBytes + (isSmaller ? small : bytes).size());
    qToLittleEndian(file, text.data() + fileAt);
    qToLittleEndian(generation, text.data() + generationAt);
    qToLittleEndian(request, text.data() + requestAt);
    qToLittleEndian(static_cast<quint64>(offset), text.data() + offsetAt);
    qToLittleEndian(static_cast<quint32>(isSmaller ? bytes.size() : 0), text.data() + rawSizeAt);
    return text.append(isSmaller ? small : bytes);
}

std::optional<LogChunk> LogChunk::fromBytes(QByteArrayView text)
{
    if (text.size() <= headerBytes || text.size() > headerBytes + mostBytes)
        return std::nullopt;
    LogChunk chunk;
    chunk.file = qFromLittleEndian<quint32>(text.data() + fileAt);
    chunk.generation = qFromLittleEndian<quint32>(text.data() + generationAt);
    chunk.request = qFromLittleEndian<quint32>(text.data() + requestAt);
    const auto offset = qFromLittleEndian<quint64>(text.data() + offsetAt);
    const auto rawSize = static_cast<qsizetype>(qFromLittleEndian<quint32>(text.data() + rawSizeAt));
    const QByteArrayView body = text.sliced(headerBytes);
    if (offset > mostOffset || rawSize > mostBytes)
        return std::nullopt;
    chunk.offset = static_cast<qint64>(offset);
    if (rawSize == 0) {
        chunk.bytes = body.toByteArray();
        return chunk;
    }
    // What qCompress() puts before zlib's bytes; what it announces is allocated.
    constexpr qsizetype announcementBytes = 4;
    if (body.size() <= announcementBytes || qFromBigEndian<quint32>(body.data()) != quint32(rawSize))
        return std::nullopt;
    chunk.bytes = qUncompress(reinterpret_cast<const uchar *>(body.data()), body.size());
    return chunk.bytes.size() == rawSize ? std::optional(chunk) : std::nullopt;
}

} // namespace rankdeck
