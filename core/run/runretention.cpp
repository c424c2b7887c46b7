#include "run/runretention.h"

#include "json.h"
#include "run/runcatalog.h"
#include "run/rundeletion.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace rankdeck
{

namespace
{

constexpr qint64 mostBytes = 64 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("RunRetention", text);
}

QString settingPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/rankdeck/runs.json");
}

} // namespace

Result<KeepSetting> loadKeepSetting()
{
    const QString path = settingPath();
    if (!QFileInfo::exists(path))
        return KeepSetting();
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return Error{tr("the setting cannot be read: %1").arg(file.errorString()), path, {}};
    const auto json = parseJson(file.read(mostBytes));
    const auto days = json && json->is_object() ? json->value("keep_days", nlohmann::json())
                                                : nlohmann::json(nlohmann::json::value_t::discarded);
    if (days.is_null())
        return KeepSetting();
    if (!days.is_number_integer() || days < 1 || days > KeepSetting::mostDays)
        return Error{
            tr("this does not say how long runs are kept"), path,
            tr("It should hold {\"keep_days\": 30}, 1 to %1, or null for ever.").arg(KeepSetting::mostDays)};
    return KeepSetting{days.get<int>()};
}

std::optional<Error> saveKeepSetting(const KeepSetting &setting)
{
    const QString path = settingPath();
    nlohmann::json json{{"keep_days", nullptr}};
    if (setting.days)
        json["keep_days"] = *setting.days;
    QSaveFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(jsonText(json, 2) + '\n') < 0 || !file.commit())
        return Error{tr("the setting cannot be written: %1").arg(file.errorString()), path, {}};
    return std::nullopt;
}

QList<RunSummary> expiredRuns(QList<RunSummary> runs, const KeepSetting &setting, const QDateTime &now)
{
    if (!setting.days)
        return {};
    runs.removeIf([&](const RunSummary &run) {
        return isLive(run.phase) || !run.ended.isValid() || run.ended.addDays(*setting.days) > now;
    });
    return runs;
}

Result<QStringList> deleteExpiredRuns()
{
    const auto setting = loadKeepSetting();
    if (!setting)
        return setting.error();
    if (!setting->days)
        return QStringList();
    QStringList deleted;
    std::optional<Error> problem;
    const QList<RunSummary> expired =
        expiredRuns(RunSummaries().read(), *setting, QDateTime::currentDateTimeUtc());
    for (const RunSummary &run : expired) {
        if (const auto error = deleteRun(run.directory, false))
            problem = problem ? problem : error;
        else
            deleted << run.name;
    }
    return problem ? Result<QStringList>(*problem) : Result<QStringList>(deleted);
}

} // namespace rankdeck
