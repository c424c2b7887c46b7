#include "launchform/saved/recentlaunches.h"

#include "base/fields.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>

namespace rankdeck
{

constexpr int lockPatienceMs = 2000;

/// A launch in the file. Its spec is absent if this version cannot read it.
struct StoredLaunch {
    QDateTime launched;
    std::optional<LaunchSpec> spec;
};

static void visitFields(Fields &fields, StoredLaunch &launch)
{
    const Fields::Leniently lenient(fields);
    fields.newer("launched", launch.launched);
    fields.newer("spec", launch.spec);
}

void RecentLaunchesFile::add(const RecentLaunch &launch)
{
    QDir().mkpath(QFileInfo(m_path).path());
    QLockFile lock(m_path + u".lock"_s);
    const bool locked = lock.tryLock(lockPatienceMs);
    refresh();
    m_launches.removeIf([&](const RecentLaunch &other) { return other.spec == launch.spec; });
    m_launches.prepend(launch);
    while (m_launches.size() > RecentLaunches::maxLaunches)
        m_launches.removeLast();
    if (locked)
        write();
    else
        Q_EMIT failed(Error{tr("The recent launches cannot be kept: the file is locked"), m_path, {}});
    Q_EMIT read(m_launches);
}

void RecentLaunchesFile::refresh()
{
    QFile file(m_path);
    if (!file.exists())
        return;
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT failed(Error{tr("The recent launches cannot be read: %1").arg(problemOf(file)), m_path, {}});
        return;
    }
    const auto stored = fromJsonText<QList<StoredLaunch>>(file.readAll());
    if (!stored)
        return setAside(tr("The recent launches cannot be read: the file is damaged"));
    QList<RecentLaunch> launches;
    for (const StoredLaunch &each : *stored) {
        if (each.spec && each.launched.isValid())
            launches += RecentLaunch{*each.spec, each.launched};
    }
    if (launches.size() < stored->size())
        setAside(tr("Some recent launches cannot be read by this version"));
    m_launches = launches;
}

void RecentLaunchesFile::write()
{
    QList<StoredLaunch> stored;
    for (const RecentLaunch &launch : std::as_const(m_launches))
        stored += StoredLaunch{launch.launched, launch.spec};
    QSaveFile file(m_path);
    // A command may hold a token: for this user only.
    if (file.open(QIODevice::WriteOnly))
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    if (!file.isOpen() || file.write(jsonTextOf(stored, 1)) < 0 || !file.commit())
        Q_EMIT failed(Error{tr("The recent launches cannot be kept: %1").arg(problemOf(file)), m_path, {}});
}

void RecentLaunchesFile::setAside(const QString &reason)
{
    const QString copy = m_path + u".unread"_s;
    QFile::remove(copy);
    QFile::copy(m_path, copy);
    Q_EMIT failed(Error{reason, m_path, tr("A copy is kept in %1.").arg(copy)});
}

RecentLaunches::RecentLaunches(const QString &file, QObject *parent)
    : QObject(parent)
    , m_thread(u"recent launches"_s)
    , m_file(new RecentLaunchesFile(file))
{
    connect(m_file, &RecentLaunchesFile::read, this, [this](const QList<RecentLaunch> &launches) {
        m_launches = launches;
        Q_EMIT changed();
    });
    connect(m_file, &RecentLaunchesFile::failed, this, &RecentLaunches::failed);
    m_thread.adopt(m_file);
}

QString RecentLaunches::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/rankdeck/recent-launches.json"_s;
}

void RecentLaunches::add(const LaunchSpec &spec)
{
    const RecentLaunch launch{spec, QDateTime::currentDateTimeUtc()};
    QMetaObject::invokeMethod(
        m_file, [file = m_file, launch] { file->add(launch); }, Qt::QueuedConnection);
}

} // namespace rankdeck
