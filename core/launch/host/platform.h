#pragma once

#include "base/result.h"
#include "base/sentence.h"
#include "ranktable/table/ranktable.h"

#include <QMap>
#include <QProcessEnvironment>

namespace rankdeck
{

/// The variables that replace the platform's channels for a rank.
struct PlatformChannels {
    QMap<QString, QString> set;
    QStringList remove;
};

/// MA_INPUTS and MA_OUTPUTS name the channels of a job in the platform's second form, while the ranks expect
/// the first, and of the channels data_url and train_url alone: a variable that names its channel is
/// rewritten, one that does not is removed, one that is empty or not set stays as it is. Source:
/// davincirunsdk, common.py. Error: a variable that is not JSON, or a channel without its directory or
/// address.
Result<PlatformChannels> platformChannels(const QProcessEnvironment &environment);

/// The operators that a job brings along, from MA_ALGORITHM_OPERATOR.
struct PlatformOperator {
    bool hasArchive = false; ///< It names an archive to be installed before the launch.
    bool isIdeMode = false;  ///< An archive, developed in the IDE: the device log goes to the screen.
};

/// Reads MA_ALGORITHM_OPERATOR; both are false if it is empty or not set. Source: davincirunsdk, common.py.
/// Fails if it is not a JSON object.
Result<PlatformOperator> platformOperator(const QProcessEnvironment &environment);

/// Returns the variables that davincirun sets in a rank unless they are set already: time limits, log places,
/// and what the platform's diagnosis and run modes ask for. The modes are MA_DIAG_MODE_ENV (faults, accuracy,
/// profile), else MA_RUN_MODE_ENV (performance, normal); some of "faults" is only for MindSpore 1.4 and
/// later, by MA_ENGINE_VERSION. Source: davincirunsdk, fmk.py.
/// @param jobLogDir the job's directory below the log directory.
QMap<QString, QString> platformDefaults(const QProcessEnvironment &environment, const QString &jobLogDir,
                                        Rank rank);

/// Returns a sentence for each mode variable whose value is not a mode and so has no effect.
QList<Sentence> notesOnModes(const QProcessEnvironment &environment);

/// Returns true if MA_ENGINE_VERSION, such as "mindspore_1.10.0-cann_5.1", names MindSpore 1.4 or later.
/// Compared as numbers; davincirun compares text, for which 1.10 comes before 1.4.
bool isMindsporeWithRecorder(const QString &engineVersion);

} // namespace rankdeck
