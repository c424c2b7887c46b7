#pragma once

#include "base/tr.h"

#include <QStringList>

namespace rankdeck
{

// Chinese has a space beside Latin words and numbers only: none between two of its own letters, and none
// beside its punctuation. English texts pass unchanged.

/// Joins sentences or other parts of a text by spaces, where their letters want one.
QString joinedBySpaces(const QStringList &parts);

/// Returns `text` with `word` in place of %1, without spaces beside it that its letters do not want.
QString withWord(QString text, const QString &word);

} // namespace rankdeck
