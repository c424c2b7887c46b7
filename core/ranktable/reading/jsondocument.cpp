#include "ranktable/reading/jsondocument.h"

#include "ranktable/table/ranktable.h"

#include <QSet>
#include <QVarLengthArray>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr char byteOrderMark[] = "\xEF\xBB\xBF";
constexpr char ellipsis[] = "\xE2\x80\xA6";

/// Text without its blemishes.
struct ToleratedJson {
    QByteArray text; ///< As long as the original: blemishes become blanks, so that offsets stay the same.
    std::vector<JsonBlemish> blemishes;
};

/// Removes all blemishes from a text, except inside strings.
class Tolerance
{
public:
    explicit Tolerance(const QByteArray &text)
        : m_result{text, {}}
        , m_text(m_result.text)
    {
    }

    ToleratedJson run()
    {
        if (startsWith(byteOrderMark))
            blank(JsonBlemish::Kind::ByteOrderMark, 3);
        while (m_at < m_text.size())
            step();
        return std::move(m_result);
    }

private:
    void step()
    {
        const char byte = m_text[m_at];
        if (byte == '"')
            passString();
        else if (startsWith("//") || byte == '#')
            blank(JsonBlemish::Kind::Comment, lengthUntil("\n"));
        else if (startsWith("/*"))
            blank(JsonBlemish::Kind::Comment, lengthUntil("*/", 2));
        else if (startsWith("..."))
            blank(JsonBlemish::Kind::Elision, lengthOfDots());
        else if (startsWith(ellipsis))
            blank(JsonBlemish::Kind::Elision, 3);
        else
            pass(byte);
    }

    bool startsWith(const char *what) const
    {
        return QByteArrayView(m_text).sliced(m_at).startsWith(QByteArrayView(what));
    }

    qsizetype lengthUntil(const char *end, qsizetype extra = 0) const
    {
        const qsizetype found = m_text.indexOf(end, m_at + extra);
        return (found < 0 ? m_text.size() : found + extra) - m_at;
    }

    qsizetype lengthOfDots() const
    {
        const auto *const begin = m_text.cbegin() + m_at;
        return std::find_if(begin, m_text.cend(), [](char byte) { return byte != '.'; }) - begin;
    }

    void passString()
    {
        qsizetype end = m_at + 1;
        while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\n')
            end += m_text[end] == '\\' ? 2 : 1;
        m_at = std::min(end + 1, m_text.size());
        m_lastComma = -1;
        m_afterValue = true;
    }

    void pass(char byte)
    {
        if ((byte == '}' || byte == ']') && m_lastComma >= 0)
            blankAt(JsonBlemish::Kind::TrailingComma, m_lastComma, 1);
        if (byte == ',' && !m_afterValue) {
            // The member behind the comma was left out.
            blankAt(JsonBlemish::Kind::TrailingComma, m_at, 1);
        } else if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r') {
            m_lastComma = byte == ',' ? m_at : -1;
            m_afterValue = byte != ',' && byte != '{' && byte != '[' && byte != ':';
        }
        ++m_at;
    }

    void blank(JsonBlemish::Kind kind, qsizetype length)
    {
        blankAt(kind, m_at, length);
        m_at += length;
    }

    void blankAt(JsonBlemish::Kind kind, qsizetype offset, qsizetype length)
    {
        m_result.blemishes.push_back({kind, offset});
        char *const begin = m_text.data() + offset;
        std::replace_if(
            begin, begin + length, [](char byte) { return byte != '\n'; }, ' ');
    }

    ToleratedJson m_result;
    QByteArray &m_text;
    qsizetype m_at = 0;
    qsizetype m_lastComma = -1; ///< The comma that nothing but blanks followed so far.
    bool m_afterValue = false;  ///< A comma may stand here.
};

/// Decodes a string token. Only for tokens with escapes: the others are already plain text.
QByteArray decoded(QByteArrayView token)
{
    const Json json = Json::parse(token.begin(), token.end(), nullptr, false);
    return json.is_string() ? QByteArray::fromStdString(json.get_ref<const std::string &>()) : QByteArray();
}

