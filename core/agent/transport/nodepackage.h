#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Returns an archive (tar.gz) with one folder, the part of `package` that a node needs: rankdeckctl with its
/// loader and libraries, and nothing of the window. `package` is the folder to which this program was
/// unpacked. Made at the first call of a build, some seconds, and kept in the user's cache; archives of other
/// builds are removed. Not for the GUI thread.
Result<QString> nodePackage(const QString &package);

/// Returns the archive of this version for nodes of another architecture, as `uname -m` names it there: the
/// rankdeckctl-VERSION-linux-ARCHITECTURE.tar.gz that came with this program (share/rankdeck/nodes), or that
/// the user has put into rankdeck/nodes of a data folder, such as ~/.local/share. Fails if there is none.
Result<QString> nodePackageFor(const QString &architecture);

} // namespace rankdeck
