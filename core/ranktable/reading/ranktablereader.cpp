#include "ranktable/reading/ranktablereader.h"

#include "ranktable/reading/tablereading.h"

#include <QFile>
#include <QFileInfo>

namespace rankdeck
{

constexpr qint64 maxTableBytes = 100LL * 1024 * 1024;

Result<RankTable> parseRankTable(const QByteArray &text, const QString &name)
{
    const JsonDocument document(text);
    FindingCollector findings;
    auto read = readTable(document, findings);
    if (findings.unusable())
        return unusableError(*findings.unusable(), name);
    return std::move(read->table);
}

Result<QByteArray> readRankTableText(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return Error{tr("no rank table found"), path,
                     tr("Name one with --rank-table, or set RANK_TABLE_FILE.")};
    // Reading a pipe or a device may never end.
    if (!QFileInfo(path).isFile())
        return Error{tr("not a file"), path, tr("Name the file that holds the rank table.")};
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot read the rank table: %1").arg(problemOf(file)), path, {}};
    if (file.size() > maxTableBytes)
        return Error{tr("the file is larger than 100 MB, too large for a rank table"), path, {}};
    return file.readAll();
}

bool isCutOff(const QByteArray &text)
{
    const JsonDocument document(text);
    return text.trimmed().isEmpty() ||
           (document.problem() && document.problem()->kind == JsonDocument::Problem::Kind::Truncated);
}

Result<RankTable> readRankTable(const QString &path)
{
    const auto text = readRankTableText(path);
    return text ? parseRankTable(*text, path) : text.error();
}

} // namespace rankdeck
