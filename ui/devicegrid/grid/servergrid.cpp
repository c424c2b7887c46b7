#include "devicegrid/grid/servergrid.h"

#include "canvas/widget/accessiblecanvas.h"

namespace rankdeck
{

/// Long enough to find and click an item.
constexpr int holdMs = 2000;
/// The eye cannot follow cells that move more often.
constexpr int reorderMs = 3000;

ServerGrid::ServerGrid(QWidget *parent)
    : ScrolledGrid(parent)
{
    AccessibleCanvas<ServerGrid, QAccessible::Client, &ServerGrid::describedCurrent>::install();
    setObjectName(QStringLiteral("deviceGrid"));
    setAccessibleName(tr("Devices"));
    connect(this, &ScrolledGrid::currentMoved, this, [this] { Q_EMIT currentChanged(currentProcess()); });
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, [this] { schedule(); });
    m_hold.setSingleShot(true);
    m_hold.setInterval(holdMs);
    connect(&m_hold, &QTimer::timeout, this, &ServerGrid::settleAll);
    m_reorder.setSingleShot(true);
    m_reorder.setInterval(reorderMs);
    connect(&m_reorder, &QTimer::timeout, this, [this] {
        if (!m_hold.isActive())
            settleAll();
    });
}

DeviceGridGeometry::Metrics ServerGrid::metrics() const
{
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = DeviceCellPainter::minimumSize(canvas().cellSize(), m_contents.sampleRows());
    metrics.maximumCellWidth = metrics.minimumCell.width() * 2;
    metrics.minimumHeading = minimumHeadingSize(canvas().cellSize());
    metrics.gap = 6;
    metrics.margin = 8;
    return metrics;
}

void ServerGrid::setState(const RunState &state)
{
    const bool isOtherRun = state.directory != m_contents.state().directory;
    const int cellsBefore = cellCount();
    const bool isOther = m_contents.setState(state);
    if (isOtherRun) {
        m_chosen.clear();
        m_seen = {};
    }
    if (isOther) {
        putCurrent({});
        Q_EMIT serversReplaced();
        scrollToTop();
        m_groups.reset(m_contents.serverStates());
    } else {
        m_groups.setStates(m_contents.serverStates());
    }
    if (isOther || cellCount() != cellsBefore) {
        m_contents.settleRows();
        m_selection.settle(m_contents);
        layOut();
    } else if (!m_hold.isActive()) {
        settle();
    }
    if (!current().isValid())
        putCurrent(geometry().item(geometry().neighbour(-1, Qt::Key_Home)));
    if (hasFocus() && current().isHeading())
        describeCurrent();
    settleCellsSoon();
    updateClock();
    schedule();
}

void ServerGrid::settle()
{
    const bool hasOtherRows = m_contents.settleRows();
    if (m_groups.settle() || hasOtherRows)
        layOut();
    if (hasOtherRows)
        updateClock();
}

void ServerGrid::settleAll()
{
    if (m_selection.settle(m_contents))
        layOut();
    settle();
}

void ServerGrid::settleCellsSoon()
{
    if (!m_selection.isPlain() && !m_reorder.isActive())
        m_reorder.start();
}

void ServerGrid::setCellOrder(const RankOrder &order)
{
    m_selection.setOrder(order);
    settleAll();
    layOut(); // The order of servers may change though that of cells does not.
}

void ServerGrid::setFilter(const SampleFilter &filter)
{
    m_selection.setFilter(filter);
    settleAll();
    layOut(); // Servers may be open now.
}

void ServerGrid::setOrder(ServerGroups::Order order)
{
    m_groups.setOrder(order);
    settle();
}

void ServerGrid::setAllFolded(bool folded)
{
    m_groups.setAllFolded(folded);
    layOut();
}

void ServerGrid::setFolded(const GridItem &item, bool folded)
{
    if (!item.isValid() || !m_groups.canFold() || m_selection.hasFilter() || isFolded(item.server) == folded)
        return;
    m_groups.setFolded(item.server, folded);
    layOut();
    setCurrent({item.server, -1});
}

void ServerGrid::setLastLine(int process, const QString &line)
{
    if (m_contents.lastLine(process) == line)
        return;
    m_contents.setLastLine(process, line);
    settleCellsSoon();
    if (placeOf(m_contents.itemOfProcess(process)).intersects(rect()))
        schedule();
}

void ServerGrid::setSamples(const RunSamples &samples)
{
    m_contents.setSamples(samples);
    if (!m_hold.isActive())
        settle();
    settleCellsSoon();
    updateClock();
    schedule();
}

void ServerGrid::setShownSamples(ShownSamples shown)
{
    m_contents.setShownSamples(shown);
    settle();
}

