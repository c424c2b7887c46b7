#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Returns an archive (tar.gz) of what a node needs of `package`, the folder that this program was unpacked
/// to: rankdeckctl with its loader and libraries, and nothing of the window. Made at the first call of a
/// build, some seconds, and kept in the user's cache; archives of other builds are removed. Not for the GUI
/// thread.
Result<QString> nodePackage(const QString &package);

} // namespace rankdeck
