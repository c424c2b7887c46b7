#pragma once

#include "background/iothread.h"
#include "launch/spec/launchspec.h"

#include <QDateTime>

namespace rankdeck
{

/// A launch that was started from the form.
struct RecentLaunch {
    LaunchSpec spec;
    QDateTime launched; ///< UTC.

    bool operator==(const RecentLaunch &) const = default;
};

/// The blocking part of RecentLaunches; lives in its thread.
class RecentLaunchesFile : public QObject
{
    Q_OBJECT

public:
    explicit RecentLaunchesFile(QString path)
        : m_path(std::move(path))
    {
    }

    void load()
    {
        refresh();
        Q_EMIT read(m_launches);
    }
    void add(const RecentLaunch &launch);

Q_SIGNALS:
    void read(const QList<rankdeck::RecentLaunch> &launches);
    void failed(const rankdeck::Error &error);

private:
    /// Reads the file into m_launches; a file that cannot be read leaves them unchanged.
    void refresh();
    void write();
    void setAside(const QString &reason);

    QString m_path;
    QList<RecentLaunch> m_launches;
};

/// The most recent launches, newest first, each spec once. Kept as JSON in
/// $XDG_CONFIG_HOME/rankdeck/recent-launches.json, which all windows share; a thread of its own uses the
/// file.
class RecentLaunches : public QObject
{
    Q_OBJECT

public:
    static constexpr int maxLaunches = 20;

    explicit RecentLaunches(const QString &file = defaultFile(), QObject *parent = nullptr);

    static QString defaultFile();

    const QList<RecentLaunch> &launches() const { return m_launches; }

public Q_SLOTS:
    /// Reads the file; changed() follows.
    void load() { QMetaObject::invokeMethod(m_file, &RecentLaunchesFile::load, Qt::QueuedConnection); }
    /// Puts `spec` first and writes the file; changed() follows.
    void add(const rankdeck::LaunchSpec &spec);

Q_SIGNALS:
    void changed();
    /// The file cannot be read or written; this session keeps its launches in memory.
    void failed(const rankdeck::Error &error);

private:
    IoThread m_thread;
    RecentLaunchesFile *m_file; ///< Lives in and is deleted by m_thread.
    QList<RecentLaunch> m_launches;
};

} // namespace rankdeck
