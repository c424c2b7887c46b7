#include "devicegrid/grid/devicegrid.h"

#include "canvas/cells/canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

/// Long enough to find and click an item.
constexpr int holdMs = 2000;
/// The eye cannot follow cells that move more often.
constexpr int reorderMs = 3000;

class AccessibleGrid : public QAccessibleWidget
{
public:
    explicit AccessibleGrid(DeviceGrid *grid)
        : QAccessibleWidget(grid, QAccessible::Client)
        , m_grid(grid)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Description ? m_grid->describedCurrent() : QAccessibleWidget::text(kind);
    }

private:
    DeviceGrid *m_grid;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *const grid = qobject_cast<DeviceGrid *>(object);
    return grid ? new AccessibleGrid(grid) : nullptr;
}

/// Lets screen readers read the cell or heading at the cursor as it is when they ask, not when the cursor
/// came.
void installAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

} // namespace

DeviceGrid::DeviceGrid(QWidget *parent)
    : ScrolledGrid(parent)
{
    installAccessibility();
    setObjectName(QStringLiteral("deviceGrid"));
    setAccessibleName(tr("Devices"));
    setFocusPolicy(Qt::StrongFocus);
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, [this] { schedule(); });
    m_hold.setSingleShot(true);
    m_hold.setInterval(holdMs);
    connect(&m_hold, &QTimer::timeout, this, &DeviceGrid::settleAll);
    m_reorder.setSingleShot(true);
    m_reorder.setInterval(reorderMs);
    connect(&m_reorder, &QTimer::timeout, this, [this] {
        if (!m_hold.isActive())
            settleAll();
    });
}

DeviceGridGeometry::Metrics DeviceGrid::metrics() const
{
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = DeviceCellPainter::minimumSize(canvas().cellSize(), m_contents.sampleRows());
    metrics.maximumCellWidth = metrics.minimumCell.width() * 2;
    metrics.minimumHeading = minimumHeadingSize(canvas().cellSize());
    metrics.gap = 6;
    metrics.margin = 8;
    return metrics;
}

