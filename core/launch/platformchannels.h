#pragma once

#include "result.h"

#include <QMap>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What the platform's channels become for a rank.
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

} // namespace rankdeck
