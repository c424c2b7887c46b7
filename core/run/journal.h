#pragma once

#include "run/runevent.h"

#include <QFile>
#include <QString>

namespace rankdeck
{

/// The append-only list of what happened in a run, one JSON object a line. Only the supervisor writes it.
class Journal
{
public:
    /// Opens (or makes, 0600) the journal of a run directory. Check isOpen().
    explicit Journal(const QString &runDirectory);

    bool isOpen() const { return m_file.isOpen(); }
    /// One write() a line, so that a reader sees whole lines or a torn last one, never a mixture.
    bool append(const RunEvent &event);
    /// Bytes in the journal.
    qint64 size() const { return m_file.size(); }

private:
    QFile m_file;
};

} // namespace rankdeck
