#include "devicegrid/cells/devicecellpainter.h"

namespace rankdeck
{

namespace
{

/// Up to this many unchanged characters cost fewer bytes, drawn again, than a new place after them.
constexpr int fewColumns = 6;

/// The content of one character cell.
struct Place {
    QStringView text; ///< Empty: a blank, or the right half of a wide character.
    bool isTail = false;
    const TextStyle *style = nullptr;

    bool looksLike(const Place &other) const
    {
        return text == other.text && isTail == other.isTail && (text.isEmpty() || *style == *other.style);
    }
};

/// A range of columns; `end` is after the last.
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

/// Extends the range to whole wide characters.
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
                                        std::all_of(now.begin() + last, now.begin() + place.begin, isPlain));
            if (isNear) {
                found.back().end = std::max(last, place.end);
                continue;
            }
        }
        found.push_back(place);
    }
    return found;
}

/// Draws text of one style at once.
void drawColumns(Canvas &canvas, const QPoint &topLeft, const Columns &columns,
                 const std::vector<Place> &places)
{
    const QSize cell = canvas.cellSize();
    const auto left = [&](int column) {
        return topLeft.x() + column * cell.width();
    };
    QString text;
    int begin = columns.begin;
    const TextStyle *style = nullptr; ///< Style of `text`; null if there is none.
    const auto flush = [&](int end) {
        if (!style)
            return;
        while (text.endsWith(' '_L1))
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
                text += ' '_L1;
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

constexpr int frameWidth = 2;
constexpr int stripeWidth = 4;
constexpr int paddingX = 8;
constexpr int paddingY = 5;
/// "rank 12  device 4" and "running", "192.168.100.104" and "pid 123456".
constexpr int minimumCharacters = 26;
/// "rank 1023  succeeded  AI  97%  HBM  82%  step 1,200"
constexpr int lineCharacters = 46;
constexpr int linePaddingY = 2;
constexpr int headRows = DeviceCell::lineCount - 1;
/// The last log line is the most read one: it may take two rows.
constexpr int logRows = 2;

/// Between a row and its bar, and below the bar: they must not touch the characters.
constexpr int barGap = 1;

int barHeight(int characterHeight)
{
    return std::max(characterHeight / 4, 4);
}

/// Below each row that has a bar.
int barRoom(int characterHeight)
{
    return barHeight(characterHeight) + 2 * barGap;
}

/// Returns `background` with a share of the text's colour.
QColor faded(const QColor &background, const QPalette &palette, double share)
{
    return mixed(background, palette.color(QPalette::Text), share);
}

/// The part of a bar that is not filled.
constexpr double trackShare = 0.15;
/// Block characters look darker than text, so they are faded.
constexpr double historyShare = 0.5;

/// Draws `row` from `topLeft` on, over `columns` character cells. If `before` is on the screen already, only
/// the characters that differ are drawn, on `background`; else nothing is drawn behind them.
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

} // namespace

QSize DeviceCellPainter::minimumSize(const QSize &characterCell, const SampleRows &samples)
{
    return {minimumCharacters * characterCell.width() + stripeWidth + 2 * paddingX,
            (headRows + samples.count() + logRows) * characterCell.height() +
                samples.bars() * barRoom(characterCell.height()) + 2 * paddingY};
}

QSize DeviceCellPainter::lineSize(const QSize &characterCell)
{
    return {lineCharacters * characterCell.width() + stripeWidth + 2 * paddingX,
            characterCell.height() + 2 * linePaddingY};
}

void DeviceCellPainter::draw(const QRect &area, const ShownDeviceCell &shown, const ShownDeviceCell *before)
{
    const bool whole = !before || before->marks != shown.marks || before->cell.tone != shown.cell.tone ||
                       before->cell.hasAlarm != shown.cell.hasAlarm ||
                       before->cell.process != shown.cell.process;
    if (whole)
        drawFrame(area, shown);
    const QSize character = m_canvas.cellSize();
    const int vertical = m_isLine ? linePaddingY : paddingY;
    const QRect content = area.adjusted(stripeWidth + paddingX, vertical, -paddingX, -vertical);
    const QColor background = toneBackground(shown.cell.tone, m_palette);
    const int columns = std::max(content.width() / character.width(), 0);
    const QList<CellRow> rows = rowsOf(shown.cell, columns);
    const QList<CellRow> rowsBefore = whole ? QList<CellRow>() : rowsOf(before->cell, columns);
    int top = content.top();
    for (int row = 0; row < rows.size(); ++row) {
        drawRow(m_canvas, {content.left(), top}, columns, background, rows.at(row),
                whole ? nullptr : &rowsBefore.at(row));
        top += character.height();
        const int sample = row - headRows;
        if (m_isLine || sample < 0 || sample >= m_samples.bars())
            continue;
        const std::optional<double> barBefore =
            whole ? std::nullopt : before->cell.samples.value(sample).percent;
        drawBar({content.left(), top + barGap, columns * character.width(), barHeight(character.height())},
                shown.cell.samples.value(sample).percent, background, whole ? nullptr : &barBefore);
        top += barRoom(character.height());
    }
}

void DeviceCellPainter::drawFrame(const QRect &area, const ShownDeviceCell &shown)
{
    QColor frame = m_palette.color(QPalette::Mid);
    int width = 1;
    if (shown.cell.hasAlarm) {
        frame = toneColor(Tone::Caution, m_palette);
        width = frameWidth;
    }
    if (shown.marks.selected || shown.marks.current) {
        frame = shown.marks.selected ? m_palette.color(QPalette::Highlight) : m_palette.color(QPalette::Text);
        width = shown.marks.selected ? frameWidth : 1;
    }
    const QColor background = toneBackground(shown.cell.tone, m_palette);
    m_canvas.fill(area, frame);
    m_canvas.fill(area.adjusted(width, width, -width, -width), background);
    if (shown.cell.process >= 0) {
        const QRect inner = area.adjusted(frameWidth, frameWidth, -frameWidth, -frameWidth);
        m_canvas.fill(QRect(inner.topLeft(), QSize(stripeWidth, inner.height())),
                      toneColor(shown.cell.hasAlarm ? Tone::Caution : shown.cell.tone, m_palette));
    }
    if (shown.marks.selected && shown.marks.current) {
        // An inner line distinguishes the cursor from the rest of a selection.
        const QRect ring = area.adjusted(width + 1, width + 1, -width - 1, -width - 1);
        const QColor text = m_palette.color(QPalette::Text);
        m_canvas.fill(QRect(ring.left(), ring.top(), ring.width(), 1), text);
        m_canvas.fill(QRect(ring.left(), ring.bottom(), ring.width(), 1), text);
        m_canvas.fill(QRect(ring.left(), ring.top(), 1, ring.height()), text);
        m_canvas.fill(QRect(ring.right(), ring.top(), 1, ring.height()), text);
    }
}

void DeviceCellPainter::drawBar(const QRect &area, const std::optional<double> &percent,
                                const QColor &background, const std::optional<double> *before)
{
    const auto end = [&area](const std::optional<double> &value) {
        return qRound(std::clamp(value.value_or(0), 0.0, 100.0) * area.width() / 100);
    };
    const auto fill = [&](int begin, int behind, const QColor &color) {
        if (begin < behind)
            m_canvas.fill({area.left() + begin, area.top(), behind - begin, area.height()}, color);
    };
    const QColor filled = toneColor(Tone::Active, m_palette);
    const QColor empty = faded(background, m_palette, trackShare);
    if (!percent) {
        if (before && *before)
            fill(0, area.width(), background);
        return;
    }
    const int now = end(percent);
    if (!before || !*before) {
        fill(0, now, filled);
        fill(now, area.width(), empty);
        return;
    }
    fill(end(*before), now, filled);
    fill(now, end(*before), empty);
}

QList<CellRow> DeviceCellPainter::rowsOf(const DeviceCell &cell, int columns) const
{
    if (m_isLine)
        return {lineRow(cell, columns)};
    QList<CellRow> rows;
    for (int line = 0; line < headRows; ++line)
        rows << textRow(line, cell, columns);
    for (int line = 0; line < m_samples.count(); ++line)
        rows << sampleRow(cell.samples.value(line), columns);
    const bool isNoted = !cell.note.text.isEmpty();
    if (isNoted)
        rows << CellRow{
            {0, elidedToCells(cell.note.text, columns), {toneColor(cell.note.tone, m_palette), {}}}};
    const int left = isNoted ? logRows - 1 : logRows;
    const QStringList log = brokenToCells(cell.lines[headRows].left, columns, left);
    for (int row = 0; row < left; ++row)
        rows << CellRow{{0, log.value(row), {m_palette.color(QPalette::Text), {}}}};
    return rows;
}

/// Title, state, numbers, and how it ended or how far it is: what comes first in a cell comes first here too.
CellRow DeviceCellPainter::lineRow(const DeviceCell &cell, int columns) const
{
    const QColor quiet = quietColor(m_palette);
    const QColor tone = toneColor(cell.tone, m_palette);
    const QColor text = m_palette.color(QPalette::Text);
    CellRow row;
    int column = 0;
    const auto add = [&](const QString &words, const TextStyle &style, int width = 0) {
        const QString shown = elidedToCells(words, columns - column);
        if (shown.isEmpty())
            return;
        row << RowPart{column, shown, style};
        column += std::max(cellWidth(shown), width) + 1;
    };
    constexpr int titleCells = 9;  // "rank 1023"
    constexpr int stateCells = 10; // "⚠ stalled"
    add(cell.lines[0].left.section(u"  "_s, 0, 0), {cell.process < 0 ? quiet : text, {}, true}, titleCells);
    add(cell.lines[0].right, {tone, {}, true}, stateCells);
    if (cell.hasAlarm && !cell.note.text.isEmpty())
        add(cell.note.text, {toneColor(cell.note.tone, m_palette), {}});
    // The numbers have a fixed width at the right, so that they stay where they are while the step grows.
    constexpr int columnsForTwo = 60;
    QStringList numbers;
    for (const SampleLine &line : cell.samples.mid(0, columns < columnsForTwo ? 1 : 2)) {
        const bool isMemory = !line.right.isEmpty() && line.percent;
        numbers << (isMemory ? line.left.section(' '_L1, 0, 0) + line.right : line.left);
    }
    numbers.removeAll(QString());
    const QString right = numbers.join(' '_L1);
    const int rightCells = cellWidth(right);
    if (rightCells > 0 && rightCells <= columns - column) {
        row << RowPart{columns - rightCells, right, {text, {}}};
        columns -= rightCells + 1;
    }
    add(cell.lines[2].left, {tone, {}});
    add(cell.lines[2].right, {quiet, {}});
    return row;
}

CellRow DeviceCellPainter::textRow(int line, const DeviceCell &cell, int columns) const
{
    const QColor quiet = quietColor(m_palette);
    const QColor tone = toneColor(cell.tone, m_palette);
    TextStyle left{quiet, {}};
    TextStyle right{quiet, {}};
    if (line == 0) {
        left = {cell.process < 0 ? quiet : m_palette.color(QPalette::Text), {}, true};
        right = {tone, {}, true};
    } else if (line == 2) {
        left = {tone, {}, true};
    }
    const DeviceCell::Line &text = cell.lines[size_t(line)];
    const QString rightText = elidedToCells(text.right, columns);
    const int rightCells = cellWidth(rightText);
    const QString leftText = elidedToCells(text.left, rightCells > 0 ? columns - rightCells - 1 : columns);
    return {{0, leftText, left}, {columns - rightCells, rightText, right}};
}

CellRow DeviceCellPainter::sampleRow(const SampleLine &line, int columns) const
{
    const QColor quiet = quietColor(m_palette);
    CellRow row{{0, elidedToCells(line.left, columns), {m_palette.color(QPalette::Text), {}}}};
    const int room = columns - cellWidth(row.constFirst().text) - 1;
    if (!line.right.isEmpty()) {
        const bool mustShow = line.tone.has_value();
        const QString right = mustShow ? elidedToCells(line.right, room) : line.right;
        const int cells = cellWidth(right);
        if (cells <= room)
            row << RowPart{columns - cells,
                           right,
                           {line.tone ? toneColor(*line.tone, m_palette) : quiet, {}, line.tone.has_value()}};
    } else if (!line.history.isEmpty() && room > 0) {
        // Each of its characters takes one cell.
        const QString history = line.history.right(room);
        row << RowPart{columns - int(history.size()),
                       history,
                       {faded(m_palette.color(QPalette::Base), m_palette, historyShare), {}}};
    }
    return row;
}

} // namespace rankdeck
