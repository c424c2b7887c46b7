#pragma once

#include "base/result.h"

#include <optional>

namespace rankdeck
{

struct LaunchPlan;

/// Reserves the log files of a launch: makes them empty, so that no other launch takes their names. Only
/// those of its first attempt, as later ones are in folders made later. Removes the files it made unless they
/// are kept. If the plan overwrites logs, existing ones stay unchanged until empty() is called.
class LogReservation
{
public:
    ~LogReservation() { discard(); }

    /// Names the logs in `plan` so that none exists ("x.txt", "x.1.txt" …), unless it overwrites them.
    std::optional<Error> reserve(LaunchPlan &plan);
    /// Empties existing logs, when nothing but the start can still fail.
    std::optional<Error> empty() const;
    void keep() { m_made.clear(); }

private:
    int tryNumber(const LaunchPlan &plan, int number);
    int tryFile(const QString &path, bool overwrite);
    void discard();

    QString m_folder; ///< The last one made.
    QStringList m_reserved;
    QStringList m_made; ///< Files that did not exist before.
};

/// Reserve the logs of `plan` and write its files. Error: the first that cannot be made.
std::optional<Error> makeFiles(LaunchPlan &plan, LogReservation &logs);

/// How to name another log directory.
QString logDirMend(const LaunchPlan &plan);

} // namespace rankdeck
