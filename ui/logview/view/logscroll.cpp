#include "logview/view/logscroll.h"

#include "logview/source/logsource.h"
#include "widgets/steadyviews.h"

#include <limits>

namespace rankdeck
{

constexpr int linesPerNotch = 3;
constexpr int cellsPerNotch = 8;
constexpr int leastBarShare = 10; // Heights of the horizontal bar.
constexpr int notch = 120;        // eighths of a degree (QWheelEvent::angleDelta)
constexpr int barInterval = 1000; // ms

/// A scroll bar counts in int; a log of more lines is still reached by keys and search.
static int barValue(qint64 value)
{
    return int(std::clamp<qint64>(value, 0, std::numeric_limits<int>::max()));
}

LogScroll::LogScroll(LogSource *source, LogCanvas *canvas, QWidget *view)
    : QObject(view)
    , m_source(source)
    , m_canvas(canvas)
    , m_view(view)
    , m_vertical(new SteadyScrollBar(Qt::Vertical, view))
    , m_horizontal(new SteadyScrollBar(Qt::Horizontal, view))
{
    m_horizontal->hide();
    m_vertical->setRange(0, 0);
    m_vertical->installEventFilter(this);
    view->installEventFilter(this);
    connect(&m_barTimer, &QTimer::timeout, this, [this] {
        showBars();
        showNewLines();
    });
    connect(m_vertical, &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_showingBars)
            scrollTo(value == m_vertical->maximum() ? lastTop() : LogRows::Place{value, 0});
    });
    connect(m_horizontal, &QScrollBar::valueChanged, canvas, &LogCanvas::setLeft);
    connect(canvas, &LogCanvas::fitChanged, this, &LogScroll::onFit);
    // Queued: the width is measured while painting, when the layout must not change.
    connect(
        canvas, &LogCanvas::widthInCellsChanged, this,
        [this](int cells) {
            m_widest = cells;
            showBars();
        },
        Qt::QueuedConnection);
    connect(canvas, &LogCanvas::selectingBegan, this, [this] { setFollowing(false); });
    connect(canvas, &LogCanvas::scrollRequested, this, [this](int lines, int cells) {
        if (lines != 0)
            scrollBy(lines);
        if (cells != 0)
            setLeft(m_canvas->left() + cells);
    });
    connect(source, &LogSource::pageChanged, this, &LogScroll::onPage);
    connect(source, &LogSource::grew, this, [this] {
        revealPending();
        showBarsSoon();
    });
    connect(source, &LogSource::restarted, this, &LogScroll::onRestarted);
}

void LogScroll::setFollowing(bool following)
{
    following = following && !m_neverFollows;
    if (std::exchange(m_following, following) == following)
        return;
    m_linesWhenLeft = m_source->totalLines();
    fetch();
    showNewLines();
    Q_EMIT followingChanged(following);
}

void LogScroll::fetch()
{
    // Nothing is fetched while hidden; the follower still counts. While following, a screenful more than is
    // shown, so that the first step back finds its lines here.
    const int rows = m_view->isVisible() ? m_canvas->rows() : 0;
    m_source->followTail(m_following ? 2 * rows : 0);
    m_source->want(m_canvas->top(), m_following ? 0 : rows);
}

/// User scrolling: reaching the end turns following on, leaving it turns it off.
void LogScroll::scrollTo(const LogRows::Place &top)
{
    const LogRows::Place bounded = std::clamp(top, LogRows::Place(), lastTop());
    setFollowing(bounded >= lastTop());
    m_canvas->setTop(bounded);
    fetch();
    showBars();
    m_reportsScroll = !m_following;
    reportScroll();
}

void LogScroll::reportScroll()
{
    if (!m_reportsScroll || !m_source->hasLines(m_canvas->top(), 1))
        return;
    m_reportsScroll = false;
    if (const auto time = m_source->time(m_canvas->top()))
        Q_EMIT scrolledTo(*time);
}

