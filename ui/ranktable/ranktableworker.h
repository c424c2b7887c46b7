#pragma once

#include "ranktable/filestamp.h"
#include "ranktable/ranktablelook.h"

#include <QObject>
#include <QTimer>

#include <atomic>

namespace rankdeck
{

/// The part of a RankTableWatch that blocks; lives in its thread.
class RankTableWorker : public QObject
{
    Q_OBJECT

public:
    RankTableWorker();

    /// From any thread: what older requests have not begun yet is left out.
    void setNewest(int request) { m_newest = request; }
    /// Look at the file now and whenever it has changed since, once a second.
    void watch(int request, const QString &path, Chip chip);
    void setPaused(bool paused);

Q_SIGNALS:
    void reading(int request, qint64 bytes);
    void looked(int request, const rankdeck::RankTableLook &look);

private:
    void poll();
    void look(const FileStamp &stamp);

    std::atomic<int> m_newest = 0;
    int m_request = 0;
    QString m_path;
    Chip m_chip = Chip::Unknown;
    std::optional<FileStamp> m_seen; ///< When last looked; absent until what is there has settled.
    QTimer m_timer;
};

} // namespace rankdeck
