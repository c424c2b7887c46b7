#pragma once

#include "run/runevent.h"

#include <QByteArray>
#include <QFile>
#include <QString>

namespace rankdeck
{

/// The append-only list of what happened in a run, one JSON object a line. Only the supervisor writes it. An
/// event that finds the disk full waits here and is written, in its place, as soon as there is room.
class Journal
{
public:
    /// Opens (or makes, 0600) the journal of a run directory. Check isOpen(). A line that was torn, because
    /// its writer died, is ended first.
    explicit Journal(const QString &runDirectory);
    /// Gives back the room that tend() kept.
    ~Journal();
    Q_DISABLE_COPY_MOVE(Journal)

    bool isOpen() const { return m_file.isOpen(); }
    /// One write() a line, so that a reader sees whole lines or a torn last one, never a mixture. False when
    /// it has to wait.
    bool append(const RunEvent &event);
    /// Now and then: write what waits, and keep room on the disk for what comes next.
    void tend();
    /// Make the journal anew, with all that was in it, when somebody has removed or moved it; its directory
    /// must be there. True when it was made anew.
    bool restoreIfGone();
    /// Bytes in the journal.
    qint64 size() const { return m_file.size(); }

private:
    void endTornLine();
    bool writeWaiting();

    QFile m_file;
    QByteArray m_waiting; ///< Whole lines, but the first may have its beginning in the file already.
    int m_lost = 0;       ///< Events for which there was no more room here either.
    qint64 m_keptUntil = 0;
};

} // namespace rankdeck
