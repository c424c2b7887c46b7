#pragma once

#include "base/tr.h"

#include <optional>

#include <sys/types.h>

namespace rankdeck
{

/// Returns "bob", or "uid 1234" if the machine has no name for the id.
QString userName(uid_t id);

/// Returns "HwHiAiUser", or "gid 1000" if the machine has no name for the id.
QString groupName(gid_t id);

/// Returns the user that a process belongs to; nothing if there is no such process.
std::optional<uid_t> ownerOf(pid_t pid);
/// Returns that user's name; empty if there is no such process.
QString userOf(pid_t pid);

} // namespace rankdeck
