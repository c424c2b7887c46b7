#pragma once

#include "run/runrecord.h"

#include <QByteArray>

namespace rankdeck
{

/// Rebuilds a RunState from a run directory, and follows the journal as it grows. Reads files in the caller's
/// thread; a torn last line is left for the next call.
class RunReader
{
public:
    explicit RunReader(QString directory);

    /// Everything so far. Error: no run there.
    Result<RunState> open();
    /// Read what was added. True when the state changed.
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
