#pragma once

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// `text` cut so that it takes at most `cells` of a canvas, the cut marked by "…". Control characters become
/// spaces, as a Canvas asks for.
QString elidedToCells(const QString &text, int cells);

/// `text` over at most `rows` rows of `cells` each, broken at a space where one is near the end; the last row
/// is cut as elidedToCells() cuts.
QStringList brokenToCells(const QString &text, int cells, int rows);

} // namespace rankdeck
