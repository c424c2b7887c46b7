#pragma once

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A fresh directory (0700, rankdeck-XXXXXX) under the first of `roots` that can be written; empty when none
/// can.
QString makeScratchDirectory(const QStringList &roots);

} // namespace rankdeck
