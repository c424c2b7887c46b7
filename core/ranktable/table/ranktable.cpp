#include "ranktable/table/ranktable.h"

#include "base/json.h"

#include <QSet>

#include <algorithm>
#include <array>
#include <numeric>

namespace rankdeck
{

/// The end of the value that begins at `begin`: the comma or bracket that follows it.
static qsizetype valueEnd(const QByteArray &text, qsizetype begin)
{
    int depth = 0;
    for (qsizetype at = begin; at < text.size();) {
        const char byte = text[at];
        if (byte == '"') {
            at = endOfJsonString(text, at);
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

qsizetype endOfJsonString(QByteArrayView text, qsizetype begin)
{
    for (qsizetype at = begin + 1; at < text.size();) {
        const qsizetype quote = text.indexOf('"', at);
        if (quote < 0)
            break;
        const qsizetype escape = text.sliced(at, quote - at).indexOf('\\');
        if (escape < 0)
            return quote + 1;
        at += escape + 2;
    }
    return text.size();
}

std::vector<JsonMember> membersOf(const OtherKeys &otherKeys)
{
    std::vector<JsonMember> members;
    qsizetype at = otherKeys.indexOf('"');
    while (at >= 0) {
        const qsizetype keyEnd = endOfJsonString(otherKeys, at);
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
    const auto found = std::ranges::find(members, key, &JsonMember::key);
    if (found == members.end())
        return {};
    const auto value = parseJson(found->value);
    if (value && value->is_string())
        return value->get<QString>();
    return value && value->is_number() ? QString::fromUtf8(found->value) : QString();
}

std::optional<qint64> podNumber(const QString &podName)
{
    bool isNumber = false;
    const qint64 number = podName.mid(podName.lastIndexOf('-'_L1) + 1).toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

QString formName(RankTableForm form)
{
    static constexpr std::array names{
        QT_TRANSLATE_NOOP("rankdeck", "template 2 (group_list)"),
        QT_TRANSLATE_NOOP("rankdeck", "template 2, lab (group_list with deploy_mode)"),
        QT_TRANSLATE_NOOP("rankdeck", "version 1.0 (server_list)"),
        QT_TRANSLATE_NOOP("rankdeck", "version 1.1 (node_list)"),
        QT_TRANSLATE_NOOP("rankdeck", "version 1.2 (super_pod_list)"),
        QT_TRANSLATE_NOOP("rankdeck", "version 2.0 (rank_list)"),
        QT_TRANSLATE_NOOP("rankdeck", "global table (server_group_list)"),
    };
    return tr(names.at(static_cast<std::size_t>(form)));
}

int RankTable::deviceCount() const
{
    return std::accumulate(servers.begin(), servers.end(), 0, [](int sum, const Server &server) {
        return sum + static_cast<int>(server.devices.size());
    });
}

const Server *RankTable::findServer(const QString &serverId) const
{
    const auto found = std::ranges::find(servers, serverId, &Server::serverId);
    return found == servers.end() ? nullptr : &*found;
}

} // namespace rankdeck