bool isBetweenTokens(char byte)
{
    return byte == ' ' || byte == '\n' || byte == ',' || byte == ':' || byte == '\r' || byte == '\t';
}

} // namespace

/// Handles the events of the library's reader, which has no places: reads the text along to find them.
class JsonDocument::Builder
{
public:
    explicit Builder(JsonDocument &document)
        : m_document(document)
        , m_text(document.m_text)
    {
    }

    bool null() { return addScalar(JsonValue::Kind::Null); }
    bool boolean(bool) { return addScalar(JsonValue::Kind::Boolean); }
    bool number_integer(Json::number_integer_t) { return addScalar(JsonValue::Kind::Number); }
    bool number_unsigned(Json::number_unsigned_t) { return addScalar(JsonValue::Kind::Number); }
    bool number_float(Json::number_float_t, const std::string &)
    {
        return addScalar(JsonValue::Kind::Number);
    }
    bool string(std::string &) { return addScalar(JsonValue::Kind::String); }
    bool binary(Json::binary_t &) { return false; }

    bool start_object(std::size_t) { return open(JsonValue::Kind::Object); }
    bool start_array(std::size_t) { return open(JsonValue::Kind::Array); }
    bool end_object()
    {
        noteDuplicates(m_open.back().node);
        return close();
    }
    bool end_array() { return close(); }

    bool key(std::string &)
    {
        m_keyBegin = tokenBegin();
        m_at = stringEnd(*m_keyBegin);
        return true;
    }

    bool parse_error(std::size_t position, const std::string &, const Json::exception &error)
    {
        constexpr int numberOutOfRange = 406;
        const auto offset = std::max<qsizetype>(static_cast<qsizetype>(position) - 1, 0);
        const auto kind = error.id == numberOutOfRange ? Problem::Kind::NumberTooLarge
                          : offset >= m_text.size()    ? Problem::Kind::Truncated
                                                       : Problem::Kind::Syntax;
        return fail(kind, std::min(offset, m_text.size()));
    }

private:
    struct Open {
        quint32 node = 0;
        quint32 lastChild = 0; ///< 0: none yet.
    };

    bool fail(Problem::Kind kind, qsizetype offset)
    {
        m_document.m_problem = Problem{kind, offset};
        return false;
    }

    quint32 tokenBegin() const
    {
        qsizetype at = m_at;
        while (at < m_text.size() && isBetweenTokens(m_text[at]))
            ++at;
        return static_cast<quint32>(at);
    }

    quint32 stringEnd(quint32 begin) const { return static_cast<quint32>(endOfJsonString(m_text, begin)); }

    quint32 wordEnd(quint32 begin) const
    {
        qsizetype at = begin;
        while (at < m_text.size() && !isBetweenTokens(m_text[at]) && m_text[at] != ']' && m_text[at] != '}')
            ++at;
        return static_cast<quint32>(at);
    }

    bool addScalar(JsonValue::Kind kind)
    {
        const quint32 begin = tokenBegin();
        const quint32 end = kind == JsonValue::Kind::String ? stringEnd(begin) : wordEnd(begin);
        m_at = end;
        return add(kind, begin, end);
    }

    bool add(JsonValue::Kind kind, quint32 begin, quint32 end)
    {
        std::vector<Node> &nodes = m_document.m_nodes;
        if (nodes.size() >= maxValues)
            return fail(Problem::Kind::TooManyValues, begin);
        const auto index = static_cast<quint32>(nodes.size());
        Node node;
        node.keyBegin = m_keyBegin.value_or(begin);
        node.begin = begin;
        node.end = end;
        node.kind = kind;
        if (!m_open.empty()) {
            Open &parent = m_open.back();
            node.parent = parent.node;
            node.position = nodes[parent.node].childCount++;
            if (parent.lastChild > 0)
                nodes[parent.lastChild].next = index;
            parent.lastChild = index;
        }
        nodes.push_back(node);
        m_keyBegin.reset();
        return true;
    }

