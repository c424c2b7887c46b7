#include "devicegrid/devicegrid.h"

#include "canvas/canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace rankdeck
{

namespace
{

DeviceGridGeometry::Metrics metricsFor(const QSize &characterCell)
{
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = DeviceCellPainter::minimumSize(characterCell);
    metrics.maximumCellWidth = metrics.minimumCell.width() * 2;
    metrics.headingHeight = characterCell.height() + 8;
    metrics.gap = 6;
    metrics.margin = 8;
    return metrics;
}

} // namespace

DeviceGrid::DeviceGrid(QWidget *parent)
    : CanvasWidget(parent)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    setObjectName(QStringLiteral("deviceGrid"));
    setAccessibleName(tr("Devices"));
    setFocusPolicy(Qt::StrongFocus);
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->setCursor(Qt::ArrowCursor);
    connect(m_bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, &DeviceGrid::rebuild);
}

void DeviceGrid::setState(const RunState &state)
{
    if (state.directory != m_state.directory) {
        m_lastLines.clear();
        m_chosen.clear();
        m_current = -1;
        m_anchor = -1;
        m_bar->setValue(0);
    } else if (state.attempt != m_state.attempt) {
        m_lastLines.clear();
    }
    m_state = state;
    rebuild();
}

void DeviceGrid::setLastLine(int process, const QString &line)
{
    if (m_lastLines.value(process) == line)
        return;
    m_lastLines.insert(process, line);
    const auto place = std::find_if(m_cells.begin(), m_cells.end(),
                                    [process](const DeviceCell &cell) { return cell.process == process; });
    if (place == m_cells.end())
        return;
    place->lines[3].left = line;
    schedule();
}

void DeviceGrid::rebuild()
{
    QList<int> cellsPerHeading;
    m_headings.clear();
    m_cells.clear();
    for (const DeviceSection &section :
         deviceSections(m_state, m_lastLines, QDateTime::currentDateTimeUtc())) {
        m_headings.append(section.heading);
        m_cells.append(section.cells);
        cellsPerHeading.append(int(section.cells.size()));
    }
    if (cellsPerHeading != m_cellsPerHeading) {
        m_cellsPerHeading = cellsPerHeading;
        layOut();
    }
    if (m_current < 0 && !m_cells.isEmpty())
        m_current = 0;
    updateClock();
    schedule();
}

void DeviceGrid::layOut()
{
    const DeviceGridGeometry::Metrics metrics = metricsFor(canvas().cellSize());
    m_geometry = DeviceGridGeometry(m_cellsPerHeading, metrics, width());
    if (m_geometry.height() > height())
        m_geometry = DeviceGridGeometry(m_cellsPerHeading, metrics, width() - m_bar->sizeHint().width());

    const int beyond = std::max(m_geometry.height() - height(), 0);
    m_bar->setRange(0, beyond);
    m_bar->setPageStep(height());
    m_bar->setSingleStep(metrics.minimumCell.height() / 2);
    const int barWidth = m_bar->sizeHint().width();
    m_bar->setGeometry(width() - barWidth, 0, barWidth, height());
    m_bar->setVisible(beyond > 0);
    updateGeometry();
    scheduleEverything();
}

QRect DeviceGrid::cellRect(int index) const
{
    return m_geometry.cell(index).translated(0, -m_bar->value());
}

DeviceCellMarks DeviceGrid::marks(int index) const
{
    const int process = m_cells.at(index).process;
    return {process >= 0 && m_chosen.contains(process), hasFocus() && index == m_current};
}

void DeviceGrid::drawCanvas(Canvas &canvas, bool everything)
{
    if (everything) {
        m_drawn.clear();
        m_drawnHeadings.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
    }
    const QRect visible(0, m_bar->value(), width(), height());
    DeviceCellPainter painter(canvas, palette());
    for (int server = 0; server < m_geometry.headingCount(); ++server) {
        const QRect place = m_geometry.heading(server);
        const QString &text = m_headings.at(server);
        if (!place.intersects(visible) || m_drawnHeadings.value(server) == text)
            continue;
        painter.drawHeading(place.translated(0, -m_bar->value()), text);
        m_drawnHeadings.insert(server, text);
    }
    for (int index = 0; index < m_geometry.cellCount(); ++index) {
        if (!m_geometry.cell(index).intersects(visible))
            continue;
        const ShownDeviceCell shown{m_cells.at(index), marks(index)};
        const auto before = m_drawn.constFind(index);
        if (before != m_drawn.constEnd() && *before == shown)
            continue;
        painter.draw(cellRect(index), shown, before == m_drawn.constEnd() ? nullptr : &*before);
        m_drawn.insert(index, shown);
    }
}

void DeviceGrid::setCurrent(int index)
{
    if (index < 0 || index >= cellCount())
        return;
    m_current = index;
    const QRect place = m_geometry.cell(index);
    if (place.top() < m_bar->value())
        m_bar->setValue(place.top() - metricsFor(canvas().cellSize()).headingHeight);
    else if (place.bottom() >= m_bar->value() + height())
        m_bar->setValue(place.bottom() + 1 - height() + 8);
    describeCurrent();
    schedule();
}

void DeviceGrid::describeCurrent()
{
    const QString words = m_cells.at(m_current).spoken();
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
}

