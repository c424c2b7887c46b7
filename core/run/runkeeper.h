#pragma once

#include "run/diskwatch.h"
#include "run/journal.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// Looks after what a live run has on disk: its directory, which somebody may remove or open to others, its
/// journal, and the file systems of its logs, which may be full. Whatever it finds, the run goes on.
class RunKeeper
{
public:
    /// @param journal must outlive the keeper.
    RunKeeper(QString runDirectory, Journal &journal, const QStringList &logFolders);

    struct Findings {
        QStringList notes;       ///< Sentences for the journal.
        QStringList fullFolders; ///< Of logs, whose file systems have become full.
    };
    /// Look once and mend what can be mended.
    Findings look();

private:
    QString mendDirectory() const;

    QString m_directory;
    Journal &m_journal;
    DiskWatch m_disks;
};

} // namespace rankdeck
