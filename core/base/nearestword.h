#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// Returns the word of `known` that the user probably meant by `word`: up to two letters are missing, too
/// many, wrong or swapped, one in a word of less than eight. Empty if there is none; the first of several.
QString nearestWord(const QString &word, const QStringList &known);

/// Returns "Did you mean list?" with such a word, and `otherwise` if there is none.
QString didYouMean(const QString &word, const QStringList &known, const QString &otherwise = {});

} // namespace rankdeck
