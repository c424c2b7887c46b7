#include "ranktable/ranktablecheck.h"

#include "ranktable/ranktablereader.h"
#include "ranktable/rules/filecheck.h"
#include "ranktable/rules/shapecheck.h"
#include "ranktable/rules/tablerules.h"

namespace rankdeck
{

namespace
{

std::vector<ServerLines> linesOf(const ReadTable &read)
{
    std::vector<ServerLines> lines;
    lines.reserve(read.servers.size());
    for (const ServerPlace &place : read.servers) {
        ServerLines server{place.server.line(), {}};
        server.devices.reserve(place.devices.size());
        for (const JsonValue device : place.devices)
            server.devices.push_back(device.line());
        lines.push_back(std::move(server));
    }
    return lines;
}

void checkTable(const ReadTable &read, const CheckOptions &options, FindingCollector &findings)
{
    checkHeader(read, options, findings);
    if (read.table.status == QLatin1String("initializing"))
        return;
    if (!read.table.status.isEmpty() && !read.table.isCompleted())
        checkShape(read.root, shapeOf(read.table.form), findings); // The reading waited for another status.
    checkServers(read, options, findings);
    checkDevices(read, options, findings);
    checkDeviceIps(read, options, findings);
    checkRanks(read, findings);
    checkGroups(read, findings);
    checkNodeList(read, findings);
    checkSuperPods(read, findings);
    checkRankList(read, findings);
}

CheckReport check(const QByteArray &text, const QString &name, const CheckOptions &options,
                  FindingCollector &findings)
{
    CheckReport report;
    const JsonDocument document(text);
    auto read = readTable(document, findings);
    if (read) {
        checkTable(*read, options, findings);
        report.lines = linesOf(*read);
        report.table = std::move(read->table);
    }
    if (findings.unusable())
        report.unusable = unusableError(*findings.unusable(), name);
    report.findings = findings.take();
    return report;
}

} // namespace

CheckReport checkRankTable(const QByteArray &text, const QString &name, const CheckOptions &options)
{
    FindingCollector findings;
    return check(text, name, options, findings);
}

Result<CheckReport> checkRankTableFile(const QString &path, const CheckOptions &options)
{
    const auto text = readRankTableText(path);
    if (!text)
        return text.error();
    FindingCollector findings;
    checkFile(path, findings);
    return check(*text, path, options, findings);
}

} // namespace rankdeck
