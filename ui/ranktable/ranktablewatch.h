#pragma once

#include "background/iothread.h"
#include "ranktable/ranktablelook.h"

#include <QObject>

namespace rankdeck
{

class RankTableWorker;

/// Reads and checks one rank table file off the GUI thread, and again whenever the file changes. The newest
/// request wins: what was found for an earlier one is dropped.
class RankTableWatch : public QObject
{
    Q_OBJECT

public:
    explicit RankTableWatch(QObject *parent = nullptr);

    /// Watch another file; an empty path for none.
    void watch(const QString &path, Chip chip);
    /// Do not look while nobody sees what comes of it.
    void setPaused(bool paused);

Q_SIGNALS:
    void reading(qint64 bytes);
    void looked(const rankdeck::RankTableLook &look);

private:
    IoThread m_thread;
    RankTableWorker *m_worker; ///< Lives in and is deleted by m_thread.
    int m_request = 0;
};

} // namespace rankdeck