void DeviceGrid::setState(const RunState &state)
{
    const bool isOtherRun = state.directory != m_contents.state().directory;
    const int cellsBefore = cellCount();
    const bool isOther = m_contents.setState(state);
    if (isOtherRun) {
        m_chosen.clear();
        m_seen = {};
    }
    if (isOther) {
        m_current = {};
        m_anchor = {};
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
    if (!m_current.isValid())
        m_current = geometry().item(geometry().neighbour(-1, Qt::Key_Home));
    if (hasFocus() && m_current.isHeading())
        describeCurrent();
    settleCellsSoon();
    updateClock();
    schedule();
}

void DeviceGrid::settle()
{
    const bool hasOtherRows = m_contents.settleRows();
    if (m_groups.settle() || hasOtherRows)
        layOut();
    if (hasOtherRows)
        updateClock();
}

void DeviceGrid::settleAll()
{
    if (m_selection.settle(m_contents))
        layOut();
    settle();
}

void DeviceGrid::settleCellsSoon()
{
    if (!m_selection.isPlain() && !m_reorder.isActive())
        m_reorder.start();
}

void DeviceGrid::setCellOrder(const RankOrder &order)
{
    m_selection.setOrder(order);
    settleAll();
    layOut(); // The order of servers may change though that of cells does not.
}

void DeviceGrid::setFilter(const SampleFilter &filter)
{
    m_selection.setFilter(filter);
    settleAll();
    layOut(); // Servers may be open now.
}

void DeviceGrid::setOrder(ServerGroups::Order order)
{
    m_groups.setOrder(order);
    settle();
}

void DeviceGrid::setAllFolded(bool folded)
{
    m_groups.setAllFolded(folded);
    layOut();
}

void DeviceGrid::setFolded(const GridItem &item, bool folded)
{
    if (!item.isValid() || !m_groups.canFold() || m_selection.hasFilter() || isFolded(item.server) == folded)
        return;
    m_groups.setFolded(item.server, folded);
    layOut();
    setCurrent({item.server, -1});
}

void DeviceGrid::setLastLine(int process, const QString &line)
{
    if (m_contents.lastLine(process) == line)
        return;
    m_contents.setLastLine(process, line);
    settleCellsSoon();
    if (placeOf(m_contents.itemOfProcess(process)).intersects(rect()))
        schedule();
}

void DeviceGrid::setSamples(const RunSamples &samples)
{
    m_contents.setSamples(samples);
    if (!m_hold.isActive())
        settle();
    settleCellsSoon();
    updateClock();
    schedule();
}

void DeviceGrid::setShownSamples(ShownSamples shown)
{
    m_contents.setShownSamples(shown);
    settle();
}

void DeviceGrid::setProgress(int process, const DeviceCell::Line &progress)
{
    if (m_contents.progress(process) == progress)
        return;
    m_contents.setProgress(process, progress);
    if (placeOf(m_contents.itemOfProcess(process)).intersects(rect()))
        schedule();
}

void DeviceGrid::setFindings(const QHash<int, QString> &findings)
{
    if (m_contents.findings() == findings)
        return;
    m_contents.setFindings(findings);
    schedule();
}

void DeviceGrid::layOut()
{
    QList<DeviceGridGeometry::Block> blocks;
    for (const int server : m_selection.sorted(m_groups.shown()))
        blocks.append({server, m_selection.cells(server), isFolded(server)});
    setBlocks(blocks);
    if (geometry().indexOf(m_current) < 0)
        m_current.cell = -1;
    // The cursor's item was filtered out.
    if (geometry().indexOf(m_current) < 0 || (m_current.isHeading() && !m_groups.canFold()))
        m_current = geometry().item(geometry().neighbour(-1, Qt::Key_Home));
    if (hasFocus())
        describeCurrent();
    Q_EMIT laidOut();
}

QList<int> DeviceGrid::processesOf(const GridItem &item) const
{
    if (!item.isHeading() || !m_selection.hasFilter())
        return m_contents.processesOf(item);
    QList<int> processes;
    for (const int cell : m_selection.cells(item.server))
        processes += m_contents.processesOf({item.server, cell});
    return processes;
}

ServerHeading DeviceGrid::heading(int server) const
{
    ServerHeading heading{m_contents.summary(server), ServerHeading::Fold::Never, {}};
    if (!m_groups.canFold())
        return heading;
    const GridItem item{server, -1};
    const bool isFolded = this->isFolded(server);
    heading.fold = isFolded ? ServerHeading::Fold::Folded : ServerHeading::Fold::Open;
    heading.marks = {isFolded && m_chosen.containsAny(processesOf(item)), hasFocus() && item == m_current};
    return heading;
}

ShownDeviceCell DeviceGrid::shownCell(const GridItem &item) const
{
    const DeviceCell cell = m_contents.cell(item);
    return {cell, {cell.process >= 0 && m_chosen.contains(cell.process), hasFocus() && item == m_current}};
}

void DeviceGrid::drawCanvas(Canvas &canvas, bool everything)
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

QString DeviceGrid::nothingWanted()
{
    return tr("The filter wants none of these ranks. Esc in its field clears it.");
}

void DeviceGrid::setCurrent(const GridItem &item)
{
    if (geometry().indexOf(item) < 0)
        return;
    m_current = item;
    scrollTo(item);
    describeCurrent();
    schedule();
    Q_EMIT currentChanged(currentProcess());
}

QString DeviceGrid::describedCurrent() const
{
    if (!m_current.isValid())
        return cellCount() > 0 ? nothingWanted() : QString();
    return m_current.isHeading() ? heading(m_current.server).spoken() : m_contents.cell(m_current).spoken();
}

void DeviceGrid::describeCurrent()
{
    const QString words = describedCurrent();
    if (words != accessibleDescription())
        setAccessibleDescription(words);
}

int DeviceGrid::currentProcess() const
{
    return m_current.isValid() && !m_current.isHeading() ? m_contents.processesOf(m_current).value(0, -1)
                                                         : -1;
}

void DeviceGrid::reveal(int process)
{
    GridItem item = m_contents.itemOfProcess(process);
    if (geometry().indexOf(item) < 0)
        item.cell = -1;
    setCurrent(item);
}

void DeviceGrid::setChosen(const QList<int> &processes)
{
    m_chosen.set(processes);
    schedule();
}

void DeviceGrid::updateClock()
{
    // Samples grow old.
    const bool ticks =
        m_contents.state().count(RankPhase::Running) > 0 || m_contents.sampleRows().count() > 0;
    if (!ticks || !isVisible())
        m_clock.stop();
    else if (!m_clock.isActive())
        m_clock.start();
}

void DeviceGrid::showEvent(QShowEvent *event)
{
    ScrolledGrid::showEvent(event);
    updateClock();
}

void DeviceGrid::hideEvent(QHideEvent *event)
{
    ScrolledGrid::hideEvent(event);
    m_clock.stop();
}

} // namespace rankdeck
