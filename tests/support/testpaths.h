#pragma once

#include <QString>

namespace rankdeck
{

// Functions, not macros: a test that holds no path of the clone is compiled once for all clones, by ccache.

/// Path of something in the source tree, e.g. "resources/demo/train.py".
QString sourcePath(const char *name);
/// Path of something that the build made, e.g. "bin/rankdeckctl".
QString buildPath(const char *name);

} // namespace rankdeck
