#pragma once

#include "base/tr.h"

#include <optional>
#include <vector>

namespace rankdeck
{

/// Something that people write into JSON files although JSON does not allow it.
struct JsonBlemish {
    enum class Kind {
        ByteOrderMark,
        Comment,       ///< "// …", "/* … */" or "# …".
        TrailingComma, ///< A comma before a closing bracket.
        Elision,       ///< "..." or "…" where something was left out.
    };
    Kind kind = Kind::Comment;
    qsizetype offset = 0; ///< In bytes.

    bool operator==(const JsonBlemish &) const = default;
};

class JsonDocument;

/// A place in a text; both count from 1, columns in characters.
struct TextPlace {
    int line = 0;
    int column = 0;

    bool operator==(const TextPlace &) const = default;
};

/// A value in a JsonDocument, or none ("missing"). Cheap to copy; valid as long as its document.
class JsonValue
{
public:
    enum class Kind { Missing, Null, Boolean, Number, String, Array, Object };

    JsonValue() = default;

    Kind kind() const;
    bool exists() const { return m_document; }
    bool isObject() const { return kind() == Kind::Object; }
    bool isArray() const { return kind() == Kind::Array; }
    bool isString() const { return kind() == Kind::String; }

    /// Returns the last member of that name, as the usual JSON readers do; missing if there is none.
    JsonValue operator[](const char *key) const;
    /// Returns that member, or this value if there is none: the place of what is said about the member.
    JsonValue memberOrThis(const char *key) const;
    /// Elements or members: `for (JsonValue v = x.first(); v.exists(); v = v.next())`.
    JsonValue first() const { return size() > 0 ? JsonValue(m_document, m_index + 1) : JsonValue(); }
    JsonValue next() const;
    int size() const;

    QByteArray key() const; ///< Key of a member of an object; else empty.
    bool hasKey(QByteArrayView key) const;
    QString text() const; ///< Text of a string; else empty.
    /// Returns a whole number, written as a number or as a string; nothing for others and beyond 64 bits.
    std::optional<qint64> integer() const;
    QByteArrayView source() const;       ///< As written in the text.
    QByteArrayView memberSource() const; ///< The same with its key.

    QString pointer() const; ///< RFC 6901; empty for the whole document.
    TextPlace place() const; ///< Place of the key for a member, else of the value.
    int line() const;        ///< Line of place(), without counting its column.

private:
    friend class JsonDocument;
    JsonValue(const JsonDocument *document, quint32 index)
        : m_document(document)
        , m_index(index)
    {
    }

    const JsonDocument *m_document = nullptr;
    quint32 m_index = 0;
};

/// JSON text with the place of every value. Comments, trailing commas and the like do not stop reading;
/// blemishes() lists them. Untrusted text is safe: nesting and the number of values have limits.
class JsonDocument
{
public:
    static constexpr int maxDepth = 32;
    static constexpr int maxValues = 10'000'000;

    /// Why the text is not JSON.
    struct Problem {
        enum class Kind { Syntax, Truncated, NumberTooLarge, TooDeep, TooManyValues };
        Kind kind = Kind::Syntax;
        qsizetype offset = 0; ///< In bytes.
    };

    explicit JsonDocument(QByteArray text);
    Q_DISABLE_COPY(JsonDocument)

    const std::optional<Problem> &problem() const { return m_problem; }
    const std::vector<JsonBlemish> &blemishes() const { return m_blemishes; }
    /// Members whose key an earlier member of the same object has.
    std::vector<JsonValue> duplicates() const;
    /// Missing when there is a problem().
    JsonValue root() const { return m_nodes.empty() ? JsonValue() : JsonValue(this, 0); }
    TextPlace place(qsizetype offset) const;
    int line(qsizetype offset) const;

private:
    friend class JsonValue;
    class Builder;

    struct Node {
        quint32 keyBegin = 0; ///< Offset of the key's first quote; no key when equal to `begin`.
        quint32 begin = 0;
        quint32 end = 0;
        quint32 parent = 0;
        quint32 next = 0;     ///< 0: the last child.
        quint32 position = 0; ///< Among the children of `parent`.
        quint32 childCount = 0;
        JsonValue::Kind kind = JsonValue::Kind::Null;
    };

    bool build();
    QByteArrayView slice(quint32 begin, quint32 end) const;
    /// The content of a string token.
    QByteArray unquoted(quint32 begin, quint32 end) const;
    QByteArray keyOf(const Node &node) const;

    QByteArray m_text;
    std::vector<Node> m_nodes; ///< In the order of the text: an object's first child follows it.
    std::vector<quint32> m_duplicates;
    std::vector<JsonBlemish> m_blemishes;
    std::optional<Problem> m_problem;
    mutable std::vector<quint32> m_lineStarts; ///< Filled by the first call of line().
};

} // namespace rankdeck
