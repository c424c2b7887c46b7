#pragma once

#include "devicegrid/grid/servergrid.h"

namespace rankdeck
{

/// Lets screen readers read device grids: as a table of one column, from top to bottom a row for each heading
/// and rank that is not folded away, with its state in words. To be called before the first grid is shown.
void installAccessibleGrid();

} // namespace rankdeck
