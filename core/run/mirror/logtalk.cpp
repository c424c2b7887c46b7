#include "run/mirror/logtalk.h"

#include "base/fields.h"

#include <QtEndian>

#include <algorithm>

namespace rankdeck
{

constexpr qsizetype fileAt = 0;
constexpr qsizetype generationAt = 4;
constexpr qsizetype requestAt = 8;
constexpr qsizetype rawSizeAt = 12; ///< The number of bytes before compression; 0: they are not compressed.
constexpr qsizetype offsetAt = 16;
constexpr qsizetype headerBytes = 24;

constexpr char lineKey[] = "logs";
constexpr char lineBeginning[] = "{\"logs\":";
constexpr qint64 mostBytesOfLog = qint64(1) << 60; ///< Larger than any log; sums with it do not overflow.

static void visitFields(Fields &fields, LogPlace &place)
{
    fields.at(0, place.file);
    fields.at(1, place.generation);
    fields.at(2, place.offset);
    fields.at(3, place.request);
}

static bool areInBounds(const QList<LogPlace> &places)
{
    return std::ranges::all_of(places, [](const LogPlace &place) {
        return place.file >= 0 && place.offset >= 0 && place.offset <= mostBytesOfLog;
    });
}

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
    if (offset > quint64(mostBytesOfLog) || rawSize > mostBytes)
        return std::nullopt;
    chunk.offset = static_cast<qint64>(offset);
    if (rawSize == 0) {
        chunk.bytes = body.toByteArray();
        return chunk;
    }
    // qCompress() puts the size before zlib's bytes; qUncompress() allocates as much.
    constexpr qsizetype announcementBytes = 4;
    if (body.size() <= announcementBytes || qFromBigEndian<quint32>(body.data()) != quint32(rawSize))
        return std::nullopt;
    chunk.bytes = qUncompress(reinterpret_cast<const uchar *>(body.data()), body.size());
    return chunk.bytes.size() == rawSize ? std::optional(chunk) : std::nullopt;
}

bool isLogLine(const QByteArray &line)
{
    return line.startsWith(lineBeginning);
}

static void visitFields(Fields &fields, LogNews &news)
{
    fields("ends", news.ends);
    if (!areInBounds(news.ends))
        fields.reject("ends");
}

static void visitFields(Fields &fields, LogWish &wish)
{
    fields.optional("follow", wish.follow);
    fields.optional("leave", wish.leave);
    fields.optional("first", wish.first);
    fields.optional("compress", wish.compress);
    fields.optional("credit", wish.credit);
    fields.optional("last", wish.isLast);
    if (!areInBounds(wish.follow))
        fields.reject("follow");
    if (wish.credit < 0 || wish.credit > mostBytesOfLog)
        fields.reject("credit");
}

QByteArray LogNews::toLine() const
{
    return keyedLine(lineKey, *this);
}

std::optional<LogNews> LogNews::fromLine(const QByteArray &line)
{
    return fromKeyedLine<LogNews>(lineKey, line);
}

QByteArray LogWish::toLine() const
{
    return keyedLine(lineKey, *this);
}

std::optional<LogWish> LogWish::fromLine(const QByteArray &line)
{
    return fromKeyedLine<LogWish>(lineKey, line);
}

} // namespace rankdeck
