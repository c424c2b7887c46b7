#include "run/record/logindex.h"

#include "base/regularfile.h"
#include <QDir>
#include <QFile>
#include <QMap>

namespace rankdeck
{

constexpr int fewestFields = 4;

/// A tab or a line end in a name would break the table.
static QString fieldOf(QString text)
{
    for (const char breaking : {'\t', '\n', '\r'})
        text.replace(QLatin1Char(breaking), '?'_L1);
    return text;
}

static QMap<QString, QStringList> logsByFolder(const LaunchPlan &plan, const QString &runDirectory)
{
    QMap<QString, QStringList> logs;
    for (const ProcessPlan &process : plan.processes) {
        for (const QString &path : {process.logFile, process.stderrFile}) {
            const qsizetype slash = path.lastIndexOf('/'_L1);
            if (slash > 0 && !process.isFound && !path.startsWith(runDirectory + '/'_L1))
                logs[path.left(slash)] << fieldOf(path.mid(slash + 1));
        }
    }
    return logs;
}

static std::optional<Error> append(const QString &path, const QByteArray &line)
{
    QFile file(path);
    if (!file.open(QIODevice::Append | QIODevice::Unbuffered))
        return Error{tr("cannot be written: %1").arg(file.errorString()), path, {}};
    const QByteArray text =
        (file.size() == 0 ? QByteArray("start\trun\tlauncher\tlogs\n") : QByteArray()) + line;
    if (file.write(text) != text.size())
        return Error{tr("cannot be written: %1").arg(file.errorString()), path, {}};
    return std::nullopt;
}

std::optional<Error> indexLogs(const RunRecord &record, const QString &runDirectory)
{
    const LaunchPlan &plan = record.plan;
    if (plan.adopted || plan.overwriteLogs || !plan.emptyDirectory.isEmpty())
        return std::nullopt;
    const QDateTime local = record.created.toLocalTime();
    const QStringList fields{local.toOffsetFromUtc(local.offsetFromUtc()).toString(Qt::ISODate),
                             fieldOf(record.name), fieldOf(plan.launcher)};
    const QMap<QString, QStringList> logs = logsByFolder(plan, runDirectory);
    std::optional<Error> problem;
    for (auto folder = logs.begin(); folder != logs.end(); ++folder) {
        QDir().mkpath(folder.key()); // As the processes are going to.
        const auto error = append(folder.key() + '/'_L1 + QLatin1String(logIndexName),
                                  (fields + folder.value()).join('\t'_L1).toUtf8() + '\n');
        problem = problem ? problem : error;
    }
    return problem;
}

QList<IndexedRun> indexedRuns(const QString &logDirectory)
{
    constexpr qint64 mostBytes = 1024 * 1024;
    RegularFile file(logDirectory + '/'_L1 + QLatin1String(logIndexName));
    QList<IndexedRun> runs;
    if (!file.open(QIODevice::ReadOnly))
        return runs;
    if (file.size() > mostBytes) {
        file.seek(file.size() - mostBytes);
        file.readLine(); // Its beginning is missing.
    }
    const QList<QByteArray> lines = file.read(mostBytes).split('\n');
    for (const QByteArray &line : lines) {
        const QStringList fields = QString::fromUtf8(line).split('\t'_L1);
        const QDateTime start = QDateTime::fromString(fields.first(), Qt::ISODate);
        if (start.isValid() && fields.size() >= fewestFields)
            runs << IndexedRun{start.toUTC(), fields[1], fields[2], fields.mid(fewestFields - 1)};
    }
    return runs;
}

} // namespace rankdeck
