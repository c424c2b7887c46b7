#pragma once

#include "base/sentence.h"

namespace rankdeck
{

/// Returns what separates the entries of a list that a user reads: ", " in English.
inline Sentence listComma()
{
    return Sentence::tr(", ", "between the entries of a list");
}

/// Returns the separator of names in a sentence, such as "node1, node2": ", " in English.
inline Sentence nameComma()
{
    return Sentence::tr(", ", "between names in a sentence");
}

/// Returns what separates the entries of a list that have commas themselves: "; " in English.
inline Sentence listSemicolon()
{
    return Sentence::tr("; ", "between the entries of a list");
}

/// Returns a thing and a text about it: "node1: no answer" in English.
inline Sentence withColon(const auto &thing, const auto &words)
{
    return Sentence::tr("%1: %2").arg(thing, words);
}

/// Returns a thing and the words that distinguish it: "bert (two nodes)" in English.
inline Sentence inBrackets(const auto &thing, const auto &words)
{
    return Sentence::tr("%1 (%2)", "a thing and what tells it apart").arg(thing, words);
}

} // namespace rankdeck
