#pragma once

#include <QString>

namespace rankdeck
{

/// What the communication library will say of the rank table that a launch uses, on standard error. The
/// launch goes on: the check may be wrong, and the ranks will tell.
void warnAboutTable(const QString &path);

} // namespace rankdeck
