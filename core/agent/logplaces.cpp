#include "agent/logplaces.h"

#include "launch/attempt.h"
#include "launch/launchbasics.h"
#include "launch/writtenfiles.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

bool isBelow(const QString &folder, const QString &path)
{
    return path.startsWith(folder + QLatin1Char('/'));
}

/// The folder that all of the plan's logs outside of the run directory are in; empty when there are none, or
/// nothing but "/" is above all.
QString commonLogFolder(const LaunchPlan &plan)
{
    QString common;
    for (const ProcessPlan &process : plan.processes) {
        if (process.logFile.startsWith(QLatin1String(runDirectoryPlaceholder)))
            continue;
        const QString folder = QFileInfo(process.logFile).path();
        if (common.isEmpty())
            common = folder;
        while (folder != common && !isBelow(common, folder) && common != QLatin1String("/"))
            common = QFileInfo(common).path();
    }
    return common == QLatin1String("/") ? QString() : common;
}

} // namespace

LogPlaces::LogPlaces(QString runDirectory, const LaunchPlan &plan)
    : m_directory(std::move(runDirectory))
{
    ask(m_directory);
    // With restarts, what is above the folders of all attempts.
    QString logs = commonLogFolder(plan);
    if (const auto attempt = logs.lastIndexOf(attemptFolder(QLatin1String(attemptPlaceholder))); attempt > 1)
        logs.truncate(attempt - 1);
    if (!logs.isEmpty() && QDir().mkpath(logs))
        ask(logs);
}

void LogPlaces::ask(const QString &folder)
{
    auto probe = SharedFolderProbe::begin(folder);
    if (!probe)
        return;
    m_asked << FolderProbe{folder, probe->name()};
    m_probes.push_back(std::move(probe.value()));
}

bool LogPlaces::sees(const PreparedNode &node, const QString &path) const
{
    for (std::size_t index = 0; index < m_probes.size(); ++index) {
        const auto at = static_cast<qsizetype>(index);
        if (isBelow(m_asked[at].folder, path))
            return m_probes[index].isAnsweredBy(node.answers.value(at).toLatin1());
    }
    return false;
}

QString LogPlaces::copyOf(const ProcessPlan &process, const QString &path, int own, bool isRestarted) const
{
    if (isBelow(m_directory, path))
        return path;
    const QString attempt =
        isRestarted ? attemptFolder(QLatin1String(attemptPlaceholder)) + QLatin1Char('/') : QString();
    return QStringLiteral("%1/logs/%2/%3%4/%5")
        .arg(m_directory, asFileName(process.node), attempt, QString::number(own),
             asFileName(QFileInfo(path).fileName()));
}

std::optional<Error> LogPlaces::place(ProcessPlan &process, const ProcessPlan &planned,
                                      const PreparedNode &node, int own, bool isRestarted) const
{
    const QStringList told = writtenFiles(planned);
    const QStringList unplaced = writtenFiles(process);
    const QStringList &named = node.files[own];
    QStringList read = unplaced;
    QStringList copied(writtenFileCount);
    for (qsizetype file = 0; file < told.size(); ++file) {
        if (told[file].isEmpty())
            continue;
        if (!sees(node, told[file])) {
            read[file] = copyOf(process, unplaced[file], own, isRestarted);
            copied[file] = named[file];
        } else if (QFileInfo(named[file]).path() != QFileInfo(told[file]).path()) {
            return Error{QCoreApplication::translate("LogPlaces", "its agent names a file that is not in the "
                                                                  "folder it was told"),
                         named[file],
                         {}};
        } else if (!isRestarted) {
            read[file] = named[file]; // An earlier launch may have taken the planned name.
        }
    }
    setWrittenFiles(process, read);
    if (!copied.join(QString()).isEmpty())
        process.copiedFrom = copied;
    return std::nullopt;
}

} // namespace rankdeck
