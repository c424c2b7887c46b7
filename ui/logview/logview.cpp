#include "logview/logview.h"

#include "log/mergedlines.h"
#include "logview/findbar.h"
#include "logview/logaccessible.h"
#include "logview/logcanvas.h"
#include "logview/logfind.h"
#include "logview/logjumps.h"
#include "logview/logsource.h"
#include "logview/logtaking.h"
#include "logview/logviewactions.h"
#include "logview/steadyscrollbar.h"

#include <QAction>
#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace rankdeck
{

namespace
{

constexpr int linesPerNotch = 3;
constexpr int cellsPerNotch = 8;
constexpr int notch = 120;        // eighths of a degree (QWheelEvent::angleDelta)
constexpr int barInterval = 1000; // ms

/// A scroll bar counts in int; a log of more lines is still reached by keys and search.
int barValue(qint64 value)
{
    return int(std::clamp<qint64>(value, 0, std::numeric_limits<int>::max()));
}

} // namespace

LogView::LogView(QWidget *parent)
    : QWidget(parent)
    , m_emptyText(tr("No output yet."))
{
    installLogAccessibility();
    m_source = new LogSource(this);
    m_canvas = new LogCanvas(m_source, this);
    m_vertical = new SteadyScrollBar(Qt::Vertical, this);
    m_horizontal = new SteadyScrollBar(Qt::Horizontal, this);
    m_findBar = new FindBar(this);
    m_find = new LogFind(m_findBar, m_source, m_canvas, this);
    m_jumps = new LogJumps(m_source, m_canvas, this);
    m_taking = new LogTaking(m_source, m_canvas, this);
    m_canvas->setEmptyText(m_emptyText);
    setFocusProxy(m_canvas);
    setTitle({});

    auto *const grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_canvas, 0, 0);
    grid->addWidget(m_vertical, 0, 1);
    grid->addWidget(m_horizontal, 1, 0);
    grid->addWidget(m_findBar, 2, 0, 1, 2);
    m_findBar->hide();
    m_horizontal->hide();
    m_vertical->setRange(0, 0);
    m_vertical->installEventFilter(this);

    m_barTimer.setSingleShot(true);
    connect(&m_barTimer, &QTimer::timeout, this, [this] {
        showBars();
        showNewLines();
    });
    connect(m_vertical, &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_showingBars)
            scrollTo(value == m_vertical->maximum() ? lastTop() : LogRows::Place{value, 0});
    });
    connect(m_horizontal, &QScrollBar::valueChanged, m_canvas, &LogCanvas::setLeft);
    connect(m_canvas, &LogCanvas::fitChanged, this, &LogView::onFit);
    // Measured while painting; a scroll bar must not appear in the midst of that.
    connect(
        m_canvas, &LogCanvas::widthInCellsChanged, this,
        [this](int cells) {
            m_widest = cells;
            showBars();
        },
        Qt::QueuedConnection);
    connect(m_canvas, &LogCanvas::linePressed, this, [this](qint64 line) {
        if (const auto origin = m_source->origin(line))
            Q_EMIT linePressed(*origin);
    });
    connect(m_canvas, &LogCanvas::selectingBegan, this, [this] { setFollowing(false); });
    connect(m_canvas, &LogCanvas::selectionFinished, this, [this] {
        if (QApplication::clipboard()->supportsSelection())
            m_taking->copy(QClipboard::Selection);
    });
    connect(m_canvas, &LogCanvas::scrollWanted, this, [this](int lines, int cells) {
        if (lines != 0)
            scrollBy(lines);
        if (cells != 0)
            setLeft(m_canvas->left() + cells);
    });
    m_placeAction = addLogViewActions(this, m_canvas);
    m_placeAction->setVisible(false);
    connectSource();
    connectFind();
}

LogView::~LogView() = default;

void LogView::connectSource()
{
    connect(m_source, &LogSource::pageChanged, this, &LogView::onPage);
    connect(m_source, &LogSource::grew, this, &LogView::onGrew);
    connect(m_source, &LogSource::restarted, this, &LogView::onRestarted);
    connect(m_source, &LogSource::unreadable, this, [this](const QString &sentence) {
        m_canvas->setEmptyText(sentence.isEmpty() ? m_emptyText : sentence);
        setNotice(sentence);
    });
}

