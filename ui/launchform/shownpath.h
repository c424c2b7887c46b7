#pragma once

#include <QString>

namespace rankdeck
{

/// `path` for people: one that lies in the run directory, which does not exist yet, says so in words.
QString shownPath(const QString &path);

} // namespace rankdeck
