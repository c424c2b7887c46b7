#include "ranktable/otherkeys.h"

#include "json.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// The end of the string that begins at `begin`, behind its closing quote.
qsizetype stringEnd(const QByteArray &text, qsizetype begin)
{
    qsizetype at = begin + 1;
    while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, text.size());
}

/// The end of the value that begins at `begin`: the comma or bracket that follows it.
qsizetype valueEnd(const QByteArray &text, qsizetype begin)
{
    int depth = 0;
    for (qsizetype at = begin; at < text.size();) {
        const char byte = text[at];
        if (byte == '"') {
            at = stringEnd(text, at);
            continue;
        }
        if (byte == '{' || byte == '[')
            ++depth;
        else if (byte == '}' || byte == ']')
            --depth;
        if (depth < 0 || (depth == 0 && byte == ','))
            return at;
        ++at;
    }
    return text.size();
}

} // namespace

std::vector<JsonMember> membersOf(const OtherKeys &otherKeys)
{
    std::vector<JsonMember> members;
    qsizetype at = otherKeys.indexOf('"');
    while (at >= 0) {
        const qsizetype keyEnd = stringEnd(otherKeys, at);
        const qsizetype colon = otherKeys.indexOf(':', keyEnd);
        if (colon < 0)
            break;
        const qsizetype end = valueEnd(otherKeys, colon + 1);
        members.push_back(
            {otherKeys.mid(at + 1, keyEnd - at - 2), otherKeys.mid(colon + 1, end - colon - 1).trimmed()});
        at = otherKeys.indexOf('"', end);
    }
    return members;
}

OtherKeys otherKeysOf(const std::vector<JsonMember> &members)
{
    OtherKeys text;
    for (const JsonMember &member : members)
        text += (text.isEmpty() ? "{\"" : ",\"") + member.key + "\":" + member.value;
    return text.isEmpty() ? text : text + '}';
}

OtherKeys otherKeysWithout(const OtherKeys &otherKeys, const QByteArrayList &keys)
{
    auto members = membersOf(otherKeys);
    std::erase_if(members, [&](const JsonMember &member) { return keys.contains(member.key); });
    return otherKeysOf(members);
}

OtherKeys mergedOtherKeys(const OtherKeys &first, const OtherKeys &second)
{
    if (first.isEmpty() || second.isEmpty() || first == second)
        return first.isEmpty() ? second : first;
    auto members = membersOf(first);
    QSet<QByteArray> known;
    for (const JsonMember &member : members)
        known.insert(member.key);
    for (JsonMember &member : membersOf(second)) {
        if (!known.contains(member.key))
            members.push_back(std::move(member));
    }
    return otherKeysOf(members);
}

QString otherText(const OtherKeys &otherKeys, const QByteArray &key)
{
    const auto members = membersOf(otherKeys);
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const JsonMember &member) { return member.key == key; });
    if (found == members.end())
        return {};
    const auto value = parseJson(found->value);
    if (value && value->is_string())
        return value->get<QString>();
    return value && value->is_number() ? QString::fromUtf8(found->value) : QString();
}

} // namespace rankdeck
