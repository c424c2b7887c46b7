#include "run/logtalk.h"

#include "json.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char lineBeginning[] = "{\"logs\":";
/// A log of this many bytes nobody has; sums with it do not overflow.
constexpr qint64 mostBytes = qint64(1) << 60;

nlohmann::json jsonOf(const QList<LogPlace> &places)
{
    nlohmann::json json = nlohmann::json::array();
    for (const LogPlace &place : places)
        json.push_back({place.file, place.generation, place.offset, place.request});
    return json;
}

/// Throws nlohmann::json::exception.
QList<LogPlace> placesFrom(const nlohmann::json &json)
{
    QList<LogPlace> places;
    for (const nlohmann::json &item : json)
        places << LogPlace{item.at(0).get<int>(), static_cast<quint32>(item.at(1).get<qint64>()),
                           item.at(2).get<qint64>(), static_cast<quint32>(item.at(3).get<qint64>())};
    return places;
}

bool areInBounds(const QList<LogPlace> &places)
{
    return std::all_of(places.begin(), places.end(), [](const LogPlace &place) {
        return place.file >= 0 && place.offset >= 0 && place.offset <= mostBytes;
    });
}

} // namespace

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
    const auto json = parseJson(line);
    try {
        LogNews news;
        if (json)
            news.ends = placesFrom(json->at("logs").at("ends"));
        return json && areInBounds(news.ends) ? std::optional(news) : std::nullopt;
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
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
    const auto json = parseJson(line);
    try {
        if (!json || !json->at("logs").is_object())
            return std::nullopt;
        const nlohmann::json &wish = json->at("logs");
        LogWish read;
        if (wish.contains("follow"))
            read.follow = placesFrom(wish.at("follow"));
        if (wish.contains("leave"))
            wish.at("leave").get_to(read.leave);
        if (wish.contains("first"))
            read.first = wish.at("first").get<QList<int>>();
        if (wish.contains("compress"))
            read.compress = wish.at("compress").get<bool>();
        if (wish.contains("credit"))
            read.credit = wish.at("credit").get<qint64>();
        if (wish.contains("last"))
            read.isLast = wish.at("last").get<bool>();
        const bool isUsable = areInBounds(read.follow) && read.credit >= 0 && read.credit <= mostBytes;
        return isUsable ? std::optional(read) : std::nullopt;
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

} // namespace rankdeck