    bool open(JsonValue::Kind kind)
    {
        const quint32 begin = tokenBegin();
        if (m_open.size() >= maxDepth)
            return fail(Problem::Kind::TooDeep, begin);
        m_at = begin + 1;
        if (!add(kind, begin, begin))
            return false;
        m_open.push_back({static_cast<quint32>(m_document.m_nodes.size() - 1), 0});
        return true;
    }

    bool close()
    {
        m_at = tokenBegin() + 1;
        m_document.m_nodes[m_open.back().node].end = static_cast<quint32>(m_at);
        m_open.pop_back();
        return true;
    }

    void noteDuplicates(quint32 object)
    {
        const std::vector<Node> &nodes = m_document.m_nodes;
        if (nodes[object].childCount < 2)
            return;
        QSet<QByteArray> seen;
        QVarLengthArray<QByteArrayView, 16> few;
        const bool areFew = nodes[object].childCount <= 16;
        for (quint32 child = object + 1; child > 0; child = nodes[child].next) {
            bool isNew = false;
            if (areFew) {
                const QByteArrayView key =
                    m_document.slice(nodes[child].keyBegin, stringEnd(nodes[child].keyBegin));
                isNew = !few.contains(key);
                few.append(key);
            } else {
                const qsizetype before = seen.size();
                seen.insert(m_document.keyOf(nodes[child]));
                isNew = seen.size() > before;
            }
            if (!isNew)
                m_document.m_duplicates.push_back(child);
        }
    }

    JsonDocument &m_document;
    const QByteArray &m_text;
    qsizetype m_at = 0; ///< Where the last token ended.
    std::optional<quint32> m_keyBegin;
    std::vector<Open> m_open;
};

JsonDocument::JsonDocument(QByteArray text)
    : m_text(std::move(text))
{
    // Most texts are plain JSON; only the others are searched for blemishes.
    const bool isPlain = !m_text.startsWith("\xEF\xBB\xBF") && build();
    if (isPlain || (m_problem && m_problem->kind != Problem::Kind::Syntax))
        return;
    ToleratedJson tolerated = Tolerance(m_text).run();
    m_blemishes = std::move(tolerated.blemishes);
    if (m_blemishes.empty())
        return;
    m_text = std::move(tolerated.text);
    build();
}

bool JsonDocument::build()
{
    m_nodes.clear();
    m_duplicates.clear();
    m_problem.reset();
    Builder builder(*this);
    if (Json::sax_parse(m_text.cbegin(), m_text.cend(), &builder))
        return true;
    m_nodes.clear();
    m_duplicates.clear();
    if (!m_problem)
        m_problem = Problem{};
    return false;
}

QByteArrayView JsonDocument::slice(quint32 begin, quint32 end) const
{
    return QByteArrayView(m_text).sliced(begin, end - begin);
}

QByteArray JsonDocument::unquoted(quint32 begin, quint32 end) const
{
    const QByteArrayView token = slice(begin, end);
    return token.contains('\\') ? decoded(token) : token.sliced(1, token.size() - 2).toByteArray();
}

QByteArray JsonDocument::keyOf(const Node &node) const
{
    if (node.keyBegin == node.begin)
        return {};
    const auto end = static_cast<quint32>(slice(node.keyBegin, node.begin).lastIndexOf('"'));
    return unquoted(node.keyBegin, node.keyBegin + end + 1);
}

std::vector<JsonValue> JsonDocument::duplicates() const
{
    std::vector<JsonValue> values;
    values.reserve(m_duplicates.size());
    for (const quint32 index : m_duplicates)
        values.push_back(JsonValue(this, index));
    return values;
}

int JsonDocument::line(qsizetype offset) const
{
    if (m_lineStarts.empty()) {
        m_lineStarts.push_back(0);
        for (qsizetype at = m_text.indexOf('\n'); at >= 0; at = m_text.indexOf('\n', at + 1))
            m_lineStarts.push_back(static_cast<quint32>(at + 1));
    }
    const auto after = std::ranges::upper_bound(m_lineStarts, offset);
    return static_cast<int>(after - m_lineStarts.begin());
}

