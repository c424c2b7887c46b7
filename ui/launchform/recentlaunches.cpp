#include "launchform/recentlaunches.h"

#include "launchform/recentlaunchesfile.h"

#include <QStandardPaths>

namespace rankdeck
{

RecentLaunches::RecentLaunches(const QString &file, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("recent launches"))
    , m_file(new RecentLaunchesFile(file))
{
    connect(m_file, &RecentLaunchesFile::read, this, &RecentLaunches::receive);
    connect(m_file, &RecentLaunchesFile::failed, this, &RecentLaunches::failed);
    m_thread.adopt(m_file);
}

QString RecentLaunches::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/rankdeck/recent-launches.json");
}

void RecentLaunches::load()
{
    QMetaObject::invokeMethod(m_file, &RecentLaunchesFile::load, Qt::QueuedConnection);
}

void RecentLaunches::add(const LaunchSpec &spec)
{
    const RecentLaunch launch{spec, QDateTime::currentDateTimeUtc()};
    QMetaObject::invokeMethod(
        m_file, [file = m_file, launch] { file->add(launch); }, Qt::QueuedConnection);
}

void RecentLaunches::receive(const QList<RecentLaunch> &launches)
{
    m_launches = launches;
    Q_EMIT changed();
}

} // namespace rankdeck
