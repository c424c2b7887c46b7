#include "preflight/pairs/pairmatrix.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace rankdeck
{

PairMatrix::PairMatrix(QWidget *parent)
    : CanvasWidget(parent)
    , m_across(new QScrollBar(Qt::Horizontal, this))
    , m_down(new QScrollBar(Qt::Vertical, this))
{
    setObjectName(u"pairMatrix"_s);
    setAccessibleName(tr("Pairs of ranks"));
    setFocusPolicy(Qt::StrongFocus);
    for (QScrollBar *bar : {m_across, m_down}) {
        bar->setFocusPolicy(Qt::NoFocus);
        bar->setCursor(Qt::ArrowCursor);
        bar->hide();
        connect(bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
    }
    describe(words());
}

void PairMatrix::setTable(const PairTable &table)
{
    const bool isAnother = table.ranks() != m_table.ranks() || table.hasNodes() != m_table.hasNodes();
    m_table = table;
    const int last = std::max(0, m_table.count() - 1);
    m_cursor = {std::min(m_cursor.x(), last), std::min(m_cursor.y(), last)};
    updateScale();
    if (isAnother)
        layOut();
    describe(words());
    schedule();
}

void PairMatrix::setMeasure(PairMeasure measure)
{
    m_measure = measure;
    updateScale();
    describe(words());
    schedule();
}

void PairMatrix::updateScale()
{
    const HeatScale scale = PairPainter::scaleOf(palette(), m_table, m_measure);
    if (scale != m_scale) {
        m_scale = scale;
        scheduleEverything();
    }
}

int PairMatrix::headingCharacters() const
{
    constexpr int rankCharacters = 4;
    constexpr int cornerCharacters = 8;
    int longest = 0;
    for (int row = 0; m_table.hasNodes() && row < m_table.count(); ++row)
        longest = std::max(longest, cellWidth(m_table.node(row)) + 1);
    return std::max(std::min(longest, PairPainter::mostNodeCharacters) + rankCharacters, cornerCharacters);
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

void PairMatrix::drawCanvas(Canvas &canvas, bool everything)
{
    const PairGeometry parts = geometryOfParts();
    PairPainter painter(canvas, palette(), parts, m_table, m_measure);
    if (everything) {
        m_drawn.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
        painter.drawHeadings();
        painter.drawLegend();
    }
    const QPoint first = parts.origin();
    for (int row = first.y(); row < first.y() + parts.seen().height(); ++row) {
        for (int column = first.x(); column < first.x() + parts.seen().width(); ++column) {
            const QPoint place(column, row);
            const ShownPairCell shown{m_table.cell(row, column, m_measure), hasFocus() && place == m_cursor};
            const auto before = m_drawn.constFind(place);
            if (before != m_drawn.constEnd() && *before == shown)
                continue;
            painter.drawCell(parts.cell(row, column), shown);
            m_drawn.insert(place, shown);
        }
    }
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
    describe(words());
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
    if (event->matches(QKeySequence::Copy))
        return copy();
    const bool isFar = event->modifiers().testFlag(Qt::ControlModifier);
    const int row = m_cursor.y();
    const int column = m_cursor.x();
    const int last = m_table.count() - 1;
    const int page = std::max(1, geometryOfParts().seen().height() - 1);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursorTo(row, column - 1);
    case Qt::Key_Right:
        return setCursorTo(row, column + 1);
    case Qt::Key_Up:
        return setCursorTo(row - 1, column);
    case Qt::Key_Down:
        return setCursorTo(row + 1, column);
    case Qt::Key_PageUp:
        return setCursorTo(row - page, column);
    case Qt::Key_PageDown:
        return setCursorTo(row + page, column);
    case Qt::Key_Home:
        return setCursorTo(isFar ? 0 : row, 0);
    case Qt::Key_End:
        return setCursorTo(isFar ? last : row, last);
    case Qt::Key_N:
        return goToNextOdd();
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
    // Escaped: the message of a rank may look like markup.
    const QString text = u"<p>%1</p>"_s.arg(m_table.words(place.y(), place.x()).toHtmlEscaped());
    QToolTip::showText(help->globalPos(), text, this, parts.cell(place.y(), place.x()));
    return true;
}

void PairMatrix::focusInEvent(QFocusEvent *)
{
    // Not the base class: it would repaint the whole widget for one changed cell.
    describe(words());
    schedule();
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

} // namespace rankdeck
