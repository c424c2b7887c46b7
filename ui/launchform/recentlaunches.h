#pragma once

#include "background/iothread.h"
#include "launch/launchspec.h"

#include <QDateTime>
#include <QList>
#include <QObject>

namespace rankdeck
{

class RecentLaunchesFile;

/// A launch that was started from the form.
struct RecentLaunch {
    LaunchSpec spec;
    QDateTime launched; ///< UTC.

    bool operator==(const RecentLaunch &) const = default;
};

/// The launches that were started last, newest first, each spec once. Kept as JSON in
/// $XDG_CONFIG_HOME/rankdeck/recent-launches.json, which windows share; file access is off the caller's
/// thread.
class RecentLaunches : public QObject
{
    Q_OBJECT

public:
    static constexpr int maxLaunches = 20;

    /// @param file instead of the usual one.
    explicit RecentLaunches(const QString &file = defaultFile(), QObject *parent = nullptr);

    static QString defaultFile();

    const QList<RecentLaunch> &launches() const { return m_launches; }

public Q_SLOTS:
    /// Read the file; changed() follows.
    void load();
    /// Put `spec` first and write the file; changed() follows.
    void add(const rankdeck::LaunchSpec &spec);

Q_SIGNALS:
    void changed();
    /// The file cannot be read or written; the launches of this session are kept in memory.
    void failed(const rankdeck::Error &error);

private:
    void receive(const QList<RecentLaunch> &launches);

    IoThread m_thread;
    RecentLaunchesFile *m_file; ///< Lives in and is deleted by m_thread.
    QList<RecentLaunch> m_launches;
};

} // namespace rankdeck
