#pragma once

// How Qt's strings and containers stand in JSON. For source files only: public headers include json_fwd.hpp.

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

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

/// False for a number beyond all integers: to ask for it as an integer would be undefined behaviour.
inline bool isUsableNumber(const nlohmann::json &value)
{
    constexpr double beyond = 9.2e18;
    return !value.is_number_float() || std::abs(value.get_ref<const double &>()) < beyond;
}

/// Parse text from a file or a peer without exceptions; nothing when it is not JSON. A number that is
/// not usable is left out, with its key.
inline std::optional<nlohmann::json> parseJson(const QByteArray &text)
{
    const auto isUsable = [](int, nlohmann::json::parse_event_t, const nlohmann::json &value) {
        return isUsableNumber(value);
    };
    auto json = nlohmann::json::parse(text.begin(), text.end(), isUsable, false);
    if (json.is_discarded())
        return std::nullopt;
    return json;
}

/// JSON as bytes; invalid UTF-8 in a string becomes U+FFFD instead of an exception.
inline QByteArray jsonText(const nlohmann::json &json, int indent = -1)
{
    return QByteArray::fromStdString(json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace rankdeck
