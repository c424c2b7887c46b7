#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns the lines in which two texts differ, as `diff -u` does; empty when they are equal. Of texts of
/// more than 20,000 lines one sentence says how long they are.
QByteArray unifiedDiff(const QByteArray &before, const QByteArray &after, const QString &beforeName,
                       const QString &afterName);

} // namespace rankdeck