void LogScroll::showLine(qint64 line)
{
    setFollowing(false);
    const LogRows rows = m_canvas->logRows();
    const LogRows::Place place{line, 0};
    const qint64 half = m_canvas->rows() / 2;
    if (place < m_canvas->topPlace() || line > m_canvas->bottom()) {
        // Row counts of lines that are not loaded are unknown.
        const bool isCentred =
            !rows.isWrapped() || m_source->hasLines(std::max<qint64>(0, line - half), half);
        m_canvas->setTop(std::min(rows.moved(place, isCentred ? -half : 0), lastTop()));
    }
    fetch();
    showBars();
}

void LogScroll::goTo(qint64 line)
{
    m_canvas->setCurrentLine(line);
    showLine(line);
}

void LogScroll::alignTop(qint64 line)
{
    setFollowing(false);
    m_canvas->setTop(std::clamp(LogRows::Place{line, 0}, LogRows::Place(), lastTop()));
    fetch();
    showBars();
}

void LogScroll::markLine(qint64 line, qsizetype column)
{
    m_markedLine = line;
    m_markedColumn = column;
    m_pendingMark = true;
    m_pendingTop.reset();
    m_canvas->setMarkedLine(line);
    revealPending();
}

void LogScroll::clearMark()
{
    m_markedLine.reset();
    m_markedColumn.reset();
    m_pendingMark = false;
    m_canvas->setMarkedLine({});
}

/// Applies a pending mark or scroll position once the file has been indexed that far.
void LogScroll::revealPending()
{
    if (m_pendingMark && m_source->totalLines() > *m_markedLine) {
        m_pendingMark = false;
        showLine(*m_markedLine);
    }
    if (m_pendingTop && m_source->totalLines() > *m_pendingTop) {
        scrollTo({*m_pendingTop, 0});
        m_pendingTop.reset();
    }
    revealMarkedColumn();
}

void LogScroll::revealMarkedColumn()
{
    if (m_pendingMark || !m_markedColumn || m_source->totalLines() == 0 ||
        !m_source->hasLines(*m_markedLine, 1))
        return;
    const QByteArray line = m_source->line(*m_markedLine);
    const QString before = QString::fromUtf8(line).left(*m_markedColumn);
    const int cell = ShownLine(before.toUtf8()).cells();
    m_markedColumn.reset();
    showCells({cell, cell + 1}, ShownLine(line).cells());
}

void LogScroll::showCells(CellRange cells, int lineCells)
{
    m_widest = std::max(m_widest, lineCells);
    showBars();
    const LogRows rows = m_canvas->logRows();
    const auto line = m_markedLine ? m_markedLine : m_canvas->currentLine();
    if (rows.isWrapped() && line) {
        const LogRows::Place place = rows.placeOf({*line, cells.begin});
        if (place < m_canvas->topPlace() || place > rows.moved(m_canvas->topPlace(), m_canvas->rows() - 1))
            m_canvas->setTop(place);
        return;
    }
    const int left = m_canvas->left();
    if (cells.begin < left || cells.end > left + m_canvas->columns())
        setLeft(cells.end <= m_canvas->columns() ? 0 : cells.begin - m_canvas->columns() / 3);
}

void LogScroll::onPage()
{
    reportScroll();
    if (m_following)
        m_canvas->setTop(lastTop());
    m_canvas->linesChanged();
    revealPending();
    showBarsSoon();
}

void LogScroll::onRestarted()
{
    m_canvas->setSelection({});
    m_canvas->setCurrentLine({});
    m_canvas->setTop({});
    m_canvas->forgetWidth();
    m_canvas->linesChanged();
    m_pendingMark = m_markedLine.has_value();
    m_linesWhenLeft = 0;
    m_widest = 0;
    showBars();
}

