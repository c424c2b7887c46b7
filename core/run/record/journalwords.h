#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns a sentence of a record that an earlier version wrote, always English, in the user's language. Only
/// for these: what is written today is a Sentence. Names and numbers in it stay; an unknown sentence too.
QString journalWords(const QString &english);

} // namespace rankdeck
