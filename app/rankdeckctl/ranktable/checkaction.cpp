#include "json.h"
#include "options.h"
#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/findingtext.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/tableoutput.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr int hasErrorsCode = 1;

/// Whether nothing of the file could be understood.
bool isUnreadable(const Result<CheckReport> &report)
{
    if (!report)
        return true;
    return report->unusable && report->table.servers.empty() &&
           std::any_of(report->findings.begin(), report->findings.end(), [](const Finding &finding) {
               return finding.severity == Severity::Error && finding.rule.startsWith(QLatin1String("json-"));
           });
}

int exitCodeOf(const Result<CheckReport> &report)
{
    if (isUnreadable(report))
        return unusableInput;
    return report->hasErrors() || report->unusable ? hasErrorsCode : 0;
}

void printReport(const QString &file, const Result<CheckReport> &report)
{
    if (!report) {
        refuse(report.error());
        return;
    }
    QStringList lines;
    QSet<QString> explained;
    for (const Finding &finding : report->findings) {
        lines << findingLine(file, finding);
        if (finding.source.isEmpty() || explained.contains(finding.rule))
            continue;
        explained.insert(finding.rule);
        lines << QStringLiteral("    ") + visibleText(finding.source);
    }
    lines << visibleText(file) + QStringLiteral(": ") + findingsSummary(report->findings);
    print(lines.join(QLatin1Char('\n')));
}

Json toJson(const Finding &finding)
{
    return {{"severity", severityName(finding.severity)},
            {"rule", finding.rule},
            {"pointer", finding.pointer},
            {"line", finding.line},
            {"column", finding.column},
            {"what", finding.what},
            {"mend", finding.mend},
            {"source", finding.source},
            {"code", finding.code}};
}

Json toJson(const QString &file, const Result<CheckReport> &report)
{
    Json entry{{"file", file}, {"form", nullptr}, {"servers", 0}, {"devices", 0}, {"unusable", nullptr}};
    entry["findings"] = Json::array();
    if (!report) {
        entry["unusable"] = report.error().sentence();
        return entry;
    }
    if (!isUnreadable(report))
        entry["form"] = formName(report->table.form);
    entry["servers"] = report->table.servers.size();
    entry["devices"] = report->table.deviceCount();
    if (report->unusable)
        entry["unusable"] = report->unusable->sentence();
    for (const Finding &finding : report->findings)
        entry["findings"].push_back(toJson(finding));
    return entry;
}

} // namespace

int checkRankTablesAction(const QStringList &arguments)
{
    OptionNames names{{QStringLiteral("--json")}, {QStringLiteral("--chip")}, {}, 1, OptionNames::any};
    const auto options = parseOptions(arguments, names);
    if (!options)
        return refuse(options.error());
    CheckOptions check;
    if (options->hasValue("--chip")) {
        const auto chip = chipFromName(options->value("--chip"));
        if (!chip)
            return refuse({chip.error().what, QStringLiteral("--chip"), chip.error().mend});
        check.chip = *chip;
    }
    int code = 0;
    Json document = Json::array();
    for (const QString &file : options->positional) {
        const auto missing = missingFile(file);
        const auto report = missing ? Result<CheckReport>(*missing) : checkRankTableFile(file, check);
        code = std::max(code, exitCodeOf(report));
        if (options->has("--json"))
            document.push_back(toJson(file, report));
        else
            printReport(file, report);
    }
    if (options->has("--json"))
        print(visibleJson(jsonText(document, 2)));
    return code;
}

} // namespace rankdeck
