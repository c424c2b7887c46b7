#include "devicegrid/cellrow.h"

#include "canvas/cellwidth.h"

#include <algorithm>
#include <vector>

namespace rankdeck
{

namespace
{

/// So many characters that have not changed cost less, drawn again, than a new place behind them.
constexpr int fewColumns = 6;

/// What stands in one character cell.
struct Place {
    QStringView text; ///< Empty: a blank, or the right half of what stands left of it.
    bool isTail = false;
    const TextStyle *style = nullptr;

    bool looksLike(const Place &other) const
    {
        return text == other.text && isTail == other.isTail && (text.isEmpty() || *style == *other.style);
    }
};

/// A stretch of columns, from the first to behind the last.
struct Columns {
    int begin = 0;
    int end = 0;
};

std::vector<Place> placesOf(const CellRow &row, int columns)
{
    std::vector<Place> places(std::size_t(std::max(columns, 0)));
    for (const RowPart &part : row) {
        int column = part.column;
        for (qsizetype at = 0; at < part.text.size();) {
            const Cluster cluster = clusterAt(part.text, at);
            at += cluster.size;
            if (column + cluster.cells > columns)
                break;
            const QStringView text = QStringView(part.text).sliced(cluster.begin, cluster.size);
            if (text != QStringView(u" "))
                places[std::size_t(column)] = {text, false, &part.style};
            if (cluster.cells == 2)
                places[std::size_t(column) + 1] = {{}, true, &part.style};
            column += cluster.cells;
        }
    }
    return places;
}

bool isPlain(const Place &place)
{
    return place.text.isEmpty() || (place.text.size() == 1 && place.text.front().unicode() < 128);
}

/// No half of a wide character is drawn without the other one.
Columns whole(Columns columns, const std::vector<Place> &places)
{
    while (columns.begin > 0 && places[std::size_t(columns.begin)].isTail)
        --columns.begin;
    while (columns.end < int(places.size()) && places[std::size_t(columns.end)].isTail)
        ++columns.end;
    return columns;
}

std::vector<Columns> differences(const std::vector<Place> &now, const std::vector<Place> &before)
{
    std::vector<Columns> found;
    for (int column = 0; column < int(now.size()); ++column) {
        if (now[std::size_t(column)].looksLike(before[std::size_t(column)]))
            continue;
        const Columns place = whole(whole({column, column + 1}, now), before);
        if (!found.empty()) {
            const int last = found.back().end;
            const bool isNear =
                place.begin <= last || (place.begin - last <= fewColumns &&
                                        std::all_of(now.begin() + last, now.begin() + place.begin,
                                                    [](const Place &between) { return isPlain(between); }));
            if (isNear) {
                found.back().end = std::max(last, place.end);
                continue;
            }
        }
        found.push_back(place);
    }
    return found;
}

/// What looks alike at once.
void drawColumns(Canvas &canvas, const QPoint &topLeft, const Columns &columns,
                 const std::vector<Place> &places)
{
    const QSize cell = canvas.cellSize();
    const auto left = [&](int column) {
        return topLeft.x() + column * cell.width();
    };
    QString text;
    int begin = columns.begin;
    const TextStyle *style = nullptr; ///< Of `text`; null while there is none.
    const auto flush = [&](int end) {
        if (!style)
            return;
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
        TextStyle drawn = *style;
        drawn.background = QColor();
        const QRect clip(left(begin), topLeft.y(), left(end) - left(begin), cell.height());
        canvas.text(clip.topLeft(), text, drawn, clip);
        text.clear();
        style = nullptr;
    };
    for (int column = columns.begin; column < columns.end; ++column) {
        const Place &place = places[std::size_t(column)];
        if (place.isTail)
            continue;
        if (place.text.isEmpty()) {
            if (style)
                text += QLatin1Char(' ');
            continue;
        }
        if (style && *style != *place.style)
            flush(column);
        if (!style) {
            begin = column;
            style = place.style;
        }
        text += place.text;
    }
    flush(columns.end);
}

} // namespace

void drawRow(Canvas &canvas, const QPoint &topLeft, int columns, const QColor &background, const CellRow &row,
             const CellRow *before)
{
    const std::vector<Place> now = placesOf(row, columns);
    if (!before) {
        drawColumns(canvas, topLeft, {0, columns}, now);
        return;
    }
    const QSize cell = canvas.cellSize();
    for (const Columns &changed : differences(now, placesOf(*before, columns))) {
        canvas.fill({topLeft + QPoint(changed.begin * cell.width(), 0),
                     QSize((changed.end - changed.begin) * cell.width(), cell.height())},
                    background);
        drawColumns(canvas, topLeft, changed, now);
    }
}

} // namespace rankdeck
