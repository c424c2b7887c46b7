#pragma once

#include "base/tr.h"

#include <QFile>

namespace rankdeck
{

struct RunEvent;

/// The append-only list of what happened in a run, one JSON object a line. Only the supervisor writes it.
/// While the disk is full, events wait in memory and are written, in order, as soon as there is room.
class Journal
{
public:
    /// Opens (or makes, 0600) the journal of a run directory. Check isOpen(). Ends a torn line of a writer
    /// that died.
    explicit Journal(const QString &runDirectory);
    /// Gives back the room that tend() reserved.
    ~Journal();
    Q_DISABLE_COPY_MOVE(Journal)

    bool isOpen() const { return m_file.isOpen(); }
    /// Writes a line with one write(), so that a reader sees whole lines or a torn last one, never a mixture.
    /// False if it has to wait.
    bool append(const RunEvent &event);
    /// Writes what waits, and reserves room on the disk for the next events. Call it now and then.
    void tend();
    /// Writes the journal again, with its whole contents, if it was removed or moved; its directory must
    /// exist. True if it was written again.
    bool restoreIfGone();
    /// Bytes in the journal.
    qint64 size() const { return m_file.size(); }

private:
    void endTornLine();
    bool writeWaiting();

    QFile m_file;
    QByteArray m_waiting; ///< Whole lines, but part of the first one may be in the file already.
    int m_lost = 0;       ///< Number of events that did not fit into m_waiting.
    qint64 m_keptUntil = 0;
};

} // namespace rankdeck
