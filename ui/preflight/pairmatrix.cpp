#include "preflight/pairmatrix.h"

#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "state/tone.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int mostNodeCharacters = 14;
constexpr int rankCharacters = 4;
constexpr int cornerCharacters = 8;
constexpr int ringWidth = 2; // pixels

QRect inner(const QRect &area, int by)
{
    return area.adjusted(by, by, -by, -by);
}

} // namespace

PairMatrix::PairMatrix(QWidget *parent)
    : CanvasWidget(parent)
    , m_across(new QScrollBar(Qt::Horizontal, this))
    , m_down(new QScrollBar(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("pairMatrix"));
    setAccessibleName(tr("Pairs of ranks"));
    setFocusPolicy(Qt::StrongFocus);
    for (QScrollBar *bar : {m_across, m_down}) {
        bar->setFocusPolicy(Qt::NoFocus);
        bar->setCursor(Qt::ArrowCursor);
        bar->hide();
        connect(bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
    }
    describe();
}

void PairMatrix::setTable(const PairTable &table)
{
    const bool isAnother = table.ranks() != m_table.ranks() || table.hasNodes() != m_table.hasNodes();
    m_table = table;
    const int last = std::max(0, m_table.count() - 1);
    m_cursor = {std::min(m_cursor.x(), last), std::min(m_cursor.y(), last)};
    takeScale();
    if (isAnother)
        layOut();
    describe();
    schedule();
}

void PairMatrix::setMeasure(PairMeasure measure)
{
    m_measure = measure;
    takeScale();
    describe();
    schedule();
}

void PairMatrix::takeScale()
{
    const auto [least, most] = m_table.range(m_measure);
    const auto slow = m_measure == PairMeasure::Latency ? HeatScale::Slow::High : HeatScale::Slow::Low;
    const HeatScale scale = least > 0 ? HeatScale(palette(), slow, least, most) : HeatScale();
    if (scale != m_scale) {
        m_scale = scale;
        scheduleEverything();
    }
}

int PairMatrix::headingCharacters() const
{
    int longest = 0;
    for (int row = 0; m_table.hasNodes() && row < m_table.count(); ++row)
        longest = std::max(longest, cellWidth(m_table.node(row)) + 1);
    return std::max(std::min(longest, mostNodeCharacters) + rankCharacters, cornerCharacters);
}

PairGeometry PairMatrix::geometryOfParts() const
{
    const QSize room(width() - (m_down->isHidden() ? 0 : m_down->width()),
                     height() - (m_across->isHidden() ? 0 : m_across->height()));
    return {room,
            canvas().cellSize(),
            m_table.count(),
            headingCharacters(),
            {m_across->value(), m_down->value()}};
}

void PairMatrix::layOut()
{
    m_across->hide();
    m_down->hide();
    const bool isScrolled = geometryOfParts().isScrolled();
    for (QScrollBar *bar : {m_across, m_down}) {
        bar->setVisible(isScrolled);
        bar->resize(bar->sizeHint());
    }
    m_across->setGeometry(0, height() - m_across->height(), width() - m_down->width(), m_across->height());
    m_down->setGeometry(width() - m_down->width(), 0, m_down->width(), height() - m_across->height());
    const PairGeometry parts = geometryOfParts();
    m_across->setRange(0, m_table.count() - parts.seen().width());
    m_across->setPageStep(parts.seen().width());
    m_down->setRange(0, m_table.count() - parts.seen().height());
    m_down->setPageStep(parts.seen().height());
    scheduleEverything();
}

QString PairMatrix::cellText(const PairCell &cell)
{
    switch (cell.kind) {
    case PairCell::Kind::Diagonal:
        return {};
    case PairCell::Kind::Unmeasured:
        return QStringLiteral("·");
    case PairCell::Kind::Problem:
        return tr("× fail", "a pair of ranks, 6 characters at most");
    case PairCell::Kind::Measured:
        return cell.isOdd ? QStringLiteral("! ") + shortNumber(cell.value) : shortNumber(cell.value);
    }
    return {};
}

QString PairMatrix::words() const
{
    return m_table.isMeasured() ? m_table.words(m_cursor.y(), m_cursor.x())
                                : tr("No pair of ranks has been measured yet.");
}

void PairMatrix::describe()
{
    const QString text = words();
    if (text != accessibleDescription())
        setAccessibleDescription(text);
    Q_EMIT described(text);
}

void PairMatrix::drawCanvas(Canvas &canvas, bool everything)
{
    const PairGeometry parts = geometryOfParts();
    if (everything) {
        m_drawn.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
        drawHeadings(canvas, parts);
        drawLegend(canvas, parts);
    }
    const QPoint first = parts.origin();
    for (int row = first.y(); row < first.y() + parts.seen().height(); ++row) {
        for (int column = first.x(); column < first.x() + parts.seen().width(); ++column) {
            const QPoint place(column, row);
            const Shown shown{m_table.cell(row, column, m_measure), hasFocus() && place == m_cursor};
            const auto before = m_drawn.constFind(place);
            if (before != m_drawn.constEnd() && *before == shown)
                continue;
            drawCell(canvas, parts, parts.cell(row, column), shown);
            m_drawn.insert(place, shown);
        }
    }
}

void PairMatrix::drawHeadings(Canvas &canvas, const PairGeometry &parts) const
{
    const TextStyle style{quietColor(palette()), {}, false};
    const QRect whole(QPoint(), canvas.size());
    canvas.text(parts.corner().topLeft(),
                elidedToCells(tr("from↓to→", "ranks"), parts.corner().width() / canvas.cellSize().width()),
                style, whole);
    const int columns = parts.columnStep();
    for (int column = 0; column < m_table.count(); column += columns) {
        const QRect place = parts.columnHeading(column);
        const QString text = QString::number(m_table.rank(column));
        const int room =
            columns == 1 ? parts.cellSize().width() - cellWidth(text) * canvas.cellSize().width() : 0;
        if (!place.isEmpty())
            canvas.text(place.topLeft() + QPoint(room / 2, 0), text, style, whole);
    }
    const int step = parts.rowStep();
    QString nodeBefore;
    for (int row = 0; row < m_table.count(); ++row) {
        const QRect place = parts.rowHeading(row);
        if (place.isEmpty())
            continue;
        const QString node = m_table.node(row);
        if (node != nodeBefore && (row % step == 0 || parts.hasSigns()))
            canvas.text(place.topLeft(), elidedToCells(node, mostNodeCharacters), style, whole);
        nodeBefore = row % step == 0 || parts.hasSigns() ? node : nodeBefore;
        if (row % step != 0)
            continue;
        const QString text = QString::number(m_table.rank(row));
        const int left = place.right() - cellWidth(text) * canvas.cellSize().width();
        canvas.text({left, place.top()}, text, style, whole);
    }
}

void PairMatrix::drawLegend(Canvas &canvas, const PairGeometry &parts) const
{
    const QRect area = parts.legend();
    const QSize character = canvas.cellSize();
    if (!m_table.isMeasured()) {
        canvas.text(area.topLeft(), elidedToCells(words(), area.width() / character.width()),
                    {quietColor(palette()), {}}, area);
        return;
    }
    QPoint at = area.topLeft();
    const auto say = [&](const QString &text, const TextStyle &style) {
        canvas.text(at, elidedToCells(text, std::max(0, area.right() - at.x()) / character.width()), style,
                    area);
        at.rx() += (cellWidth(text) + 1) * character.width();
    };
    for (const double mark : m_table.range(m_measure).first > 0 ? m_scale.marks() : QList<double>()) {
        const QColor color = m_scale.color(mark);
        const QString text = QStringLiteral(" %1 ").arg(shortNumber(mark));
        canvas.fill(
            QRect(at, QSize(cellWidth(text) * character.width(), character.height())).intersected(area),
            color);
        say(text, {HeatScale::textOn(color), color});
        at.rx() -= character.width();
    }
    at.rx() += character.width();
    say(m_measure == PairMeasure::Latency ? tr("us; the stronger the slower.")
                                          : tr("MB/s from row to column; the stronger the slower."),
        {palette().color(QPalette::Text), {}});
    at = area.topLeft() + QPoint(0, character.height());
    say(tr("! stands out, × no connection, · not measured"), {quietColor(palette()), {}});
}

void PairMatrix::drawCell(Canvas &canvas, const PairGeometry &parts, const QRect &area,
                          const Shown &shown) const
{
    const QColor base = palette().color(QPalette::Base);
    const bool isProblem = shown.cell.kind == PairCell::Kind::Problem;
    QColor color = base;
    QColor text = quietColor(palette());
    if (shown.cell.kind == PairCell::Kind::Measured) {
        color = m_scale.color(shown.cell.value);
        text = HeatScale::textOn(color);
    } else if (isProblem) {
        color = toneColor(Tone::Bad, palette());
        text = HeatScale::textOn(color);
    } else if (shown.cell.kind == PairCell::Kind::Diagonal) {
        color = palette().color(QPalette::AlternateBase);
    }
    // From the outside: the cursor's ring, the frame of what stands out, a line that tells it from any
    // colour.
    QRect rest = area;
    const int ring = area.width() > 4 * ringWidth + 4 ? ringWidth : 1;
    if (shown.isCurrent) {
        canvas.fill(rest, palette().color(QPalette::Text));
        rest = inner(rest, ring);
    }
    if (shown.cell.isOdd || isProblem) {
        canvas.fill(rest, toneColor(Tone::Bad, palette()));
        rest = inner(rest, ring);
    }
    if (rest != area) {
        canvas.fill(rest, base);
        rest = inner(rest, 1);
    }
    canvas.fill(rest, color);
    if (!parts.hasSigns())
        return;
    QString words = cellText(shown.cell);
    if (!parts.hasNumbers())
        words = shown.cell.isOdd || isProblem || shown.cell.kind == PairCell::Kind::Unmeasured ? words.left(1)
                                                                                               : QString();
    if (words.isEmpty())
        return;
    const QSize character = canvas.cellSize();
    if (cellWidth(words) * character.width() > rest.width())
        words.remove(QLatin1Char(' '));
    words = elidedToCells(words, area.width() / character.width());
    const QPoint at(area.left() + (area.width() - cellWidth(words) * character.width()) / 2,
                    area.top() + (area.height() - character.height()) / 2);
    canvas.text(at, words, {text, color, shown.cell.isOdd || isProblem}, rest);
}

void PairMatrix::setCursorTo(int row, int column)
{
    const int last = m_table.count() - 1;
    if (last < 0)
        return;
    m_cursor = {std::clamp(column, 0, last), std::clamp(row, 0, last)};
    const QPoint origin = geometryOfParts().originFor(m_cursor.y(), m_cursor.x());
    m_across->setValue(origin.x());
    m_down->setValue(origin.y());
    describe();
    schedule();
}

void PairMatrix::goToNextOdd()
{
    const int count = m_table.oddCount(m_measure);
    if (count == 0)
        return;
    const auto [row, column] = m_table.oddPlace(m_nextOdd % count, m_measure);
    m_nextOdd = (m_nextOdd + 1) % count;
    setCursorTo(row, column);
}

void PairMatrix::copy() const
{
    QApplication::clipboard()->setText(m_table.text(m_measure));
}

void PairMatrix::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    const bool isFar = event->modifiers().testFlag(Qt::ControlModifier);
    const int row = m_cursor.y();
    const int column = m_cursor.x();
    const int last = m_table.count() - 1;
    const int page = std::max(1, geometryOfParts().seen().height() - 1);
    switch (event->key()) {
    case Qt::Key_Left:
        setCursorTo(row, column - 1);
        return;
    case Qt::Key_Right:
        setCursorTo(row, column + 1);
        return;
    case Qt::Key_Up:
        setCursorTo(row - 1, column);
        return;
    case Qt::Key_Down:
        setCursorTo(row + 1, column);
        return;
    case Qt::Key_PageUp:
        setCursorTo(row - page, column);
        return;
    case Qt::Key_PageDown:
        setCursorTo(row + page, column);
        return;
    case Qt::Key_Home:
        setCursorTo(isFar ? 0 : row, 0);
        return;
    case Qt::Key_End:
        setCursorTo(isFar ? last : row, last);
        return;
    case Qt::Key_N:
        goToNextOdd();
        return;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

void PairMatrix::mousePressEvent(QMouseEvent *event)
{
    const QPoint place = geometryOfParts().cellAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || place.x() < 0) {
        event->ignore();
        return;
    }
    setCursorTo(place.y(), place.x());
}

bool PairMatrix::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return CanvasWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const PairGeometry parts = geometryOfParts();
    const QPoint place = parts.cellAt(help->pos());
    if (place.x() < 0 || !m_table.isMeasured()) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    // What a rank says may look like markup.
    const QString text = QStringLiteral("<p>%1</p>").arg(m_table.words(place.y(), place.x()).toHtmlEscaped());
    QToolTip::showText(help->globalPos(), text, this, parts.cell(place.y(), place.x()));
    return true;
}

void PairMatrix::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        takeScale();
    else if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOut();
}

void PairMatrix::focusInEvent(QFocusEvent *)
{
    // Not the base class's: it repaints the whole widget, and one cell differs.
    describe();
    schedule();
}

void PairMatrix::focusOutEvent(QFocusEvent *)
{
    schedule();
}

void PairMatrix::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    layOut();
}

void PairMatrix::wheelEvent(QWheelEvent *event)
{
    QScrollBar *bar = event->modifiers().testFlag(Qt::ShiftModifier) ? m_across : m_down;
    bar->setValue(bar->value() - event->angleDelta().y() / QWheelEvent::DefaultDeltasPerStep);
}

QSize PairMatrix::sizeHint() const
{
    const QSize character = canvas().cellSize();
    const int shown = std::clamp(m_table.count(), 8, 16);
    return {(headingCharacters() + shown * (PairGeometry::cellCharacters + 1)) * character.width(),
            (shown + 4) * (character.height() + 6)};
}

QSize PairMatrix::minimumSizeHint() const
{
    const QSize character = canvas().cellSize();
    return {30 * character.width(), 9 * character.height()};
}

} // namespace rankdeck
