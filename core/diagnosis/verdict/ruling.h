#pragma once

#include "diagnosis/verdict/verdictrules.h"

namespace rankdeck
{

// What the files of rules share.

using Ranks = std::vector<const RankEvidence *>;

/// Returns their numbers, as a list in a sentence.
QString listOf(const Ranks &ranks);
/// Returns the workers that say so.
Ranks thatSay(const Case &evidence, RankEvidence::Says what);

/// A ruling on `root`, likely; undecided if that is null.
Ruling ruling(const char *name, const Sentence &reason, const RankEvidence *root, const Ranks &witnesses);
Ruling undecided(const char *name, const Sentence &reason, const Ranks &candidates, const Ranks &witnesses);

/// Whether a waiting rank gave up after a while; others find at once that a connection is closed.
bool hasTimedOut(const RankEvidence *waiting);

// Rules on where ranks stood: see rule().
std::optional<Ruling> ruleByTracebacks(const Case &evidence);
std::optional<Ruling> ruleBySignal(const Case &evidence);

} // namespace rankdeck
