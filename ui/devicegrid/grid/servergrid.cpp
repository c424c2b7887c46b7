#include "devicegrid/grid/servergrid.h"

#include "devicegrid/grid/accessiblegrid.h"

namespace rankdeck
{

/// Long enough to find and click an item.
constexpr int holdMs = 2000;
/// The eye cannot follow cells that move more often.
constexpr int reorderMs = 3000;

ServerGrid::ServerGrid(QWidget *parent)
    : ScrolledGrid(parent)
{
    AccessibleGrid::install();
    setObjectName(QStringLiteral("deviceGrid"));
    setAccessibleName(tr("Devices"));
    connect(this, &ScrolledGrid::currentMoved, this, [this] {
        Q_EMIT currentChanged(currentProcess());
        if (QAccessible::isActive() && hasFocus()) {
            QAccessibleEvent event(this, QAccessible::Focus);
            event.setChild(currentItem());
            QAccessible::updateAccessibility(&event);
        }
    });
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

DeviceGridGeometry::Metrics ServerGrid::metrics(GridDensity density) const
{
    DeviceGridGeometry::Metrics metrics;
    if (const int size = tileSize(density); size > 0) {
        metrics.minimumCell = {size, size};
        metrics.minimumHeading = metrics.minimumCell;
        metrics.margin = 8;
        metrics.isFlat = true;
        return metrics;
    }
    if (density == GridDensity::Lines) {
        metrics.minimumCell = DeviceCellPainter::lineSize(canvas().cellSize());
        metrics.maximumCellWidth = metrics.minimumCell.width() * 3;
        metrics.minimumHeading = minimumHeadingSize(canvas().cellSize());
        metrics.gap = 2;
        metrics.margin = 8;
        return metrics;
    }
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
        m_selection.settle(m_contents, m_contents.state().timeSeen(), m_chosen);
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
    takeKinds();
    schedule();
}

void ServerGrid::takeKinds()
{
    if (tileSize(m_density) == 0)
        return;
    const TileKinds kinds = tileKinds();
    if (std::exchange(m_kinds, kinds) != kinds)
        Q_EMIT looksChanged();
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
    if (m_selection.settle(m_contents, m_contents.state().timeSeen(), m_chosen))
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
    const TileScale scale = tileScale();
    m_contents.setSamples(samples, m_contents.state().timeSeen());
    m_areInvented = samples.hasInventedDevices();
    if (scale != tileScale())
        Q_EMIT looksChanged();
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

int ServerGrid::heightAt(GridDensity density, QList<DeviceGridGeometry::Block> blocks) const
{
    for (DeviceGridGeometry::Block &block : blocks)
        block.folded = false;
    return DeviceGridGeometry(blocks, metrics(density), width()).height();
}

void ServerGrid::prepare(const QList<DeviceGridGeometry::Block> &blocks)
{
    const int room = m_room > 0 ? m_room : height();
    int fitting = int(m_densities.most);
    while (fitting > int(m_densities.least) && heightAt(GridDensity(fitting), blocks) > room)
        --fitting;
    if (std::exchange(m_density, GridDensity(fitting)) == GridDensity(fitting))
        return;
    m_painter.clear();
    m_seen = {};
    Q_EMIT looksChanged();
}

void ServerGrid::setDensities(const DensityRange &densities)
{
    if (std::exchange(m_densities, densities) == densities)
        return;
    layOut();
    scrollTo(current());
    Q_EMIT looksChanged();
}

void ServerGrid::setRoom(int height)
{
    if (std::exchange(m_room, height) != height && m_densities.least != m_densities.most)
        layOut();
}

void ServerGrid::setTileColor(TileColor color)
{
    m_tileColor = color;
    schedule();
    Q_EMIT looksChanged();
}

void ServerGrid::setStep(int process, qint64 step)
{
    m_contents.setStep(process, step);
    if (m_tileColor == TileColor::StepLag && tileSize(m_density) > 0)
        schedule();
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
        putCurrent({current().server,
                    tileSize(m_density) > 0 ? m_selection.cells(current().server).value(0, -1) : -1});
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
    if (m_areInvented)
        heading.summary.counts += QStringLiteral(" · ") + tr("NPUs invented"); // Small cells have no room.
    if (!m_groups.canFold())
        return heading;
    const GridItem item{server, -1};
    const bool isFolded = this->isFolded(server);
    heading.fold = isFolded ? ServerHeading::Fold::Folded : ServerHeading::Fold::Open;
    heading.marks = {isFolded && m_chosen.containsAny(processesOf(item)), hasFocus() && item == current()};
    return heading;
}

DeviceCellMarks ServerGrid::marksOf(const GridItem &item) const
{
    const int process = m_contents.processOf(item);
    return {process >= 0 && m_chosen.contains(process), hasFocus() && item == current()};
}

void ServerGrid::drawCanvas(Canvas &canvas, bool everything)
{
    if (everything) {
        m_painter.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
        if (geometry().itemCount() == 0 && cellCount() > 0)
            GridPainter::drawSentence(canvas, palette(), metrics().margin, nothingWanted());
    }
    DeviceCellPainter painter(canvas, palette(), m_contents.sampleRows(), m_density);
    const bool areTiles = tileSize(m_density) > 0;
    // Thousands of frames would hide what differs.
    const bool areAllChosen = m_chosen.size() == qsizetype(m_contents.state().ranks.size());
    const TileScale scale = tileScale();
    const QDateTime now = m_contents.state().timeSeen();
    QList<int> seen;
    const auto [first, end] = seenItems();
    for (int index = first; index < end; ++index) {
        const GridItem item = geometry().item(index);
        const QRect place = seenPlace(index);
        if (!place.intersects(rect()))
            continue;
        if (areTiles) {
            RankTile tile = m_contents.tile(item, m_tileColor, scale, now);
            tile.marks = marksOf(item);
            tile.marks.selected = tile.marks.selected && !areAllChosen;
            m_painter.drawTile(canvas, palette(), index, place, tile);
        } else if (item.isHeading()) {
            m_painter.drawHeading(canvas, palette(), index, place, heading(item.server));
        } else {
            const ShownDeviceCell shown{m_contents.cell(item, now), marksOf(item)};
            // A line shows no last line of the log.
            if (shown.cell.process >= 0 && m_density == GridDensity::Cells)
                seen.append(shown.cell.process);
            m_painter.drawCell(painter, index, place, shown);
        }
    }
    if (std::exchange(m_seen, seen) != seen)
        Q_EMIT processesSeen(seen);
}

QString ServerGrid::describedCurrent() const
{
    if (!current().isValid())
        return cellCount() > 0 ? nothingWanted() : QString();
    return spoken(current());
}

QString ServerGrid::spoken(const GridItem &item) const
{
    return item.isHeading() ? heading(item.server).spoken()
                            : m_contents.cell(item, m_contents.state().timeSeen()).spoken();
}

bool ServerGrid::isItemChosen(int index) const
{
    const QList<int> processes = processesOf(geometry().item(index));
    return !processes.isEmpty() && m_chosen.containsAll(processes);
}

int ServerGrid::currentProcess() const
{
    return current().isValid() && !current().isHeading() ? m_contents.processOf(current()) : -1;
}

int ServerGrid::processOfRank(int rank) const
{
    const RunState &state = m_contents.state();
    if (!state.plan)
        return -1;
    const auto found = std::ranges::find_if(state.plan->processes, [rank](const ProcessPlan &process) {
        return process.role == Role::Worker && process.rank.value == rank;
    });
    return found == state.plan->processes.end() ? -1 : int(found - state.plan->processes.begin());
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
    if (item.isHeading())
        return summary(item.server).problem;
    const DeviceCell cell = m_contents.cell(item, m_contents.state().timeSeen());
    if (m_density == GridDensity::Cells)
        return cell.note.spoken;
    return tr("%1: %2", "server: cell").arg(summary(item.server).name, cell.spoken());
}

} // namespace rankdeck