void LogView::connectFind()
{
    connect(m_find, &LogFind::lineWanted, this, &LogView::goTo);
    connect(m_find, &LogFind::cellsWanted, this, [this](CellRange cells, int lineCells) {
        m_widest = std::max(m_widest, lineCells);
        showBars();
        revealCells(cells);
    });
    connect(m_find, &LogFind::closed, this, [this] { m_canvas->setFocus(Qt::OtherFocusReason); });
    connect(m_jumps, &LogJumps::lineWanted, this, [this](qint64 line) {
        goTo(line);
        m_canvas->setFocus(Qt::OtherFocusReason);
    });
    connect(m_taking, &LogTaking::said, this, &LogView::setNotice);
    connect(m_taking, &LogTaking::copied, this, [this](QClipboard::Mode mode) {
        if (mode == QClipboard::Clipboard)
            Q_EMIT copied();
    });
    connect(m_jumps, &LogJumps::topWanted, this, &LogView::startAt);
    connect(m_jumps, &LogJumps::said, this, [this](const QString &sentence) {
        if (!sentence.isEmpty() || m_notice == m_jumpNotice)
            setNotice(sentence);
        m_jumpNotice = sentence;
    });
}

LogLines *LogView::source() const
{
    return m_source->lines();
}

void LogView::setSource(LogLines *lines)
{
    m_canvas->setEmptyText(m_emptyText);
    setNotice({});
    setFollowing(true);
    m_source->setLines(lines);
    m_placeAction->setVisible(qobject_cast<MergedLines *>(lines) != nullptr);
    fetch();
}

void LogView::setTitle(const QString &title)
{
    m_canvas->setAccessibleName(title.isEmpty() ? tr("Log") : tr("Log of %1").arg(title));
    m_vertical->setAccessibleName(tr("Scroll through the log"));
    m_horizontal->setAccessibleName(tr("Scroll sideways"));
}

void LogView::setEmptyText(const QString &text)
{
    m_emptyText = text;
    if (m_notice.isEmpty())
        m_canvas->setEmptyText(text);
}

qint64 LogView::topLine() const
{
    return m_canvas->top();
}

QString LogView::visibleText() const
{
    return m_canvas->visibleText();
}

LogRows::Place LogView::lastTop() const
{
    return m_canvas->logRows().lastTop();
}

void LogView::showAsFile()
{
    m_isFile = true;
    setFollowing(false);
    m_canvas->setNumbered(true);
}

void LogView::setNumbered(bool numbered)
{
    m_canvas->setNumbered(numbered || m_isFile);
}

void LogView::setHighlights(const QList<Highlight> &highlights)
{
    QList<std::pair<LogMatcher, int>> matchers;
    for (const Highlight &highlight : highlights) {
        if (const Result<LogMatcher> matcher = LogMatcher::create(highlight.pattern))
            matchers.append({*matcher, highlight.color});
    }
    m_canvas->setHighlights(matchers);
}

void LogView::setWrapped(bool wrapped)
{
    setLeft(0);
    m_canvas->setWrapped(wrapped);
}

void LogView::setTextSize(qreal points)
{
    QFont font = m_canvas->font();
    font.setPointSizeF(points);
    m_canvas->setFont(font);
}

void LogView::setFollowing(bool following)
{
    following = following && !m_isFile;
    if (following == m_following)
        return;
    m_following = following;
    m_linesWhenLeft = m_source->totalLines();
    fetch();
    showNewLines();
    Q_EMIT followingChanged(following);
}

/// What the user does: reaching the end means to follow, leaving it to stay where one is.
void LogView::scrollTo(const LogRows::Place &top)
{
    const LogRows::Place bounded = std::clamp(top, LogRows::Place(), lastTop());
    setFollowing(bounded >= lastTop());
    m_canvas->setTop(bounded);
    fetch();
    showBars();
    m_tellsScroll = !m_following;
    tellScroll();
}

void LogView::scrollBy(qint64 rows)
{
    scrollTo(m_canvas->logRows().moved(m_canvas->topPlace(), rows));
}

void LogView::tellScroll()
{
    if (!m_tellsScroll || !m_source->hasLines(topLine(), 1))
        return;
    m_tellsScroll = false;
    if (const auto time = m_source->time(topLine()))
        Q_EMIT scrolledTo(*time);
}

