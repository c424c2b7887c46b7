#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// A file that describes the topology is known for the lowest layer only.
constexpr char topologyFile[] = "TOPO_FILE_DESC";

bool isHexadecimal(const QString &text, qsizetype digits)
{
    return text.size() == digits && std::all_of(text.begin(), text.end(), [](QChar letter) {
               return letter.isDigit() ||
                      (letter.toLower() >= QLatin1Char('a') && letter.toLower() <= QLatin1Char('f'));
           });
}

class RankListCheck
{
public:
    explicit RankListCheck(FindingCollector &findings)
        : m_findings(findings)
    {
    }

    void checkRank(JsonValue rank)
    {
        constexpr int backup = 64;
        if (rank["local_id"].integer() == backup && !rank["replaced_local_id"].exists())
            m_findings.add(rules::backupDevice, rank["local_id"],
                           ruleWords("local_id 64 is a backup device, but \"replaced_local_id\" is missing."),
                           ruleWords("Add the local_id of the device that it stands in for."));
        qint64 previous = -1;
        for (JsonValue level = rank["level_list"].first(); level.exists(); level = level.next()) {
            checkLevel(level, previous);
            previous = level["net_layer"].integer().value_or(previous);
        }
    }

private:
    void checkLevel(JsonValue level, qint64 previous)
    {
        constexpr qsizetype longestId = 1024;
        const JsonValue layer = level["net_layer"];
        if (layer.integer() && *layer.integer() <= previous)
            m_findings.add(rules::networkLayer, layer,
                           ruleWords("Layer %1 follows layer %2; layers must ascend.")
                               .arg(*layer.integer())
                               .arg(previous),
                           ruleWords("List the layers in ascending order, each once."));
        const JsonValue instance = level["net_instance_id"];
        if (instance.isString() && (instance.text().isEmpty() || instance.text().size() > longestId))
            m_findings.add(rules::networkLayer, instance,
                           ruleWords("\"net_instance_id\" must have 1 to %1 characters.").arg(longestId),
                           ruleWords("Correct it."));
        checkType(level, layer.integer().value_or(-1));
        for (JsonValue address = level["rank_addr_list"].first(); address.exists(); address = address.next())
            checkAddress(address);
    }

    void checkType(JsonValue level, qint64 layer)
    {
        const JsonValue type = level["net_type"];
        if (!type.isString() || layer < 0)
            return; // Said by the shape.
        const bool isTopologyFile = type.text() == QLatin1String(topologyFile);
        if (layer == 0 && !isTopologyFile)
            m_findings.add(rules::networkLayer, type,
                           ruleWords("Layer 0 must have the type \"TOPO_FILE_DESC\"."),
                           ruleWords("Write \"TOPO_FILE_DESC\"."));
        else if (layer > 0 && type.text() != QLatin1String("CLOS"))
            m_findings.add(rules::networkLayer, type,
                           ruleWords("Layers above 0 must have the type \"CLOS\"."),
                           ruleWords("Write \"CLOS\"."));
    }

    void checkAddress(JsonValue address)
    {
        const JsonValue type = address["addr_type"];
        const JsonValue value = address["addr"];
        if (!type.isString() || !value.isString())
            return; // Said by the shape.
        const QString name = type.text();
        const AddressKind kind = addressKindOf(value.text());
        bool fits = false;
        if (name == QLatin1String("IPV4"))
            fits = kind == AddressKind::IPv4;
        else if (name == QLatin1String("IPV6"))
            fits = kind == AddressKind::IPv6;
        else if (name == QLatin1String("EID"))
            fits = isHexadecimal(value.text(), 32);
        else {
            m_findings.add(rules::networkAddress, type, ruleWords("\"%1\" is no type of address.").arg(name),
                           ruleWords("Write \"EID\", \"IPV4\" or \"IPV6\"."));
            return;
        }
        if (!fits)
            m_findings.add(rules::networkAddress, value,
                           ruleWords("\"%1\" is no address of type %2.").arg(value.text(), name),
                           ruleWords("Correct the address or its type; an EID has 32 hexadecimal digits."));
    }

    FindingCollector &m_findings;
};

} // namespace

void checkRankList(const ReadTable &read, FindingCollector &findings)
{
    if (read.table.form != RankTableForm::RankList)
        return;
    RankListCheck check(findings);
    for (JsonValue rank = read.root["rank_list"].first(); rank.exists(); rank = rank.next())
        check.checkRank(rank);
    const JsonValue detour = read.root["detour"];
    if (detour.isString() && detour.text() != QLatin1String("true") &&
        detour.text() != QLatin1String("false"))
        findings.add(rules::outOfRange, detour, ruleWords("\"detour\" must be \"true\" or \"false\"."),
                     ruleWords("Write one of them, as a string."));
}

} // namespace rankdeck
