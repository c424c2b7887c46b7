#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns what separates the entries of a list that a user reads: ", " in English.
inline QString listComma()
{
    return tr(", ", "between the entries of a list");
}

/// Returns the separator of names in a sentence, such as "node1, node2": ", " in English.
inline QString nameComma()
{
    return tr(", ", "between names in a sentence");
}

/// Returns what separates the entries of a list that have commas themselves: "; " in English.
inline QString listSemicolon()
{
    return tr("; ", "between the entries of a list");
}

/// Returns a thing and a text about it: "node1: no answer" in English.
inline QString withColon(const QString &thing, const QString &words)
{
    return tr("%1: %2").arg(thing, words);
}

/// Returns a thing and the words that distinguish it: "bert (two nodes)" in English.
inline QString inBrackets(const QString &thing, const QString &words)
{
    return tr("%1 (%2)", "a thing and what tells it apart").arg(thing, words);
}

} // namespace rankdeck