void LogScroll::onFit()
{
    const int rows = m_canvas->rows();
    const qint64 top = m_canvas->top();
    if (m_following)
        m_canvas->setTop(lastTop());
    // A mark that was on the screen stays there.
    else if (m_markedLine && *m_markedLine >= top + rows && *m_markedLine < top + m_rowsBefore)
        m_canvas->setTop({*m_markedLine - rows + 1, 0});
    m_rowsBefore = rows;
    fetch();
    showBars();
}

/// Delays the bar beside a flood of lines: each time it moves, its pixels are sent to the display.
void LogScroll::showBarsSoon()
{
    if (!m_barTimer.isActive())
        m_barTimer.start(m_vertical->maximum() == 0 ? 0 : barInterval);
}

void LogScroll::showBars()
{
    m_showingBars = true;
    m_vertical->setRange(0, barValue(lastTop().line));
    m_vertical->setPageStep(m_canvas->rows());
    m_vertical->setValue(barValue(m_following ? lastTop().line : m_canvas->top()));
    m_showingBars = false;

    const int columns = m_canvas->columns();
    const bool isWrapped = m_canvas->logRows().isWrapped();
    m_horizontal->setRange(0, isWrapped ? 0 : std::max(0, m_widest - columns));
    m_horizontal->setPageStep(columns);
    m_horizontal->setSingleStep(cellsPerNotch);
    // In a small tile the lines need the room; keys and the wheel scroll sideways too.
    const bool hasRoom = m_view->height() >= leastBarShare * m_horizontal->sizeHint().height();
    m_horizontal->setVisible(m_horizontal->maximum() > 0 && hasRoom);
}

void LogScroll::showNewLines()
{
    const qint64 count = m_following ? 0 : std::max<qint64>(0, m_source->totalLines() - m_linesWhenLeft);
    if (std::exchange(m_newLines, count) != count)
        Q_EMIT newLinesChanged(count);
}

bool LogScroll::pressKey(const QKeyEvent &event)
{
    const int key = event.key();
    const int page = std::max(1, m_canvas->rows() - 1);
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        scrollBy(key == Qt::Key_Up ? -1 : 1);
    else if (key == Qt::Key_PageUp || key == Qt::Key_PageDown)
        scrollBy(key == Qt::Key_PageUp ? -page : page);
    else if (key == Qt::Key_Home || key == Qt::Key_End)
        scrollTo(key == Qt::Key_Home ? LogRows::Place() : lastTop());
    else if (key == Qt::Key_Left || key == Qt::Key_Right)
        setLeft(m_canvas->left() + (key == Qt::Key_Left ? -cellsPerNotch : cellsPerNotch));
    else
        return false;
    return true;
}

void LogScroll::turnWheel(const QWheelEvent &event)
{
    QPoint turned = m_wheelRest + event.angleDelta();
    if (event.modifiers().testFlag(Qt::ControlModifier)) {
        const int steps = turned.y() / notch;
        m_wheelRest = {0, turned.y() - steps * notch};
        if (steps != 0)
            Q_EMIT zoomRequested(steps);
        return;
    }
    if (event.modifiers().testFlag(Qt::ShiftModifier))
        turned = turned.transposed();
    const int lines = turned.y() * linesPerNotch / notch;
    const int cells = turned.x() * cellsPerNotch / notch;
    // Fine wheels turn by less than a line at a time.
    m_wheelRest = {turned.x() - cells * notch / cellsPerNotch, turned.y() - lines * notch / linesPerNotch};
    if (lines != 0)
        scrollBy(-lines);
    if (cells != 0)
        setLeft(m_canvas->left() - cells);
}

bool LogScroll::eventFilter(QObject *watched, QEvent *event)
{
    const bool isView = watched == m_view;
    if (isView && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
        fetch();
    // The bar may be a second old; a click on it is meant for its current state.
    else if (!isView && event->type() == QEvent::MouseButtonPress)
        showBars();
    return QObject::eventFilter(watched, event);
}

} // namespace rankdeck
