#pragma once

#include "base/tr.h"

// Qt's strings and containers in JSON. For source files only: public headers include json_fwd.hpp.

#include <QByteArray>
#include <QMap>

#include <nlohmann/json.hpp>

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

// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<>;

namespace rankdeck
{

/// Parses text from a file or a peer, without exceptions. Returns nothing if it is not JSON.
///
/// Each number is safe to convert to a signed integer of any size, which for a float that the integer cannot
/// hold would be undefined behaviour: a float beyond int becomes an integer, so that an int is its lowest
/// bits; a float beyond all integers becomes null.
std::optional<nlohmann::json> parseJson(const QByteArray &text);

/// Returns JSON as bytes; invalid UTF-8 in a string becomes U+FFFD instead of an exception.
QByteArray jsonText(const nlohmann::json &json, int indent = -1);

} // namespace rankdeck
