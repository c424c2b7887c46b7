#pragma once

#include "result.h"
#include "run/runstate.h"

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// How long runs are kept after their end, in days; without a number for ever.
struct KeepSetting {
    static constexpr int mostDays = 36500;

    std::optional<int> days; ///< 1 .. mostDays.

    bool operator==(const KeepSetting &) const = default;
};

/// $XDG_CONFIG_HOME/rankdeck/runs.json, {"keep_days": 30}; for ever when it is not there. Error: it cannot be
/// read, or holds something else.
Result<KeepSetting> loadKeepSetting();
std::optional<Error> saveKeepSetting(const KeepSetting &setting);

/// Those of `runs` that ended longer ago than the setting says. Live runs and runs without an end never.
QList<RunSummary> expiredRuns(QList<RunSummary> runs, const KeepSetting &setting, const QDateTime &now);

/// Delete the runs that are expired now, without logs outside their run directories. Returns their names.
/// Error: the setting cannot be read, and nothing was deleted; or the first run that could not be deleted.
Result<QStringList> deleteExpiredRuns();

} // namespace rankdeck
