#pragma once

#include "launchform/recentlaunches.h"
#include "result.h"

namespace rankdeck
{

/// The part of RecentLaunches that blocks; lives in its thread.
class RecentLaunchesFile : public QObject
{
    Q_OBJECT

public:
    explicit RecentLaunchesFile(QString path);

    void load();
    void add(const RecentLaunch &launch);

Q_SIGNALS:
    void read(const QList<rankdeck::RecentLaunch> &launches);
    void failed(const rankdeck::Error &error);

private:
    /// Reads the file into m_launches; they stay as they are where it cannot be read.
    void refresh();
    void write();
    void setAside(const QString &reason);

    QString m_path;
    QList<RecentLaunch> m_launches;
};

} // namespace rankdeck
