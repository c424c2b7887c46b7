#include "ranktable/rules/ranktablecheck.h"

#include "ranktable/reading/ranktablereader.h"
#include "ranktable/rules/tablerules.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct ChipName {
    const char *name;
    Chip chip;
};

constexpr std::array chipNames{
    ChipName{"910", Chip::A1},
    ChipName{"a1", Chip::A1},
    ChipName{"910a", Chip::A1},
    ChipName{"910b", Chip::A2},
    ChipName{"a2", Chip::A2},
    ChipName{"910_93", Chip::A3},
    ChipName{"910c", Chip::A3},
    ChipName{"a3", Chip::A3},
    ChipName{"950", Chip::A5},
    ChipName{"a5", Chip::A5},
    ChipName{"310p", Chip::Duo300I},
    ChipName{"300i", Chip::Duo300I},
    ChipName{"300i_duo", Chip::Duo300I},
};

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
    if (read.table.status == "initializing"_L1)
        return;
    if (!read.table.status.isEmpty() && !read.table.isCompleted())
        checkShape(read.root, read.table.form, findings); // The reading waited for another status.
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

TableCheck TableCheck::of(const CheckReport &report)
{
    TableCheck check;
    check.errors = countOf(report.findings, Severity::Error);
    check.warnings = countOf(report.findings, Severity::Warning);
    check.notes = countOf(report.findings, Severity::Note);
    check.isUsable = !report.unusable;
    for (const Finding &finding : report.findings) {
        if (check.firstErrors.size() == mostTold)
            break;
        if (finding.severity == Severity::Error)
            check.firstErrors += findingLine(finding);
    }
    return check;
}

void checkFile(const QString &path, FindingCollector &findings)
{
    if (!path.endsWith(".json"_L1))
        findings.add(rules::fileName, tr("The file's name does not end in \".json\"."),
                     tr("Rename the file; HCCL accepts no other name."));
    if (QFileInfo(path).isSymLink())
        findings.add(rules::symbolicLink, tr("The file is a symbolic link, which torch_npu refuses."),
                     tr("Name the file that it points to."));
}

Result<Chip> chipFromName(const QString &name)
{
    const QByteArray wanted = name.toLower().toUtf8();
    const auto *const found =
        std::ranges::find_if(chipNames, [&](const ChipName &known) { return wanted == known.name; });
    if (found != chipNames.end())
        return found->chip;
    return Error{tr("unknown chip \"%1\"").arg(name), {}, tr("Use 910, 910b, 910_93, 950 or 310p.")};
}

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
