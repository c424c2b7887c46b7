#include "commands.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/runretention.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("keepcommand", text);
}

Result<KeepSetting> readSetting(const QString &word)
{
    if (word == QLatin1String("forever"))
        return KeepSetting();
    bool isNumber = false;
    const int days = word.toInt(&isNumber);
    if (isNumber && days >= 1 && days <= KeepSetting::mostDays)
        return KeepSetting{days};
    return Error{tr("\"%1\" is no number of days from 1 to %2").arg(word).arg(KeepSetting::mostDays),
                 {},
                 tr("Give one, or forever.")};
}

int apply()
{
    const auto deleted = deleteExpiredRuns();
    if (!deleted)
        return refuse(deleted.error());
    for (const QString &name : *deleted)
        print(visibleText(name));
    return 0;
}

void printAsJson(const KeepSetting &setting, const QList<RunSummary> &expired)
{
    nlohmann::json json{{"keep_days", nullptr}, {"expired", nlohmann::json::array()}};
    if (setting.days)
        json["keep_days"] = *setting.days;
    for (const RunSummary &run : expired)
        json["expired"].push_back(run.name);
    print(visibleJson(jsonText(json, 2)));
}

void show(const KeepSetting &setting, const QList<RunSummary> &expired, bool isDryRun)
{
    const int count = setting.days.value_or(0);
    const QString days = count == 1 ? tr("1 day") : tr("%1 days").arg(count);
    if (!setting.days)
        say(isDryRun ? tr("Runs would be kept for ever.") : tr("Runs are kept for ever."));
    else if (isDryRun)
        say(tr("If runs were kept for %1, %2 would go:").arg(days).arg(expired.size()));
    else
        say(tr("Runs are kept for %1 after their end.").arg(days));
    if (!isDryRun && !expired.isEmpty())
        say(tr("These go when next a run ends or the window opens, or with --apply:"));
    for (const RunSummary &run : expired)
        print(visibleText(run.name));
}

} // namespace

int keepCommand(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments,
        {.switches = {QStringLiteral("--apply"), QStringLiteral("--dry-run"), QStringLiteral("--json")},
         .mostPositional = 1});
    if (!options)
        return refuse(options.error());
    const bool isApplied = options->has("--apply");
    if (isApplied && arguments.size() > 1)
        return refuse({tr("this goes alone"), QStringLiteral("--apply"), {}});
    if (isApplied)
        return apply();
    const auto setting =
        options->positional.isEmpty() ? loadKeepSetting() : readSetting(options->positional.first());
    if (!setting)
        return refuse(setting.error());
    if (!options->positional.isEmpty() && !options->has("--dry-run")) {
        if (const auto error = saveKeepSetting(*setting))
            return refuse(*error);
    }
    const QList<RunSummary> expired =
        expiredRuns(RunSummaries().read(), *setting, QDateTime::currentDateTimeUtc());
    if (options->has("--json"))
        printAsJson(*setting, expired);
    else
        show(*setting, expired, options->has("--dry-run"));
    return 0;
}

} // namespace rankdeck
