#include "logview/logselection.h"

namespace rankdeck
{

CellRange LogSelection::cellsOf(qint64 line) const
{
    if (isEmpty() || line < begin().line || line > end().line)
        return {};
    return {line == begin().line ? begin().cell : 0, line == end().line ? end().cell : endOfLine};
}

} // namespace rankdeck
