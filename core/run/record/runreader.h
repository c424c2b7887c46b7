#pragma once

#include "run/record/runrecord.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// Rebuilds a RunState from a run directory, and follows the journal as it grows. Reads files in the caller's
/// thread; a torn last line is left for the next call.
class RunReader
{
public:
    explicit RunReader(QString directory);

    /// Reads everything so far. Fails if there is no run.
    Result<RunState> open();
    /// Reads the part that was added. Returns true if the state changed.
    bool update();

    const QString &directory() const { return m_directory; }
    const RunState &state() const { return m_state; }
    const RunRecord &record() const { return m_record; }

private:
    bool readRecord();
    void readPlan();
    bool readJournal();
    bool concludeIfUnwatched();
    void concludeWithoutJournal();

    QString m_directory;
    RunRecord m_record;
    RunState m_state;
    qint64 m_offset = 0;
    QByteArray m_partial;
    QDateTime m_lastEventTime;
    bool m_recordIsStale = false;
};

} // namespace rankdeck
