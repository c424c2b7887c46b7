#include "run/mirror/logtalk.h"

#include "base/json.h"

#include <QtEndian>

#include <algorithm>

namespace rankdeck
{

constexpr qsizetype fileAt = 0;
constexpr qsizetype generationAt = 4;
constexpr qsizetype requestAt = 8;
/// The number of bytes before compression; 0: they are not compressed.
constexpr qsizetype rawSizeAt = 12;
constexpr qsizetype offsetAt = 16;
constexpr qsizetype headerBytes = 24;

constexpr char lineBeginning[] = "{\"logs\":";
/// Larger than any log; sums with it do not overflow.
constexpr qint64 mostBytesOfLog = qint64(1) << 60;

static nlohmann::json jsonOf(const QList<LogPlace> &places)
{
    nlohmann::json json = nlohmann::json::array();
    for (const LogPlace &place : places)
        json.push_back({place.file, place.generation, place.offset, place.request});
    return json;
}

/// Throws nlohmann::json::exception.
static QList<LogPlace> placesFrom(const nlohmann::json &json)
{
    QList<LogPlace> places;
    for (const nlohmann::json &item : json)
        places << LogPlace{item.at(0).get<int>(), static_cast<quint32>(item.at(1).get<qint64>()),
                           item.at(2).get<qint64>(), static_cast<quint32>(item.at(3).get<qint64>())};
    return places;
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

QByteArray LogNews::toLine() const
{
    return jsonText({{"logs", {{"ends", jsonOf(ends)}}}});
}

std::optional<LogNews> LogNews::fromLine(const QByteArray &line)
{
    return messageIn<LogNews>(line, "logs", [](const nlohmann::json &said) {
        const LogNews news{placesFrom(said.at("ends"))};
        return areInBounds(news.ends) ? std::optional(news) : std::nullopt;
    });
}

QByteArray LogWish::toLine() const
{
    nlohmann::json wish = nlohmann::json::object();
    if (!follow.isEmpty())
        wish["follow"] = jsonOf(follow);
    if (!leave.isEmpty())
        wish["leave"] = leave;
    if (first)
        wish["first"] = *first;
    if (compress)
        wish["compress"] = *compress;
    if (credit > 0)
        wish["credit"] = credit;
    if (isLast)
        wish["last"] = true;
    return jsonText({{"logs", wish}});
}

std::optional<LogWish> LogWish::fromLine(const QByteArray &line)
{
    return messageIn<LogWish>(line, "logs", [](const nlohmann::json &said) {
        LogWish wish;
        wish.follow = placesFrom(said.value("follow", nlohmann::json::array()));
        wish.leave = said.value("leave", QList<int>());
        if (said.contains("first"))
            wish.first = said["first"].get<QList<int>>();
        if (said.contains("compress"))
            wish.compress = said["compress"].get<bool>();
        wish.credit = said.value("credit", qint64(0));
        wish.isLast = said.value("last", false);
        const bool isUsable = areInBounds(wish.follow) && wish.credit >= 0 && wish.credit <= mostBytesOfLog;
        return isUsable ? std::optional(wish) : std::nullopt;
    });
}

} // namespace rankdeck
