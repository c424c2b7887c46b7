#pragma once

#include "base/result.h"

#include <QByteArrayView>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck
{

/// Values of a pickle or JSON text, kept flat: gigabytes are read in seconds. Nothing is called or imported.
class ValueTree
{
public:
    enum class Kind : quint8 { None, Bool, Int, Float, Text, List, Dict };

    struct Value {
        Kind kind = Kind::None;
        quint32 size = 0; ///< Bytes of a Text.
        union {
            qint64 number = 0; ///< Value of a Bool or an Int; index of the container for a List or a Dict.
            double real;
            const char *text;
        };

        static Value of(Kind kind, qint64 number) { return {.kind = kind, .number = number}; }
        static Value of(double real) { return {.kind = Kind::Float, .real = real}; }
        static Value of(const char *text, std::size_t size)
        {
            return {.kind = Kind::Text, .size = quint32(size), .text = text};
        }
        std::string_view view() const
        {
            return kind == Kind::Text ? std::string_view(text, size) : std::string_view();
        }
    };

    /// Returns the items of a List; of a Dict keys and values in turn; nothing of other values.
    struct Items {
        const Value *first = nullptr;
        std::size_t size = 0;

        const Value *begin() const { return first; }
        const Value *end() const { return first + size; }
    };
    Items itemsOf(const Value &value) const;
    /// Returns the value of a key of a Dict, the last one; null if there is none.
    const Value *find(const Value &dict, std::string_view key) const;
    const Value &root() const { return m_root; }

private:
    friend class PickleReader;
    friend class JsonValues;

    struct Container {
        quint32 begin = 0;
        quint32 size = 0;
        quint32 room = 0; ///< Reserved places in m_items, from `begin` on.
    };
    Value newContainer(Kind kind);
    bool containsItself() const;
    void append(const Value &container, const Value *values, std::size_t count);

    Value m_root;
    std::vector<Value> m_items;
    std::vector<Container> m_containers;
    std::deque<std::string> m_texts; ///< Texts that do not lie in the input.
};

/// Reads a pickle, protocols 2 to 5, of None, booleans, numbers of 64 bits, texts, bytes, lists, tuples and
/// dictionaries. Other objects are errors, except for the functions by which torch writes lists of numbers:
/// their lists are used uncalled. Texts lie in `bytes`, which must outlive the tree. Errors name the byte.
Result<ValueTree> readPickle(QByteArrayView bytes);

/// Reads a JSON text the same way.
Result<ValueTree> readJsonValues(QByteArrayView bytes);

} // namespace rankdeck