TextPlace JsonDocument::place(qsizetype offset) const
{
    const int number = line(offset);
    const QByteArrayView before = QByteArrayView(m_text).first(offset).sliced(m_lineStarts[number - 1]);
    const auto characters = std::ranges::count_if(
        before, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
    return {number, static_cast<int>(characters) + 1};
}

JsonValue::Kind JsonValue::kind() const
{
    return exists() ? m_document->m_nodes[m_index].kind : Kind::Missing;
}

JsonValue JsonValue::operator[](const char *key) const
{
    JsonValue found;
    if (isObject()) {
        const QByteArrayView wanted(key);
        for (JsonValue member = first(); member.exists(); member = member.next()) {
            if (member.hasKey(wanted))
                found = member;
        }
    }
    return found;
}

JsonValue JsonValue::memberOrThis(const char *key) const
{
    const JsonValue member = (*this)[key];
    return member.exists() ? member : *this;
}

bool JsonValue::hasKey(QByteArrayView key) const
{
    if (!exists())
        return false;
    const JsonDocument::Node &node = m_document->m_nodes[m_index];
    const QByteArrayView token = m_document->slice(node.keyBegin, node.begin);
    if (token.size() < key.size() + 2)
        return false;
    if (token.sliced(1).startsWith(key) && token[key.size() + 1] == '"')
        return true;
    return token.contains('\\') && this->key() == key;
}

JsonValue JsonValue::next() const
{
    const quint32 index = exists() ? m_document->m_nodes[m_index].next : 0;
    return index > 0 ? JsonValue(m_document, index) : JsonValue();
}

int JsonValue::size() const
{
    return exists() ? static_cast<int>(m_document->m_nodes[m_index].childCount) : 0;
}

QByteArray JsonValue::key() const
{
    return exists() ? m_document->keyOf(m_document->m_nodes[m_index]) : QByteArray();
}

QString JsonValue::text() const
{
    if (!isString())
        return {};
    const JsonDocument::Node &node = m_document->m_nodes[m_index];
    return QString::fromUtf8(m_document->unquoted(node.begin, node.end));
}

std::optional<qint64> JsonValue::integer() const
{
    if (!isString() && kind() != Kind::Number)
        return std::nullopt;
    const QByteArrayView digits = isString() ? source().sliced(1, source().size() - 2) : source();
    // Qt's conversion passes over blanks, which the field's readers do not.
    const bool isDigits = !digits.isEmpty() && std::ranges::all_of(digits, [](char byte) {
        return (byte >= '0' && byte <= '9') || byte == '-';
    });
    bool isNumber = false;
    const qint64 number = isDigits ? digits.toLongLong(&isNumber) : 0;
    return isNumber ? std::optional(number) : std::nullopt;
}

QByteArrayView JsonValue::source() const
{
    if (!exists())
        return {};
    const JsonDocument::Node &node = m_document->m_nodes[m_index];
    return m_document->slice(node.begin, node.end);
}

QByteArrayView JsonValue::memberSource() const
{
    if (!exists())
        return {};
    const JsonDocument::Node &node = m_document->m_nodes[m_index];
    return m_document->slice(node.keyBegin, node.end);
}

QString JsonValue::pointer() const
{
    QStringList steps;
    if (exists()) {
        const std::vector<JsonDocument::Node> &nodes = m_document->m_nodes;
        for (quint32 index = m_index; index > 0; index = nodes[index].parent) {
            const JsonDocument::Node &node = nodes[index];
            steps.prepend('/'_L1 + (node.keyBegin == node.begin ? QString::number(node.position)
                                                                : QString::fromUtf8(m_document->keyOf(node))
                                                                      .replace('~'_L1, "~0"_L1)
                                                                      .replace('/'_L1, "~1"_L1)));
        }
    }
    return steps.join(QString());
}

int JsonValue::line() const
{
    return exists() ? m_document->line(m_document->m_nodes[m_index].keyBegin) : 0;
}

TextPlace JsonValue::place() const
{
    return exists() ? m_document->place(m_document->m_nodes[m_index].keyBegin) : TextPlace();
}

} // namespace rankdeck
