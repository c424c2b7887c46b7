#pragma once

#include "base/sentence.h"

namespace rankdeck
{

/// Facts that decide whether processes started here survive their user's logout under systemd-logind.
/// logind.conf(5): with KillUserProcesses=yes all that is in a session's scope is killed when that session
/// ends, lingering or not, except for users in KillExcludeUsers (root by default) or, when it is given,
/// outside KillOnlyUsers. The user's manager, user@UID.service, ends with the last session, with all that is
/// in it, unless the user lingers (loginctl(1)).
struct LogoutFacts {
    enum class Place {
        Elsewhere, ///< A container, a service, or no systemd: nothing is known to end it.
        Session,   ///< In the scope of a login session.
        Manager,   ///< Below the user's manager: a desktop's terminal, systemd-run --user.
    };

    Place place = Place::Elsewhere;
    bool isSessionKilled = false;
    bool lingers = false;

    bool operator==(const LogoutFacts &) const = default;
};

/// Returns the facts about this process, from /proc/self/cgroup, logind.conf with its drop-ins, and
/// /var/lib/systemd/linger. A setting that a configuration leaves open has its compiled-in default, which the
/// shipped logind.conf shows as a comment; without one KillUserProcesses counts as "no".
/// @param root in place of "/", for tests.
/// @param user login name.
LogoutFacts logoutFacts(const QString &root, const QString &user);
/// Returns the facts for this machine and this user. Takes well below a millisecond.
LogoutFacts logoutFacts();

/// Returns one or two sentences on how a logout would end the launch, with advice; empty if it would not.
Sentence logoutWarning(const LogoutFacts &facts);

} // namespace rankdeck
