#include "rankdeckctl/ranktable/tableoutput.h"

#include "base/widespaces.h"
#include "rankdeckctl/console/output.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/rules/ranktablecheck.h"
#include "ranktable/table/ranktablewriter.h"
#include "ranktable/table/unifieddiff.h"

#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

/// Number of errors that a warning lists; the others are counted.
constexpr int errorsShown = 5;

static int writeFile(const QByteArray &text, const QString &path, bool force)
{
    if (!force && (QFileInfo::exists(path) || QFileInfo(path).isSymLink()))
        return refuse({tr("the file exists already"), path,
                       tr("Give --force to replace it, or name another place with -o.")});
    const auto written = writeRankTable(text, QDir::current().absoluteFilePath(path));
    if (!written)
        return refuse({written.error().what, path, tr("Name another place with -o.")});
    say(tr("Wrote %1.").arg(visibleText(path)));
    return 0;
}

static void printDiff(const TableResult &result, const QByteArray &text, const QString &path)
{
    const QString afterName = path.isEmpty() ? result.fileName : path;
    const QByteArray diff = unifiedDiff(toJson(result.before), text, result.beforeName, afterName);
    if (diff.isEmpty())
        say(tr("Nothing would change."));
    else
        print(visibleJson(diff.chopped(1)));
}

QString findingLine(const QString &file, const Finding &finding)
{
    QString line = file;
    if (finding.line > 0)
        line += u":%1:%2"_s.arg(finding.line).arg(finding.column);
    line += u": %1: %2"_s.arg(severityName(finding.severity), finding.what);
    if (!finding.mend.isEmpty())
        line = joinedBySpaces({line, finding.mend});
    if (!finding.code.isEmpty())
        line += u" [%1]"_s.arg(finding.code);
    return visibleText(line + u" (%1)"_s.arg(finding.rule));
}

void warnAboutTable(const QString &path)
{
    const auto report = checkRankTableFile(path);
    if (!report || report->unusable)
        return;
    int shown = 0;
    for (const Finding &finding : report->findings) {
        if (finding.severity == Severity::Error && shown++ < errorsShown)
            say(tr("rankdeckctl: warning: %1").arg(findingLine(path, finding)));
    }
    if (shown > errorsShown)
        say(tr("rankdeckctl: warning: %n more errors: rankdeckctl ranktable check %1",
               "rankdeckctl: warning: %n more error: rankdeckctl ranktable check %1", shown - errorsShown)
                .arg(visibleText(path)));
}

std::optional<Error> missingFile(const QString &path)
{
    if (QFileInfo::exists(path))
        return {};
    return Error{tr("file not found"), path, tr("Name a rank table.")};
}

Result<RankTable> readFinishedTable(const QString &path)
{
    if (const auto error = missingFile(path))
        return *error;
    const auto table = readRankTable(path);
    if (!table || table->isCompleted())
        return table;
    if (table->status.isEmpty())
        return Error{tr("\"status\" is missing, so the table may be unfinished"), path,
                     tr("Add \"status\": \"completed\" when it is whole.")};
    return Error{tr("the rank table's status is \"%1\", not \"completed\"").arg(table->status), path,
                 tr("Wait for it with rankdeckctl ranktable wait.")};
}

int writeResult(const TableResult &result, const Options &options)
{
    const QByteArray text = toJson(result.table);
    const QString given = options.value("--output");
    const bool isFolder = !given.isEmpty() && (given.endsWith('/'_L1) || QFileInfo(given).isDir());
    const QString path = isFolder ? QDir(given).filePath(result.fileName) : given;
    const auto report = checkRankTable(text, path);
    if (report.hasErrors())
        say(tr("rankdeckctl: warning: the new table has %1; see rankdeckctl ranktable check")
                .arg(countWords(report.findings)));
    if (options.has("--diff")) {
        printDiff(result, text, path);
        return 0;
    }
    if (!path.isEmpty())
        return writeFile(text, path, options.has("--force"));
    print(visibleJson(text.chopped(1)));
    return 0;
}

} // namespace rankdeck