void LogView::showLine(qint64 line)
{
    setFollowing(false);
    const LogRows rows = m_canvas->logRows();
    const LogRows::Place place{line, 0};
    const qint64 half = m_canvas->rows() / 2;
    if (place < m_canvas->topPlace() || line > m_canvas->bottom()) {
        // How many rows the lines before it take is not known before they were read.
        const bool isCentred =
            !rows.isWrapped() || m_source->hasLines(std::max<qint64>(0, line - half), half);
        m_canvas->setTop(std::min(rows.moved(place, isCentred ? -half : 0), lastTop()));
    }
    fetch();
    showBars();
}

void LogView::goTo(qint64 line)
{
    m_canvas->setCurrentLine(line);
    showLine(line);
}

void LogView::markLine(qint64 line, qsizetype column)
{
    m_markedLine = line;
    m_markedColumn = column;
    m_wantsMark = true;
    m_wantedTop.reset();
    m_canvas->setMarkedLine(line);
    revealWanted();
}

void LogView::clearMark()
{
    m_markedLine.reset();
    m_markedColumn.reset();
    m_wantsMark = false;
    m_canvas->setMarkedLine({});
}

void LogView::setTopLine(qint64 line)
{
    m_wantedTop = line;
    revealWanted();
}

/// What was asked for before the file was read that far.
void LogView::revealWanted()
{
    if (m_wantsMark && m_source->totalLines() > *m_markedLine) {
        m_wantsMark = false;
        showLine(*m_markedLine);
    }
    if (m_wantedTop && m_source->totalLines() > *m_wantedTop) {
        scrollTo({*m_wantedTop, 0});
        m_wantedTop.reset();
    }
    revealMarkedColumn();
}

void LogView::revealMarkedColumn()
{
    if (m_wantsMark || !m_markedColumn || m_source->totalLines() == 0 ||
        !m_source->hasLines(*m_markedLine, 1))
        return;
    const QString before = QString::fromUtf8(m_source->line(*m_markedLine)).left(*m_markedColumn);
    const int cell = ShownLine(before.toUtf8()).cells();
    m_markedColumn.reset();
    m_widest = std::max(m_widest, ShownLine(m_source->line(*m_markedLine)).cells());
    showBars();
    revealCells({cell, cell + 1});
}

void LogView::setLeft(int cell)
{
    m_horizontal->setValue(cell);
}

void LogView::fetch()
{
    // What is hidden is not fetched; the follower counts on. While following, a screenful more than is shown,
    // so that the first step back finds its lines here.
    const int rows = isVisible() ? m_canvas->rows() : 0;
    m_source->followTail(m_following ? 2 * rows : 0);
    m_source->want(topLine(), m_following ? 0 : rows);
}

void LogView::onPage()
{
    tellScroll();
    tellLineCount();
    if (m_following)
        m_canvas->setTop(lastTop());
    m_canvas->linesChanged();
    m_find->pageChanged();
    revealWanted();
    showBarsSoon();
}

void LogView::onGrew()
{
    tellLineCount();
    revealWanted();
    showBarsSoon();
}

void LogView::tellLineCount()
{
    const qint64 count = m_source->totalLines();
    if (std::exchange(m_toldLines, count) != count)
        Q_EMIT lineCountChanged(count);
}

void LogView::onRestarted()
{
    tellLineCount();
    m_canvas->setEmptyText(m_emptyText);
    m_canvas->setSelection({});
    m_canvas->setCurrentLine({});
    m_canvas->setTop({});
    m_canvas->forgetWidth();
    m_canvas->linesChanged();
    m_wantsMark = m_markedLine.has_value();
    m_linesWhenLeft = 0;
    m_widest = 0;
    showBars();
}

void LogView::onFit()
{
    const int rows = m_canvas->rows();
    if (m_following)
        m_canvas->setTop(lastTop());
    // A mark that was on the screen stays there.
    else if (m_markedLine && *m_markedLine >= topLine() + rows && *m_markedLine < topLine() + m_rowsBefore)
        m_canvas->setTop({*m_markedLine - rows + 1, 0});
    m_rowsBefore = rows;
    fetch();
    showBars();
}

/// The bar beside a flood of lines need not move at every frame: each time it does, its pixels are sent.
void LogView::showBarsSoon()
{
    if (!m_barTimer.isActive())
        m_barTimer.start(m_vertical->maximum() == 0 ? 0 : barInterval);
}

