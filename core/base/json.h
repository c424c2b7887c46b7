#pragma once

#include "base/result.h"

// Qt's strings and containers in JSON. For source files only: public headers include json_fwd.hpp.

#include <QMap>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace nlohmann
{

template <>
struct adl_serializer<QString> {
    static void to_json(json &out, const QString &text) { out = text.toStdString(); }
    static void from_json(const json &in, QString &text)
    {
        text = QString::fromStdString(in.get_ref<const std::string &>());
    }
};

template <>
struct adl_serializer<QMap<QString, QString>> {
    static void to_json(json &out, const QMap<QString, QString> &map)
    {
        out = json::object();
        for (auto it = map.begin(); it != map.end(); ++it)
            out[it.key().toStdString()] = it.value();
    }
    static void from_json(const json &in, QMap<QString, QString> &map)
    {
        map.clear();
        for (const auto &[key, value] : in.get_ref<const json::object_t &>())
            map.insert(QString::fromStdString(key), value.get<QString>());
    }
};

} // namespace nlohmann

namespace rankdeck
{

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Error, what, where, mend)

/// Makes a number safe to convert to a signed integer of any size, which for a float that the integer cannot
/// hold would be undefined behaviour: a float beyond int becomes an integer, so that an int is its lowest
/// bits; a float beyond all integers becomes null.
inline void makeUsable(nlohmann::json &value)
{
    constexpr double beyond = 9.2e18;
    if (!value.is_number_float())
        return;
    const auto number = value.get<double>();
    if (std::abs(number) >= beyond)
        value = nullptr;
    else if (std::abs(number) > std::numeric_limits<int>::max())
        value = static_cast<std::int64_t>(number);
}

/// Parses text from a file or a peer, without exceptions. Returns nothing if it is not JSON. Numbers are made
/// usable, see makeUsable().
inline std::optional<nlohmann::json> parseJson(const QByteArray &text)
{
    auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded())
        return std::nullopt;
    // Not in a callback of the parser, which then searches a list again for each of its objects. No
    // recursion: the text may be nested deeply.
    std::vector<nlohmann::json *> rest{&json};
    while (!rest.empty()) {
        nlohmann::json &value = *rest.back();
        rest.pop_back();
        makeUsable(value);
        if (value.is_structured()) {
            for (nlohmann::json &member : value)
                rest.push_back(&member);
        }
    }
    return json;
}

/// Reads a message, a line {"key": …}: returns what `read` makes of the value; nothing for any other line,
/// and where `read` throws a json::exception.
template <typename Message>
std::optional<Message> messageIn(const QByteArray &line, const char *key, auto &&read)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(key))
        return std::nullopt;
    try {
        return read((*json)[key]);
    } catch (const nlohmann::json::exception &) {
        return std::nullopt;
    }
}

/// Returns JSON as bytes; invalid UTF-8 in a string becomes U+FFFD instead of an exception.
inline QByteArray jsonText(const nlohmann::json &json, int indent = -1)
{
    return QByteArray::fromStdString(json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace rankdeck
