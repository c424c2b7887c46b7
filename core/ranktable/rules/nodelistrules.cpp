#include "ranktable/rules/rulewords.h"
#include "ranktable/rules/tablerules.h"

namespace rankdeck
{

void checkNodeList(const ReadTable &read, FindingCollector &findings)
{
    if (read.table.form != RankTableForm::NodeList)
        return;
    constexpr qsizetype longestId = 127;
    const JsonValue id = read.root["collective_id"];
    if (id.isString() && id.text().size() > longestId)
        findings.add(rules::collectiveId, id,
                     ruleWords("\"collective_id\" is %1 characters long; at most %2 are allowed.")
                         .arg(id.text().size())
                         .arg(longestId),
                     ruleWords("Shorten it."));
    const JsonValue mode = read.root["mode"];
    if (mode.isString() && mode.text() != QLatin1String("tcp") && mode.text() != QLatin1String("rdma"))
        findings.add(rules::nodeMode, mode, ruleWords("\"mode\" must be \"tcp\" or \"rdma\"."),
                     ruleWords("Write one of them."));
    for (const ServerPlace &place : read.servers) {
        for (const JsonValue rank : place.devices) {
            const JsonValue ip = rank["rank_ip"];
            const AddressKind kind = addressKindOf(ip.text());
            if (ip.isString() && kind != AddressKind::IPv4 && kind != AddressKind::IPv6)
                findings.add(rules::nodeAddress, ip, ruleWords("\"%1\" is not an IP address.").arg(ip.text()),
                             ruleWords("Write the rank's address."));
        }
    }
}

} // namespace rankdeck
