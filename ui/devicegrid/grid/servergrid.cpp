#include "devicegrid/grid/servergrid.h"

#include "devicegrid/grid/accessiblegrid.h"

#include <QAccessible>

namespace rankdeck
{

ServerGrid::ServerGrid(QWidget *parent)
    : ScrolledGrid(parent)
    , m_arrangement(m_contents)
{
    installAccessibleGrid();
    setObjectName(u"deviceGrid"_s);
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
    connect(&m_arrangement, &GridArrangement::changed, this, &ServerGrid::layOut);
}

void ServerGrid::setState(const RunState &state)
{
    const bool areOtherServers = m_contents.setState(state);
    if (areOtherServers) {
        m_seen = {};
        putCurrent({});
        Q_EMIT serversReplaced();
        scrollToTop();
    }
    m_arrangement.takeState(areOtherServers);
    if (!current().isValid())
        putCurrent(geometry().item(geometry().neighbour(-1, Qt::Key_Home)));
    if (hasFocus() && current().isHeading())
        describeCurrent();
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

void ServerGrid::setFolded(const GridItem &item, bool folded)
{
    if (item.isValid() && m_arrangement.setFolded(item.server, folded))
        setCurrent({item.server, -1});
}

void ServerGrid::setLastLine(int process, const QString &line)
{
    if (m_contents.lastLine(process) == line)
        return;
    m_contents.setLastLine(process, line);
    m_arrangement.settleCellsSoon();
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
    m_arrangement.update();
    updateClock();
    schedule();
}

void ServerGrid::setShownSamples(ShownSamples shown)
{
    m_contents.setShownSamples(shown);
    m_arrangement.settle();
}

void ServerGrid::prepare(const QList<DeviceGridGeometry::Block> &blocks)
{
    // Folded servers must have room when they are opened.
    QList<DeviceGridGeometry::Block> open = blocks;
    for (DeviceGridGeometry::Block &block : open)
        block.folded = false;
    const int room = m_room > 0 ? m_room : height();
    int fitting = int(m_densities.most);
    while (fitting > int(m_densities.least) &&
           DeviceGridGeometry(open, metrics(GridDensity(fitting)), width()).height() > room)
        --fitting;
    if (std::exchange(m_density, GridDensity(fitting)) == GridDensity(fitting))
        return;
    m_drawn.clear();
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
    setBlocks(m_arrangement.blocks());
    const GridSelection &selection = m_arrangement.selection();
    if (geometry().indexOf(current()) < 0)
        putCurrent({current().server,
                    tileSize(m_density) > 0 ? selection.cells(current().server).value(0, -1) : -1});
    // The cursor's item was filtered out.
    if (geometry().indexOf(current()) < 0 || (current().isHeading() && !groups().canFold()))
        putCurrent(geometry().item(geometry().neighbour(-1, Qt::Key_Home)));
    if (hasFocus())
        describeCurrent();
    updateClock();
    Q_EMIT laidOut();
}

ServerHeading ServerGrid::heading(int server) const
{
    ServerHeading heading{m_contents.summary(server), ServerHeading::Fold::Never, {}};
    if (m_areInvented)
        heading.summary.counts += u" · "_s + tr("NPUs invented"); // Small cells have no room.
    if (!groups().canFold())
        return heading;
    const GridItem item{server, -1};
    const bool isFolded = this->isFolded(server);
    heading.fold = isFolded ? ServerHeading::Fold::Folded : ServerHeading::Fold::Open;
    heading.marks = {isFolded && m_contents.chosen().containsAny(processesOf(item)),
                     hasFocus() && item == current()};
    return heading;
}

ShownItem ServerGrid::shown(const GridItem &item, const TileScale &scale) const
{
    if (item.isHeading())
        return heading(item.server);
    const QDateTime now = m_contents.state().timeSeen();
    DeviceCellMarks marks{m_contents.chosen().contains(m_contents.processOf(item)),
                          hasFocus() && item == current()};
    if (tileSize(m_density) == 0)
        return ShownDeviceCell{m_contents.cell(item, now), marks};
    RankTile tile = m_contents.tile(item, m_tileColor, scale, now);
    // Thousands of frames would hide what differs.
    marks.selected =
        marks.selected && m_contents.chosen().size() != qsizetype(m_contents.state().ranks.size());
    tile.marks = marks;
    return tile;
}

void ServerGrid::drawCanvas(Canvas &canvas, bool everything)
{
    if (everything)
        m_drawn.clear();
    GridPainter painter(canvas, palette(), m_drawn, m_contents.sampleRows(), m_density);
    if (everything) {
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
        const QSize character = canvas.cellSize();
        if (geometry().itemCount() == 0 && cellCount() > 0)
            drawBroken(canvas, {character.width(), metrics().margin}, nothingWanted(),
                       canvas.size().width() / character.width() - 2,
                       {palette().color(QPalette::Text), palette().color(QPalette::Base)});
    }
    const TileScale scale = tileScale();
    QList<int> seen;
    const auto [first, end] = seenItems();
    for (int index = first; index < end; ++index) {
        const QRect place = seenPlace(index);
        if (!place.intersects(rect()))
            continue;
        const ShownItem item = shown(geometry().item(index), scale);
        painter.draw(index, place, item);
        // A line shows no last line of the log.
        const auto *const cell = std::get_if<ShownDeviceCell>(&item);
        if (cell && cell->cell.process >= 0 && m_density == GridDensity::Cells)
            seen.append(cell->cell.process);
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
    return !processes.isEmpty() && m_contents.chosen().containsAll(processes);
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
    m_contents.chosen().set(processes);
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
