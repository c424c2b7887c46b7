#include "ranktable/ranktablecheck.h"

#include "ranktable/ranktablereader.h"

namespace rankdeck
{

CheckReport checkRankTable(const QByteArray &text, const QString &name, const CheckOptions &)
{
    CheckReport report;
    const auto table = parseRankTable(text, name);
    if (table) {
        report.table = *table;
        return report;
    }
    report.unusable = table.error();
    report.findings.push_back({Severity::Error,
                               QStringLiteral("unusable"),
                               {},
                               0,
                               0,
                               table.error().what,
                               table.error().mend,
                               {},
                               {}});
    return report;
}

Result<CheckReport> checkRankTableFile(const QString &path, const CheckOptions &options)
{
    const auto text = readRankTableText(path);
    return text ? Result(checkRankTable(*text, path, options)) : text.error();
}

} // namespace rankdeck
