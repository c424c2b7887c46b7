// A rank table from anywhere: whatever the bytes, reading, checking and working on it end with a value or an
// error.

#include "demand.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/rules/ranktablecheck.h"
#include "ranktable/table/ranktablewriter.h"

#include <cstdint>

using namespace rankdeck;

namespace
{

void checkFindings(const QByteArray &text, const CheckReport &report)
{
    const auto lines = text.count('\n') + 1;
    for (const Finding &finding : report.findings) {
        demand(finding.line >= 0 && finding.line <= lines);
        demand(finding.pointer.isEmpty() || finding.pointer.startsWith('/'_L1));
        demand(!finding.rule.isEmpty() && !finding.what.isEmpty());
    }
    demand(report.lines.size() == report.table.servers.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const CheckReport report = checkRankTable(text, u"t"_s);
    checkFindings(text, report);
    const auto table = parseRankTable(text, u"t"_s);
    // Checking knows more reasons than reading, never fewer.
    demand(!report.unusable || !report.findings.empty());
    demand(table || report.unusable);
    if (!table || !table->isCompleted())
        return 0;
    const auto again = parseRankTable(toJson(*table), u"t"_s);
    demand(again && again->servers.size() == table->servers.size() &&
           again->deviceCount() == table->deviceCount());
    (void)convertToServerList(*table);
    (void)subsetOfRankTable(*table,
                            {table->servers.front().devices.empty()
                                 ? DeviceId(0)
                                 : table->servers.front().devices.front().deviceId},
                            {});
    return 0;
}
