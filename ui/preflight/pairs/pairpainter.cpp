#include "preflight/pairs/pairpainter.h"

#include "canvas/cells/canvas.h"
#include "widgets/tone.h"

#include <cmath>

namespace rankdeck
{

/// Least ratio between the ends of the scale: similar pairs usually differ by less.
constexpr double leastRange = 4;
constexpr double faintShare = 0.1;

constexpr int margin = 6;       // pixels
constexpr int padding = 10;     ///< Both sides of a cell together: its frame and a gap.
constexpr int leastPadding = 7; ///< A frame and the line between two cells.
constexpr int headingCharacters = 4;
constexpr int numberCharacters = 4; ///< See shortNumber().

static int stepFor(int needed, int cell)
{
    int step = 1;
    while (cell > 0 && step * cell < needed)
        step *= 2;
    return step;
}

constexpr int ringWidth = 2; // pixels

static QRect inner(const QRect &area, int by)
{
    return area.adjusted(by, by, -by, -by);
}

HeatScale::HeatScale(const QPalette &palette, Slow slow, double least, double most)
{
    const QColor hue = toneColor(Tone::Active, palette);
    m_faint = mixed(palette.color(QPalette::Base), hue, faintShare);
    m_strong = hue;
    if (slow == Slow::High) {
        m_quick = least;
        m_slow = std::max(most, least * leastRange);
    } else {
        m_quick = most;
        m_slow = std::min(least, most / leastRange);
    }
}

QColor HeatScale::color(double value) const
{
    if (!(value > 0))
        return m_strong;
    const double share = std::log(value / m_quick) / std::log(m_slow / m_quick);
    return mixed(m_faint, m_strong, std::clamp(share, 0.0, 1.0));
}

QColor HeatScale::textOn(const QColor &behind)
{
    return contrastRatio(behind, Qt::black) >= contrastRatio(behind, Qt::white) ? Qt::black : Qt::white;
}

QList<double> HeatScale::marks() const
{
    QList<double> marks;
    for (int mark = 0; mark < markCount; ++mark)
        marks.append(m_quick * std::pow(m_slow / m_quick, double(mark) / (markCount - 1)));
    return marks;
}

PairGeometry::PairGeometry(const QSize &size, const QSize &character, int count, int heading,
                           const QPoint &origin)
    : m_character(character)
    , m_count(count)
    , m_corner(margin + heading * character.width() + margin, margin + 3 * character.height() + 2 * margin)
    , m_width(size.width())
{
    const QSize room(std::max(0, size.width() - m_corner.x() - margin),
                     std::max(0, size.height() - m_corner.y() - margin));
    const QSize largest(cellCharacters * character.width() + padding, character.height() + padding);
    const auto fitting = [count](int space, int most) {
        return std::clamp(count > 0 ? space / count : most, leastCell, most);
    };
    m_cell = {fitting(room.width(), largest.width()), fitting(room.height(), largest.height())};
    m_seen = {std::min(count, room.width() / m_cell.width()),
              std::min(count, room.height() / m_cell.height())};
    m_origin = {std::clamp(origin.x(), 0, count - m_seen.width()),
                std::clamp(origin.y(), 0, count - m_seen.height())};
}

QRect PairGeometry::legend() const
{
    return {margin, margin, m_width - 2 * margin, 2 * m_character.height()};
}

QRect PairGeometry::corner() const
{
    return {margin, m_corner.y() - m_character.height() - 2, m_corner.x() - 2 * margin, m_character.height()};
}

QRect PairGeometry::rowHeading(int row) const
{
    if (row < m_origin.y() || row >= m_origin.y() + m_seen.height())
        return {};
    const int top = m_corner.y() + (row - m_origin.y()) * m_cell.height();
    return {margin, top + (m_cell.height() - m_character.height()) / 2, m_corner.x() - 2 * margin,
            m_character.height()};
}

QRect PairGeometry::columnHeading(int column) const
{
    if (column < m_origin.x() || column >= m_origin.x() + m_seen.width())
        return {};
    const int left = m_corner.x() + (column - m_origin.x()) * m_cell.width();
    const int width = std::max(m_cell.width(), headingCharacters * m_character.width());
    return {left, m_corner.y() - m_character.height() - 2, width, m_character.height()};
}

QRect PairGeometry::cell(int row, int column) const
{
    const int x = column - m_origin.x();
    const int y = row - m_origin.y();
    if (x < 0 || y < 0 || x >= m_seen.width() || y >= m_seen.height())
        return {};
    // One pixel of background stays between two cells.
    return {m_corner.x() + x * m_cell.width(), m_corner.y() + y * m_cell.height(), m_cell.width() - 1,
            m_cell.height() - 1};
}

QPoint PairGeometry::cellAt(const QPoint &place) const
{
    if (!cells().contains(place))
        return {-1, -1};
    const QPoint within = place - m_corner;
    return m_origin + QPoint(within.x() / m_cell.width(), within.y() / m_cell.height());
}

bool PairGeometry::hasNumbers() const
{
    return m_cell.width() >= numberCharacters * m_character.width() + leastPadding &&
           m_cell.height() >= m_character.height() + 2;
}

int PairGeometry::columnStep() const
{
    return stepFor(headingCharacters * m_character.width(), m_cell.width());
}

int PairGeometry::rowStep() const
{
    return stepFor(m_character.height(), m_cell.height());
}

QPoint PairGeometry::originFor(int row, int column) const
{
    const auto moved = [](int first, int seen, int wanted) {
        return wanted < first ? wanted : wanted >= first + seen ? wanted - seen + 1 : first;
    };
    return {moved(m_origin.x(), m_seen.width(), column), moved(m_origin.y(), m_seen.height(), row)};
}

QString pairCellText(const PairCell &cell)
{
    if (cell.kind == PairCell::Kind::Measured)
        return cell.isOdd ? u"! "_s + shortNumber(cell.value) : shortNumber(cell.value);
    if (cell.kind == PairCell::Kind::Problem)
        return tr("× fail", "a pair of ranks, 6 characters at most");
    return cell.kind == PairCell::Kind::Unmeasured ? u"·"_s : QString();
}

HeatScale PairPainter::scaleOf(const QPalette &palette, const PairTable &table, PairMeasure measure)
{
    const auto [least, most] = table.range(measure);
    const auto slow = measure == PairMeasure::Latency ? HeatScale::Slow::High : HeatScale::Slow::Low;
    return least > 0 ? HeatScale(palette, slow, least, most) : HeatScale();
}

void PairPainter::drawHeadings()
{
    const TextStyle style{quietColor(m_palette), {}, false};
    const QRect whole(QPoint(), m_canvas.size());
    m_canvas.text(
        m_parts.corner().topLeft(),
        elidedToCells(tr("from↓to→", "ranks"), m_parts.corner().width() / m_canvas.cellSize().width()), style,
        whole);
    const int columns = m_parts.columnStep();
    for (int column = 0; column < m_table.count(); column += columns) {
        const QRect place = m_parts.columnHeading(column);
        const QString text = QString::number(m_table.rank(column));
        const int room =
            columns == 1 ? m_parts.cellSize().width() - cellWidth(text) * m_canvas.cellSize().width() : 0;
        if (!place.isEmpty())
            m_canvas.text(place.topLeft() + QPoint(room / 2, 0), text, style, whole);
    }
    const int step = m_parts.rowStep();
    QString nodeBefore;
    for (int row = 0; row < m_table.count(); ++row) {
        const QRect place = m_parts.rowHeading(row);
        if (place.isEmpty())
            continue;
        const QString node = m_table.node(row);
        if (node != nodeBefore && (row % step == 0 || m_parts.hasSigns()))
            m_canvas.text(place.topLeft(), elidedToCells(node, mostNodeCharacters), style, whole);
        nodeBefore = row % step == 0 || m_parts.hasSigns() ? node : nodeBefore;
        if (row % step != 0)
            continue;
        const QString text = QString::number(m_table.rank(row));
        const int left = place.right() - cellWidth(text) * m_canvas.cellSize().width();
        m_canvas.text({left, place.top()}, text, style, whole);
    }
}

void PairPainter::drawLegend()
{
    const QRect area = m_parts.legend();
    const QSize character = m_canvas.cellSize();
    if (!m_table.isMeasured()) {
        m_canvas.text(area.topLeft(), elidedToCells(nothingText(), area.width() / character.width()),
                      {quietColor(m_palette), {}}, area);
        return;
    }
    QPoint at = area.topLeft();
    const auto say = [&](const QString &text, const TextStyle &style) {
        m_canvas.text(at, elidedToCells(text, std::max(0, area.right() - at.x()) / character.width()), style,
                      area);
        at.rx() += (cellWidth(text) + 1) * character.width();
    };
    for (const double mark : m_table.range(m_measure).first > 0 ? m_scale.marks() : QList<double>()) {
        const QColor color = m_scale.color(mark);
        const QString text = u" %1 "_s.arg(shortNumber(mark));
        m_canvas.fill(
            QRect(at, QSize(cellWidth(text) * character.width(), character.height())).intersected(area),
            color);
        say(text, {HeatScale::textOn(color), color});
        at.rx() -= character.width();
    }
    at.rx() += character.width();
    say(m_measure == PairMeasure::Latency ? tr("us; darker is slower.")
                                          : tr("MB/s from row to column; darker is slower."),
        {m_palette.color(QPalette::Text), {}});
    at = area.topLeft() + QPoint(0, character.height());
    say(tr("! stands out, × no connection, · not measured"), {quietColor(m_palette), {}});
}

void PairPainter::drawCell(const QRect &area, const ShownPairCell &shown)
{
    const QColor base = m_palette.color(QPalette::Base);
    const bool isProblem = shown.cell.kind == PairCell::Kind::Problem;
    QColor color = base;
    QColor text = quietColor(m_palette);
    if (shown.cell.kind == PairCell::Kind::Measured) {
        color = m_scale.color(shown.cell.value);
        text = HeatScale::textOn(color);
    } else if (isProblem) {
        color = toneColor(Tone::Bad, m_palette);
        text = HeatScale::textOn(color);
    } else if (shown.cell.kind == PairCell::Kind::Diagonal) {
        color = m_palette.color(QPalette::AlternateBase);
    }
    // From the outside: the cursor's ring, the frame of an odd pair, a line between frame and colour.
    QRect rest = area;
    const int ring = area.width() > 4 * ringWidth + 4 ? ringWidth : 1;
    if (shown.isCurrent) {
        m_canvas.fill(rest, m_palette.color(QPalette::Text));
        rest = inner(rest, ring);
    }
    if (shown.cell.isOdd || isProblem) {
        m_canvas.fill(rest, toneColor(Tone::Bad, m_palette));
        rest = inner(rest, ring);
    }
    if (rest != area) {
        m_canvas.fill(rest, base);
        rest = inner(rest, 1);
    }
    m_canvas.fill(rest, color);
    if (!m_parts.hasSigns())
        return;
    QString words = pairCellText(shown.cell);
    if (!m_parts.hasNumbers())
        words = shown.cell.isOdd || isProblem || shown.cell.kind == PairCell::Kind::Unmeasured ? words.left(1)
                                                                                               : QString();
    if (words.isEmpty())
        return;
    const QSize character = m_canvas.cellSize();
    if (cellWidth(words) * character.width() > rest.width())
        words.remove(' '_L1);
    if (cellWidth(words) * character.width() > rest.width()) // The frame shows that it stands out.
        words = isProblem ? words.left(1) : shortNumber(shown.cell.value);
    words = elidedToCells(words, area.width() / character.width());
    const QPoint at(area.left() + (area.width() - cellWidth(words) * character.width()) / 2,
                    area.top() + (area.height() - character.height()) / 2);
    m_canvas.text(at, words, {text, color, shown.cell.isOdd || isProblem}, rest);
}

} // namespace rankdeck
