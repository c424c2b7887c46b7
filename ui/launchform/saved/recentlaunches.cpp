#include "launchform/recentlaunchesfile.h"

#include "json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>

namespace rankdeck
{

namespace
{

constexpr int lockPatienceMs = 2000;

/// Nothing when `json` is no launch, or one of a later version.
std::optional<RecentLaunch> launchFrom(const nlohmann::json &json)
{
    if (!json.is_object() || !json.contains("spec") || !json.value("launched", nlohmann::json()).is_string())
        return std::nullopt;
    const Result<LaunchSpec> spec = launchSpecFromJson(json["spec"]);
    if (!spec)
        return std::nullopt;
    return RecentLaunch{*spec, QDateTime::fromString(json["launched"].get<QString>(), Qt::ISODateWithMs)};
}

} // namespace

RecentLaunchesFile::RecentLaunchesFile(QString path)
    : m_path(std::move(path))
{
}

void RecentLaunchesFile::load()
{
    refresh();
    Q_EMIT read(m_launches);
}

void RecentLaunchesFile::add(const RecentLaunch &launch)
{
    QDir().mkpath(QFileInfo(m_path).path());
    QLockFile lock(m_path + QStringLiteral(".lock"));
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
        Q_EMIT failed(
            Error{tr("The recent launches cannot be read: %1").arg(file.errorString()), m_path, {}});
        return;
    }
    const auto json = parseJson(file.readAll());
    if (!json || !json->is_array()) {
        setAside(tr("The recent launches cannot be read: the file is damaged"));
        return;
    }
    QList<RecentLaunch> launches;
    for (const nlohmann::json &entry : *json) {
        if (const auto launch = launchFrom(entry))
            launches += *launch;
    }
    if (launches.size() < qsizetype(json->size()))
        setAside(tr("Some recent launches cannot be read by this version"));
    m_launches = launches;
}

void RecentLaunchesFile::write()
{
    nlohmann::json json = nlohmann::json::array();
    for (const RecentLaunch &launch : std::as_const(m_launches))
        json.push_back(
            {{"launched", launch.launched.toString(Qt::ISODateWithMs)}, {"spec", toJson(launch.spec)}});
    QSaveFile file(m_path);
    // A command may hold a token: for this user only.
    if (file.open(QIODevice::WriteOnly))
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    if (!file.isOpen() || file.write(jsonText(json, 1)) < 0 || !file.commit())
        Q_EMIT failed(
            Error{tr("The recent launches cannot be kept: %1").arg(file.errorString()), m_path, {}});
}

void RecentLaunchesFile::setAside(const QString &reason)
{
    const QString copy = m_path + QStringLiteral(".unread");
    QFile::remove(copy);
    QFile::copy(m_path, copy);
    Q_EMIT failed(Error{reason, m_path, tr("A copy is kept in %1.").arg(copy)});
}

} // namespace rankdeck
