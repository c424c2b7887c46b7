#pragma once

#include <QString>

namespace rankdeck
{

/// `text` cut so that it takes at most `cells` of a canvas, the cut marked by "…". Control characters become
/// spaces, as a Canvas asks for.
QString elidedToCells(const QString &text, int cells);

} // namespace rankdeck
