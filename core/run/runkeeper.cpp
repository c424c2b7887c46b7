#include "run/runkeeper.h"

#include <QCoreApplication>
#include <QDir>

#include <sys/stat.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("RunKeeper", text);
}

} // namespace

RunKeeper::RunKeeper(QString runDirectory, Journal &journal, const QStringList &logFolders)
    : m_directory(std::move(runDirectory))
    , m_journal(journal)
    , m_disks(logFolders)
{
}

RunKeeper::Findings RunKeeper::look()
{
    Findings found;
    const QString mended = mendDirectory();
    const bool isJournalNew = m_journal.restoreIfGone();
    if (!mended.isEmpty())
        found.notes << mended;
    else if (isJournalNew)
        found.notes << tr("The run's journal had been removed; it has been written anew.");
    for (const DiskWatch::Change &change : m_disks.look()) {
        found.notes << change.text;
        if (change.isFull)
            found.fullFolders << change.folder;
    }
    m_journal.tend();
    return found;
}

/// Without its directory nobody could attach to the run or stop it.
QString RunKeeper::mendDirectory() const
{
    const QByteArray name = QFile::encodeName(m_directory);
    struct stat info {
    };
    if (stat(name.constData(), &info) != 0) {
        if (errno != ENOENT || !QDir().mkpath(QFileInfo(m_directory).path()) ||
            mkdir(name.constData(), 0700) != 0)
            return {};
        return tr(
            "The run directory was removed while the run was live. It has been made anew and the run goes "
            "on, but the logs that were in it are lost, and so is what is still written to them.");
    }
    if ((info.st_mode & 0077) != 0 && chmod(name.constData(), 0700) == 0)
        return tr("The run directory was open to other users; it has been closed again.");
    return {};
}

} // namespace rankdeck
