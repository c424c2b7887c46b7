#include "logview/logrows.h"

#include "logview/logsource.h"
#include "logview/shownline.h"

#include <algorithm>

namespace rankdeck
{

void LogRows::setSize(int rows, int columns)
{
    m_rows = rows;
    m_columns = columns;
}

QList<int> LogRows::beginsOf(qint64 line) const
{
    return m_wrapped ? ShownLine(m_source->line(line)).breaks(m_columns) : QList<int>{0};
}

QList<LogRows::Row> LogRows::from(const Place &top, int count) const
{
    QList<Row> rows;
    int skipped = top.row;
    for (qint64 line = top.line; line < m_source->totalLines() && rows.size() < count; ++line) {
        const QList<int> begins = beginsOf(line);
        // A pane that grew wider has fewer rows of the line.
        for (qsizetype row = std::min<qsizetype>(skipped, begins.size() - 1);
             row < begins.size() && rows.size() < count; ++row)
            rows.append(Row{line, {begins[row], begins.value(row + 1, LogSelection::endOfLine)}});
        skipped = 0;
    }
    return rows;
}

LogRows::Place LogRows::moved(Place place, qint64 rows) const
{
    const qint64 last = std::max<qint64>(0, m_source->totalLines() - 1);
    if (!m_wrapped)
        return {std::clamp<qint64>(place.line + rows, 0, last), 0};
    place.row += static_cast<int>(rows);
    while (place.row < 0 && place.line > 0)
        place.row += rowsOf(--place.line);
    for (int there = rowsOf(place.line); place.row >= there && place.line < last;
         there = rowsOf(place.line)) {
        place.row -= there;
        ++place.line;
    }
    place.row = std::clamp(place.row, 0, rowsOf(place.line) - 1);
    return place;
}

LogRows::Place LogRows::lastTop() const
{
    const qint64 total = m_source->totalLines();
    const qint64 first = std::max<qint64>(0, total - m_rows);
    if (!m_wrapped || total == 0)
        return {first, 0};
    if (!m_source->hasLines(first, total - first))
        return {total - 1, 0};
    return moved({total - 1, rowsOf(total - 1) - 1}, 1 - m_rows);
}

LogRows::Place LogRows::placeOf(const CellPosition &position) const
{
    const QList<int> begins = beginsOf(position.line);
    const auto after = std::upper_bound(begins.begin(), begins.end(), position.cell);
    return {position.line, std::max(0, static_cast<int>(after - begins.begin()) - 1)};
}

} // namespace rankdeck
