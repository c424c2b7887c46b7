#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns what a supervisor or an agent wrote into the journal, always English, in the user's language.
///
/// The sentences that they write are known; what stands in them, such as names and numbers, stays. A sentence
/// that is not known stays English, as do those of an older or newer version.
QString journalWords(const QString &english);

} // namespace rankdeck
