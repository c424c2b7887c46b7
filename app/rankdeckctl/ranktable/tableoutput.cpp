#include "ranktable/tableoutput.h"

#include "output.h"
#include "ranktable/findingtext.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/ranktablereader.h"
#include "ranktable/ranktablewriter.h"
#include "ranktable/unifieddiff.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("tableoutput", text);
}

QString outputPath(const TableResult &result, const Options &options)
{
    const QString path = options.hasValue("-o") ? options.value("-o") : options.value("--output");
    const bool isFolder = path.endsWith(QLatin1Char('/')) || QFileInfo(path).isDir();
    return isFolder && !path.isEmpty() ? QDir(path).filePath(result.fileName) : path;
}

int writeFile(const QByteArray &text, const QString &path, bool force)
{
    if (!force && (QFileInfo::exists(path) || QFileInfo(path).isSymLink()))
        return refuse({tr("there is a file already"), path,
                       tr("Give --force to replace it, or name another place with -o.")});
    const auto written = writeRankTable(text, QDir::current().absoluteFilePath(path));
    if (!written)
        return refuse({written.error().what, path, tr("Name another place with -o.")});
    say(tr("Wrote %1.").arg(visibleText(path)));
    return 0;
}

void printDiff(const TableResult &result, const QByteArray &text, const QString &path)
{
    const QString afterName = path.isEmpty() ? result.fileName : path;
    const QByteArray diff = unifiedDiff(toJson(result.before), text, result.beforeName, afterName);
    if (diff.isEmpty())
        say(tr("Nothing would change."));
    else
        print(visibleJson(diff.chopped(1)));
}

} // namespace

std::optional<Error> missingFile(const QString &path)
{
    if (QFileInfo::exists(path))
        return {};
    return Error{tr("there is no such file"), path, tr("Name a rank table.")};
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

OptionNames withOutputOptions(OptionNames names)
{
    names.switches << QStringLiteral("--force") << QStringLiteral("--diff");
    names.withValue << QStringLiteral("-o") << QStringLiteral("--output");
    return names;
}

int writeResult(const TableResult &result, const Options &options)
{
    const QByteArray text = toJson(result.table);
    const QString path = outputPath(result, options);
    const auto report = checkRankTable(text, path);
    if (report.hasErrors())
        say(tr("rankdeckctl: warning: the new table has %1; see rankdeckctl ranktable check")
                .arg(findingsSummary(report.findings)));
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
