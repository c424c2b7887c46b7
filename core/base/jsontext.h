#pragma once

#include "base/fields.h"

#include <initializer_list>

namespace rankdeck
{

/// JSON that is made only to be read by other programs.
class JsonText
{
public:
    using Member = std::pair<const char *, JsonText>;

    JsonText() = default; ///< null
    JsonText(const char *text)
        : JsonText(QString::fromUtf8(text))
    {
    }
    /// Makes the JSON of a value that Fields can carry.
    template <typename T>
    requires(!std::convertible_to<const T &, const char *>) JsonText(const T &value)
        : m_text(jsonTextOf(value))
    {
    }
    /// Makes an object.
    JsonText(std::initializer_list<Member> members);
    /// Makes a list.
    JsonText(const QList<JsonText> &items);
    /// Makes a list of what `json` returns for each item.
    template <typename List>
    static JsonText list(const List &items, const auto &json)
    {
        return listOf(items, [&](const auto &item) { return json(item); });
    }
    /// Returns JSON that somebody else wrote; null if it is not JSON.
    static JsonText of(const QByteArray &json);

    /// Adds a member to an object, or to null, which becomes an object. Replaces a member of the same name.
    void insert(const char *key, const JsonText &value);
    /// As insert(), unless the text or the list is empty.
    void insertUnlessEmpty(const char *key, const auto &value)
    {
        if (!value.isEmpty())
            insert(key, value);
    }
    /// Writes the keys of this object, and of the objects in it, in snake_case.
    void useSnakeCase();

    /// Returns the text, with keys in the order of the alphabet.
    /// @param indent spaces for each level; -1: one line.
    QByteArray text(int indent = -1) const;

private:
    QByteArray m_text = "null";             ///< On one line; empty: it is an object, made of m_members.
    QMap<QByteArray, QByteArray> m_members; ///< By their keys, which need no quoting.
};

} // namespace rankdeck
