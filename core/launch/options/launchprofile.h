#pragma once

#include "launch/spec/launchspec.h"

namespace rankdeck
{

// A launch profile is a LaunchSpec in a file, which may be shared: its JSON without the launcher's defaults.
// Relative paths in it are relative to the directory of the launch. These functions read and write files: not
// for the GUI thread.

/// $XDG_CONFIG_HOME/rankdeck/profiles; need not exist.
QString profileDirectory();

/// Returns the names of this user's profiles, sorted.
QStringList profileNames();

/// Returns the file of a profile: NAME.json in profileDirectory(), or a path if it has a '/' or ends in
/// ".json".
QString profilePath(const QString &nameOrPath);

/// Fails if there is none (the error lists the profiles), or if it is not a profile (the error names the
/// key).
Result<LaunchSpec> loadProfile(const QString &nameOrPath);

/// Fails if no file can have the name, if it exists already (unless `replace`), or if it cannot be written.
std::optional<Error> saveProfile(const QString &nameOrPath, const LaunchSpec &spec, bool replace);

std::optional<Error> removeProfile(const QString &nameOrPath);

/// The profile's text, and back. Error: not JSON, or a key that is unknown or of the wrong type.
QByteArray profileText(const LaunchSpec &spec);
Result<LaunchSpec> profileFromText(const QByteArray &text);

} // namespace rankdeck
