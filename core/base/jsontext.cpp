#include "base/jsontext.h"

#include "base/json.h"

namespace rankdeck
{

using Json = nlohmann::json;

JsonText::JsonText(std::initializer_list<Member> members)
{
    for (const auto &[key, value] : members)
        insert(key, value);
}

JsonText::JsonText(const QList<JsonText> &items)
    : m_text("[")
{
    for (const JsonText &item : items)
        m_text += (m_text.size() > 1 ? "," : "") + item.text();
    m_text += ']';
}

JsonText JsonText::of(const QByteArray &json)
{
    const Json parsed = Json::parse(json.begin(), json.end(), nullptr, false);
    JsonText made;
    if (!parsed.is_discarded())
        made.m_text = jsonText(parsed);
    return made;
}

void JsonText::insert(const char *key, const JsonText &value)
{
    if (m_text.startsWith('{')) {
        const Json object = Json::parse(m_text.begin(), m_text.end());
        for (const auto &[name, member] : object.items())
            m_members.insert(QByteArray::fromStdString(name), jsonText(member));
    }
    m_text.clear();
    m_members.insert(key, value.text());
}

static Json withSnakeKeys(const Json &json)
{
    if (!json.is_structured())
        return json;
    Json result = json.is_object() ? Json::object() : Json::array();
    for (const auto &[key, value] : json.items()) {
        if (!json.is_object()) {
            result.push_back(withSnakeKeys(value));
            continue;
        }
        std::string snake;
        for (const char letter : key)
            snake += letter >= 'A' && letter <= 'Z' ? std::string{'_', char(letter - 'A' + 'a')}
                                                    : std::string(1, letter);
        result[snake] = withSnakeKeys(value);
    }
    return result;
}

void JsonText::useSnakeCase()
{
    const QByteArray compact = text();
    m_text = jsonText(withSnakeKeys(Json::parse(compact.begin(), compact.end())));
    m_members.clear();
}

QByteArray JsonText::text(int indent) const
{
    QByteArray text = m_text;
    if (text.isEmpty()) {
        for (auto member = m_members.cbegin(); member != m_members.cend(); ++member)
            text += (text.isEmpty() ? "{\"" : ",\"") + member.key() + "\":" + member.value();
        text += '}';
    }
    return indent < 0 ? text : jsonText(Json::parse(text.begin(), text.end()), indent);
}

} // namespace rankdeck
