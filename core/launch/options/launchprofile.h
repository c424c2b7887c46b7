#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

// A launch profile is a launch that is kept in a file and may be shared: the JSON of a LaunchSpec without
// what is its launcher's default. Relative paths in it are relative to where it is launched from. Functions
// here read and write files: not for the GUI thread.

/// $XDG_CONFIG_HOME/rankdeck/profiles; need not exist.
QString profileDirectory();

/// The names of this user's profiles, sorted.
QStringList profileNames();

/// The file of a profile: a name is NAME.json in profileDirectory(); what has a '/' or ends in ".json" is a
/// path.
QString profilePath(const QString &nameOrPath);

/// Errors: there is none, which lists those that there are; not a profile, with the key that is wrong.
Result<LaunchSpec> loadProfile(const QString &nameOrPath);

/// Error: a name that no file can have; a file that is there, unless `replace`; the file cannot be written.
std::optional<Error> saveProfile(const QString &nameOrPath, const LaunchSpec &spec, bool replace);

std::optional<Error> removeProfile(const QString &nameOrPath);

/// The profile's text, and back. Error: not JSON, or a key that is unknown or of the wrong type.
QByteArray profileText(const LaunchSpec &spec);
Result<LaunchSpec> profileFromText(const QByteArray &text);

} // namespace rankdeck
