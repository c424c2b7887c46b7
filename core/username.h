#pragma once

#include <QString>

#include <sys/types.h>

namespace rankdeck
{

/// "bob"; "uid 1234" where the machine has no name for it.
QString userName(uid_t id);

/// "HwHiAiUser"; "gid 1000" where the machine has no name for it.
QString groupName(gid_t id);

/// The name of the user that a process belongs to; empty when there is no such process.
QString userOf(pid_t pid);

} // namespace rankdeck
