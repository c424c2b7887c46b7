#include "preflight/pairpainter.h"

#include "canvas/canvas.h"
#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "state/tone.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int ringWidth = 2; // pixels

QRect inner(const QRect &area, int by)
{
    return area.adjusted(by, by, -by, -by);
}

} // namespace

QString pairCellText(const PairCell &cell)
{
    switch (cell.kind) {
    case PairCell::Kind::Diagonal:
        return {};
    case PairCell::Kind::Unmeasured:
        return QStringLiteral("·");
    case PairCell::Kind::Problem:
        return PairPainter::tr("× fail", "a pair of ranks, 6 characters at most");
    case PairCell::Kind::Measured:
        return cell.isOdd ? QStringLiteral("! ") + shortNumber(cell.value) : shortNumber(cell.value);
    }
    return {};
}

PairPainter::PairPainter(Canvas &canvas, const QPalette &palette, const PairGeometry &parts,
                         const PairTable &table, PairMeasure measure)
    : m_canvas(canvas)
    , m_palette(palette)
    , m_parts(parts)
    , m_table(table)
    , m_measure(measure)
    , m_scale(scaleOf(palette, table, measure))
{
}

HeatScale PairPainter::scaleOf(const QPalette &palette, const PairTable &table, PairMeasure measure)
{
    const auto [least, most] = table.range(measure);
    const auto slow = measure == PairMeasure::Latency ? HeatScale::Slow::High : HeatScale::Slow::Low;
    return least > 0 ? HeatScale(palette, slow, least, most) : HeatScale();
}

QString PairPainter::nothingText()
{
    return tr("No pair of ranks has been measured yet.");
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
        const QString text = QStringLiteral(" %1 ").arg(shortNumber(mark));
        m_canvas.fill(
            QRect(at, QSize(cellWidth(text) * character.width(), character.height())).intersected(area),
            color);
        say(text, {HeatScale::textOn(color), color});
        at.rx() -= character.width();
    }
    at.rx() += character.width();
    say(m_measure == PairMeasure::Latency ? tr("us; the stronger the slower.")
                                          : tr("MB/s from row to column; the stronger the slower."),
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
    // From the outside: the cursor's ring, the frame of what stands out, a line that tells it from any
    // colour.
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
        words.remove(QLatin1Char(' '));
    words = elidedToCells(words, area.width() / character.width());
    const QPoint at(area.left() + (area.width() - cellWidth(words) * character.width()) / 2,
                    area.top() + (area.height() - character.height()) / 2);
    m_canvas.text(at, words, {text, color, shown.cell.isOdd || isProblem}, rest);
}

} // namespace rankdeck
