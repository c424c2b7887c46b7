#pragma once

#include "run/process/processtree.h"

namespace rankdeck
{

/// Returns the user that a process belongs to; nothing if there is no such process.
std::optional<uid_t> ownerOf(pid_t pid);

/// Returns the command as a sentence shows it, cut: it may hold a whole script.
QString shortCommand(const QStringList &command);

struct NamedProcess {
    pid_t pid = 0;
    QString command; ///< As shortCommand().
    bool operator==(const NamedProcess &) const = default;
};

/// Returns the processes of this user whose program or script is called `name`, else those with `name` in
/// their command line, by pid; not this process or one above it, Rankdeck's, or those below another result.
std::vector<NamedProcess> processesNamed(const QString &name);

} // namespace rankdeck
