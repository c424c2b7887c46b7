#pragma once

#include "base/result.h"
#include "base/tr.h"

#include <optional>

namespace rankdeck
{

struct LaunchPlan;

/// The log files of a launch, made empty so that no other launch takes their names; of its first attempt, as
/// those of later ones are in folders that are made then. Removes what it made unless kept. Where the plan
/// overwrites logs, those that are there stay as they are until empty() is called.
class LogReservation
{
public:
    ~LogReservation() { discard(); }

    /// Name the logs in `plan` so that none is there yet ("x.txt", "x.1.txt" …), unless it overwrites them.
    /// Error: a folder or file that cannot be made.
    std::optional<Error> reserve(LaunchPlan &plan);
    /// Empty what was there before: nothing but the start can fail any more.
    std::optional<Error> empty() const;
    void keep() { m_made.clear(); }

private:
    int tryNumber(const LaunchPlan &plan, int number);
    int tryFile(const QString &path, bool overwrite);
    void discard();

    QString m_folder; ///< The last one made.
    QStringList m_reserved;
    QStringList m_made; ///< Those that were not there before.
};

/// Reserve the logs of `plan` and write its files. Error: the first that cannot be made.
std::optional<Error> makeFiles(LaunchPlan &plan, LogReservation &logs);

/// How to name another log directory.
QString logDirMend(const LaunchPlan &plan);

} // namespace rankdeck
