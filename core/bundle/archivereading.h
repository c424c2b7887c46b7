#pragma once

#include "result.h"

#include <QString>

#include <functional>

namespace rankdeck
{

/// What an archive may hold at most, so that a small file cannot fill a disk.
struct UnpackLimits {
    int files = 32768;
    qint64 bytes = 1'100'000'000; ///< Of all files together, unpacked.
};

/// Unpack a .tar.gz into `directory`, which must be there and empty. Its one top folder is left off. Only
/// regular files and folders of plain names (letters, digits and "._-", no "..") at most eight deep are
/// taken; an archive with anything else, such as an absolute path or a link, is refused, as is one beyond the
/// limits. What was unpacked before that stays: remove the directory. Blocks. Nothing when all went well.
std::optional<Error> unpackArchive(const QString &path, const QString &directory,
                                   const UnpackLimits &limits = {},
                                   const std::function<bool()> &isCancelled = {});

} // namespace rankdeck