void ServerGrid::setProgress(int process, const DeviceCell::Line &progress)
{
    if (m_contents.progress(process) == progress)
        return;
    m_contents.setProgress(process, progress);
    if (placeOf(m_contents.itemOfProcess(process)).intersects(rect()))
        schedule();
}

void ServerGrid::setFindings(const QHash<int, QString> &findings)
{
    if (m_contents.findings() == findings)
        return;
    m_contents.setFindings(findings);
    schedule();
}

void ServerGrid::layOut()
{
    QList<DeviceGridGeometry::Block> blocks;
    for (const int server : m_selection.sorted(m_groups.shown()))
        blocks.append({server, m_selection.cells(server), isFolded(server)});
    setBlocks(blocks);
    if (geometry().indexOf(current()) < 0)
        putCurrent({current().server, -1});
    // The cursor's item was filtered out.
    if (geometry().indexOf(current()) < 0 || (current().isHeading() && !m_groups.canFold()))
        putCurrent(geometry().item(geometry().neighbour(-1, Qt::Key_Home)));
    if (hasFocus())
        describeCurrent();
    Q_EMIT laidOut();
}

QList<int> ServerGrid::processesOf(const GridItem &item) const
{
    if (!item.isHeading() || !m_selection.hasFilter())
        return m_contents.processesOf(item);
    QList<int> processes;
    for (const int cell : m_selection.cells(item.server))
        processes += m_contents.processesOf({item.server, cell});
    return processes;
}

ServerHeading ServerGrid::heading(int server) const
{
    ServerHeading heading{m_contents.summary(server), ServerHeading::Fold::Never, {}};
    if (!m_groups.canFold())
        return heading;
    const GridItem item{server, -1};
    const bool isFolded = this->isFolded(server);
    heading.fold = isFolded ? ServerHeading::Fold::Folded : ServerHeading::Fold::Open;
    heading.marks = {isFolded && m_chosen.containsAny(processesOf(item)), hasFocus() && item == current()};
    return heading;
}

ShownDeviceCell ServerGrid::shownCell(const GridItem &item) const
{
    const DeviceCell cell = m_contents.cell(item);
    return {cell, {cell.process >= 0 && m_chosen.contains(cell.process), hasFocus() && item == current()}};
}

void ServerGrid::drawCanvas(Canvas &canvas, bool everything)
{
    if (everything) {
        m_painter.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
        if (geometry().itemCount() == 0 && cellCount() > 0)
            GridPainter::drawSentence(canvas, palette(), metrics().margin, nothingWanted());
    }
    DeviceCellPainter painter(canvas, palette(), m_contents.sampleRows());
    QList<int> seen;
    for (int index = 0; index < geometry().itemCount(); ++index) {
        const GridItem item = geometry().item(index);
        const QRect place = placeOf(item);
        if (!place.intersects(rect()))
            continue;
        if (item.isHeading()) {
            m_painter.drawHeading(canvas, palette(), index, place, heading(item.server));
            continue;
        }
        const ShownDeviceCell shown = shownCell(item);
        if (shown.cell.process >= 0)
            seen.append(shown.cell.process);
        m_painter.drawCell(painter, index, place, shown);
    }
    if (std::exchange(m_seen, seen) != seen)
        Q_EMIT processesSeen(seen);
}

QString ServerGrid::describedCurrent() const
{
    if (!current().isValid())
        return cellCount() > 0 ? nothingWanted() : QString();
    return current().isHeading() ? heading(current().server).spoken() : m_contents.cell(current()).spoken();
}

int ServerGrid::currentProcess() const
{
    return current().isValid() && !current().isHeading() ? m_contents.processesOf(current()).value(0, -1)
                                                         : -1;
}

void ServerGrid::reveal(int process)
{
    GridItem item = m_contents.itemOfProcess(process);
    if (geometry().indexOf(item) < 0)
        item.cell = -1;
    setCurrent(item);
}

void ServerGrid::setChosen(const QList<int> &processes)
{
    m_chosen.set(processes);
    schedule();
}

void ServerGrid::updateClock()
{
    // Samples grow old.
    const bool ticks =
        m_contents.state().count(RankPhase::Running) > 0 || m_contents.sampleRows().count() > 0;
    if (!ticks || !isVisible())
        m_clock.stop();
    else if (!m_clock.isActive())
        m_clock.start();
}

void ServerGrid::showEvent(QShowEvent *event)
{
    ScrolledGrid::showEvent(event);
    updateClock();
}

void ServerGrid::hideEvent(QHideEvent *event)
{
    ScrolledGrid::hideEvent(event);
    m_clock.stop();
}

QString ServerGrid::noteOf(const GridItem &item) const
{
    if (!item.isValid())
        return {};
    return item.isHeading() ? summary(item.server).problem : m_contents.cell(item).note.spoken;
}

} // namespace rankdeck