void DeviceGrid::choose(int index, Choice choice)
{
    if (index < 0 || index >= cellCount())
        return;
    const int process = m_cells.at(index).process;
    if (choice == Choice::Stretch && m_anchor >= 0 && m_anchor < cellCount()) {
        m_chosen.clear();
        const auto [first, last] = std::minmax(m_anchor, index);
        for (int each = first; each <= last; ++each) {
            if (m_cells.at(each).process >= 0)
                m_chosen.insert(m_cells.at(each).process);
        }
    } else if (process < 0) {
        schedule();
        return;
    } else {
        m_anchor = index;
        // The last one cannot be taken away: there is always a log to read.
        const bool takeAway = choice == Choice::Toggle && m_chosen.contains(process) && m_chosen.size() > 1;
        if (choice != Choice::Toggle)
            m_chosen.clear();
        if (takeAway)
            m_chosen.remove(process);
        else
            m_chosen.insert(process);
    }
    schedule();
    if (!m_chosen.isEmpty())
        Q_EMIT ranksChosen(chosen());
}

void DeviceGrid::reveal(int process)
{
    for (int index = 0; index < cellCount(); ++index) {
        if (m_cells.at(index).process == process)
            setCurrent(index);
    }
}

void DeviceGrid::setChosen(const QList<int> &processes)
{
    m_chosen = QSet<int>(processes.cbegin(), processes.cend());
    schedule();
}

QList<int> DeviceGrid::chosen() const
{
    QList<int> processes(m_chosen.cbegin(), m_chosen.cend());
    std::sort(processes.begin(), processes.end());
    return processes;
}

void DeviceGrid::updateClock()
{
    const bool running = std::any_of(m_state.ranks.cbegin(), m_state.ranks.cend(),
                                     [](const RankState &rank) { return rank.phase == RankPhase::Running; });
    if (running && isVisible()) {
        if (!m_clock.isActive())
            m_clock.start();
    } else {
        m_clock.stop();
    }
}

QSize DeviceGrid::sizeHint() const
{
    const DeviceGridGeometry::Metrics metrics = metricsFor(canvas().cellSize());
    const int columns = 4;
    return {columns * (metrics.minimumCell.width() + metrics.gap) + 2 * metrics.margin,
            std::max(m_geometry.height(), minimumSizeHint().height())};
}

QSize DeviceGrid::minimumSizeHint() const
{
    const DeviceGridGeometry::Metrics metrics = metricsFor(canvas().cellSize());
    return {metrics.minimumCell.width() + 2 * metrics.margin,
            metrics.minimumCell.height() + metrics.headingHeight + 2 * metrics.margin};
}

void DeviceGrid::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    layOut();
}

void DeviceGrid::showEvent(QShowEvent *event)
{
    CanvasWidget::showEvent(event);
    rebuild();
}

void DeviceGrid::hideEvent(QHideEvent *event)
{
    CanvasWidget::hideEvent(event);
    m_clock.stop();
}

void DeviceGrid::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOut();
    else if (event->type() == QEvent::LanguageChange)
        rebuild();
}

void DeviceGrid::focusInEvent(QFocusEvent *)
{
    // Not the base class's: it repaints the whole widget, and one cell differs.
    if (m_current >= 0)
        describeCurrent();
    schedule();
}

void DeviceGrid::focusOutEvent(QFocusEvent *)
{
    schedule();
}

void DeviceGrid::keyPressEvent(QKeyEvent *event)
{
    const Choice choice = event->modifiers().testFlag(Qt::ControlModifier) ? Choice::Toggle
                          : event->modifiers().testFlag(Qt::ShiftModifier) ? Choice::Stretch
                                                                           : Choice::Only;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
        const int next = m_geometry.neighbour(m_current, Qt::Key(event->key()), height());
        setCurrent(next);
        if (choice == Choice::Stretch)
            choose(next, Choice::Stretch);
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        choose(m_current, choice);
        return;
    default:
        CanvasWidget::keyPressEvent(event);
    }
}

void DeviceGrid::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        CanvasWidget::mousePressEvent(event);
        return;
    }
    const int index = m_geometry.cellAt(event->position().toPoint() + QPoint(0, m_bar->value()));
    if (index < 0)
        return;
    setCurrent(index);
    choose(index, event->modifiers().testFlag(Qt::ControlModifier) ? Choice::Toggle
                  : event->modifiers().testFlag(Qt::ShiftModifier) ? Choice::Stretch
                                                                   : Choice::Only);
}

void DeviceGrid::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const int index = isByKey ? m_current : m_geometry.cellAt(event->pos() + QPoint(0, m_bar->value()));
    if (index < 0 || index >= cellCount() || m_cells.at(index).process < 0)
        return;
    // As in lists of files: the menu is for what is chosen, or for what it is asked for on.
    if (!m_chosen.contains(m_cells.at(index).process)) {
        setCurrent(index);
        choose(index, Choice::Only);
    }
    Q_EMIT menuWanted(isByKey ? mapToGlobal(cellRect(index).center()) : event->globalPos());
}

void DeviceGrid::wheelEvent(QWheelEvent *event)
{
    const int beyond =
        event->angleDelta().y() * QApplication::wheelScrollLines() * canvas().cellSize().height();
    m_bar->setValue(m_bar->value() - beyond / QWheelEvent::DefaultDeltasPerStep);
}

} // namespace rankdeck
