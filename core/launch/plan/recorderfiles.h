#pragma once

#include "base/tr.h"

#include <QMap>
#include <QProcessEnvironment>

#include <vector>

namespace rankdeck
{

struct LaunchPlan;

// Where the flight recorders of torch and torch_npu write, in a run whose plan has switched them on; see
// planning/commonplan.cpp.

/// Below the run directory: what the flight recorders write.
inline constexpr char recorderFolderName[] = "/flight-recorder";

/// Returns the variables that switch the recorders on: they write into `folder`.
/// @param torch its version, whose names are used; "0": all names.
QMap<QString, QString> recorderVariables(const QString &folder, int stallSeconds,
                                         const QString &torch = u"0"_s);

/// Whether setUpRecorders() has set any variable of the plan's processes.
bool hasRecorders(const LaunchPlan &plan);

/// The folder of the dumps, pipes and status files of an attempt.
QString recorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);
/// @param attempt may be attemptPlaceholder.
QString recorderFolder(const QString &runDirectory, const LaunchPlan &plan, const QString &attempt);
/// The same of a run that is read: a report bundle has no folders for attempts.
QString writtenRecorderFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);
/// The status files of torch_npu, below that.
QString recorderStatusFolder(const QString &recorderFolder);

/// Where the ranks of a recorder wait for orders, and where they dump: the rank follows, and ".pipe" in the
/// name of a pipe.
struct RecorderPrefixes {
    QString pipe;
    QString dump;
    bool operator==(const RecorderPrefixes &) const = default;
};
/// Returns those of the processes of a node, each once; absolute paths.
/// @param environment that the processes' own variables change.
std::vector<RecorderPrefixes> recorderPrefixes(const LaunchPlan &plan, const QString &node,
                                               const QProcessEnvironment &environment);

} // namespace rankdeck
