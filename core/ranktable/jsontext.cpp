#include "ranktable/jsontext.h"

#include "json.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

QByteArray quoted(const QString &text)
{
    const bool isPlain = std::all_of(text.begin(), text.end(), [](QChar character) {
        return character >= QLatin1Char(' ') && character <= QLatin1Char('~') &&
               character != QLatin1Char('"') && character != QLatin1Char('\\');
    });
    if (isPlain)
        return '"' + text.toLatin1() + '"';
    return jsonText(nlohmann::json(text));
}

bool isSpace(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

} // namespace

JsonObjectText &JsonObjectText::add(const char *key, const QByteArray &value)
{
    if (!m_members.isEmpty())
        m_members += ',';
    m_members += '"';
    m_members += key;
    m_members += "\":";
    m_members += value;
    return *this;
}

JsonObjectText &JsonObjectText::addString(const char *key, const QString &text)
{
    return add(key, quoted(text));
}

JsonObjectText &JsonObjectText::addNumberString(const char *key, qint64 number)
{
    return add(key, '"' + QByteArray::number(number) + '"');
}

JsonObjectText &JsonObjectText::addNumber(const char *key, qint64 number)
{
    return add(key, QByteArray::number(number));
}

JsonObjectText &JsonObjectText::addAll(const OtherKeys &otherKeys)
{
    const QByteArray members = otherKeys.mid(1, otherKeys.size() - 2).trimmed();
    if (!members.isEmpty() && !m_members.isEmpty())
        m_members += ',';
    m_members += members;
    return *this;
}

JsonListText &JsonListText::add(const QByteArray &element)
{
    if (!m_elements.isEmpty())
        m_elements += ',';
    m_elements += element;
    return *this;
}

QByteArray laidOutJson(const QByteArray &json)
{
    QByteArray out;
    out.reserve(json.size() * 2);
    qsizetype depth = 0;
    const auto newLine = [&] {
        out.append('\n').append(2 * depth, ' ');
    };
    bool inString = false;
    for (qsizetype at = 0; at < json.size(); ++at) {
        const char byte = json[at];
        if (inString) {
            out += byte;
            if (byte == '\\' && at + 1 < json.size())
                out += json[++at];
            else if (byte == '"')
                inString = false;
        } else if (byte == '"') {
            out += byte;
            inString = true;
        } else if (byte == '{' || byte == '[') {
            out += byte;
            ++depth;
            qsizetype next = at + 1;
            while (next < json.size() && isSpace(json[next]))
                ++next;
            if (next < json.size() && (json[next] == '}' || json[next] == ']')) {
                out += json[next];
                at = next;
                --depth;
            } else {
                newLine();
            }
        } else if (byte == '}' || byte == ']') {
            --depth;
            newLine();
            out += byte;
        } else if (byte == ',') {
            out += byte;
            newLine();
        } else if (byte == ':') {
            out += ": ";
        } else if (!isSpace(byte)) {
            out += byte;
        }
    }
    return out + '\n';
}

} // namespace rankdeck