void LogView::showBars()
{
    m_showingBars = true;
    m_vertical->setRange(0, barValue(lastTop().line));
    m_vertical->setPageStep(m_canvas->rows());
    m_vertical->setValue(barValue(m_following ? lastTop().line : topLine()));
    m_showingBars = false;

    const int columns = m_canvas->columns();
    const bool isWrapped = m_canvas->logRows().isWrapped();
    m_horizontal->setRange(0, isWrapped ? 0 : std::max(0, m_widest - columns));
    m_horizontal->setPageStep(columns);
    m_horizontal->setSingleStep(cellsPerNotch);
    m_horizontal->setVisible(m_horizontal->maximum() > 0);
}

void LogView::showNewLines()
{
    const qint64 count = m_following ? 0 : std::max<qint64>(0, m_source->totalLines() - m_linesWhenLeft);
    if (count == m_newLines)
        return;
    m_newLines = count;
    Q_EMIT newLinesChanged(count);
}

void LogView::setNotice(const QString &sentence)
{
    if (sentence == m_notice)
        return;
    m_notice = sentence;
    Q_EMIT noticeChanged(sentence);
}

void LogView::showTime(LogTime time)
{
    m_jumps->findTime(time);
}

void LogView::alignTo(LogTime time)
{
    m_jumps->alignTo(time);
}

/// Where another view made it go, so nobody is told.
void LogView::startAt(qint64 line)
{
    setFollowing(false);
    m_canvas->setTop(std::clamp(LogRows::Place{line, 0}, LogRows::Place(), lastTop()));
    fetch();
    showBars();
}

void LogView::openFind()
{
    m_find->open();
}

void LogView::findNext(bool backward)
{
    m_find->next(backward);
}

void LogView::revealCells(CellRange cells)
{
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

void LogView::selectAll()
{
    setFollowing(false);
    m_canvas->setSelection(
        {{0, 0}, {std::max<qint64>(0, m_source->totalLines() - 1), LogSelection::endOfLine}});
}

void LogView::copy()
{
    m_taking->copy(QClipboard::Clipboard);
}

void LogView::askForPlaceOfLine()
{
    if (const auto origin = m_source->origin(m_canvas->lineMeant()))
        Q_EMIT placeWanted(*origin);
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    const int page = std::max(1, m_canvas->rows() - 1);
    switch (event->key()) {
    case Qt::Key_Up:
        scrollBy(-1);
        break;
    case Qt::Key_Down:
        scrollBy(1);
        break;
    case Qt::Key_PageUp:
        scrollBy(-page);
        break;
    case Qt::Key_PageDown:
        scrollBy(page);
        break;
    case Qt::Key_Home:
        scrollTo({});
        break;
    case Qt::Key_End:
        scrollTo(lastTop());
        break;
    case Qt::Key_Left:
        setLeft(m_canvas->left() - cellsPerNotch);
        break;
    case Qt::Key_Right:
        setLeft(m_canvas->left() + cellsPerNotch);
        break;
    case Qt::Key_Escape:
        if (!m_find->isOpen())
            QWidget::keyPressEvent(event);
        else
            m_find->close();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LogView::wheelEvent(QWheelEvent *event)
{
    QPoint turned = m_wheelRest + event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const int steps = turned.y() / notch;
        m_wheelRest = {0, turned.y() - steps * notch};
        if (steps != 0)
            Q_EMIT zoomWanted(steps);
        event->accept();
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        turned = turned.transposed();
    const int lines = turned.y() * linesPerNotch / notch;
    const int cells = turned.x() * cellsPerNotch / notch;
    // Fine wheels turn by less than a line at a time.
    m_wheelRest = {turned.x() - cells * notch / cellsPerNotch, turned.y() - lines * notch / linesPerNotch};
    if (lines != 0)
        scrollBy(-lines);
    if (cells != 0)
        setLeft(m_canvas->left() - cells);
    event->accept();
}

void LogView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fetch();
}

void LogView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    fetch();
}

/// The bar may be a second old; what the mouse does to it is meant for what it should show.
bool LogView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_vertical && event->type() == QEvent::MouseButtonPress)
        showBars();
    return QWidget::eventFilter(watched, event);
}

} // namespace rankdeck
