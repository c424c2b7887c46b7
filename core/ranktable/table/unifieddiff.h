#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns the lines in which two texts differ, in the form of `diff -u` with three lines of context; empty
/// when they are equal. Texts of more than 20,000 lines are not compared: one sentence says how long they
/// are.
QByteArray unifiedDiff(const QByteArray &before, const QByteArray &after, const QString &beforeName,
                       const QString &afterName);

} // namespace rankdeck
