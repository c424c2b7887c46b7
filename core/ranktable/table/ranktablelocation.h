#pragma once

#include "base/result.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// Name of the table file in the directories below, as the cloud's ring controller writes it.
inline constexpr char rankTableFileName[] = "jobstart_hccl.json";

/// Returns the path of the table that davincirun would read: `given` when not empty (a file, or a directory
/// of jobstart_hccl.json), else RANK_TABLE_FILE_V_1_0, RANK_TABLE_FILE, /user/config. It need not exist.
QString rankTablePath(const QString &given, const QProcessEnvironment &environment);

/// Home of the cloud platform's user, where davincirun writes when no variable says otherwise.
inline constexpr char platformHome[] = "/home/ma-user";

/// Returns the path for a converted table: `given` when not empty (a directory, or a path that ends in
/// .json), else rank_table/jobstart_hccl.json under MA_HOME, else MA_MOUNT_PATH, else `otherwise`.
QString convertedRankTablePath(const QString &given, const QProcessEnvironment &environment,
                               const QString &otherwise = QString::fromLatin1(platformHome));

} // namespace rankdeck
