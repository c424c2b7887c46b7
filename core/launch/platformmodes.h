#pragma once

#include "ranktable/ids.h"

#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What davincirun sets in a rank where it is not set already: time limits, log places, and what the
/// platform's diagnosis and run modes ask for. The modes are MA_DIAG_MODE_ENV (faults, accuracy, profile),
/// else MA_RUN_MODE_ENV (performance, normal); some of "faults" is for MindSpore 1.4 and later alone, told by
/// MA_ENGINE_VERSION. Source: davincirunsdk, fmk.py.
/// @param jobLogDir the job's directory below the log directory.
QMap<QString, QString> platformDefaults(const QProcessEnvironment &environment, const QString &jobLogDir,
                                        Rank rank);

/// A sentence for each mode variable whose value is no mode, and is therefore without effect.
QStringList notesOnModes(const QProcessEnvironment &environment);

/// Whether MA_ENGINE_VERSION, such as "mindspore_1.10.0-cann_5.1", names MindSpore 1.4 or later. Compared as
/// numbers; davincirun compares text, for which 1.10 comes before 1.4.
bool isMindsporeWithRecorder(const QString &engineVersion);

} // namespace rankdeck
