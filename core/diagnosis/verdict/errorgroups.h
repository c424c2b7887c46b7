#pragma once

#include "diagnosis/verdict/verdict.h"
#include "diagnosis/verdict/verdictrules.h"

#include <QLocale>

namespace rankdeck
{

/// The ranks by what they say, those that say the same together: numbers, addresses, rank ids and paths do
/// not count. Most informative first: errors of a rank's own, then of waiting for others, then none; and the
/// smaller group first.
std::vector<Verdict::Group> errorGroups(const Case &evidence, const ErrorCatalogue &catalogue,
                                        const QLocale &locale);

/// "7 ranks (0-2,4-7): EI0006 waiting for rank 3": a group in one line.
QString groupWords(const Verdict::Group &group);

} // namespace rankdeck
