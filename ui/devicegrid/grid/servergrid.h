#pragma once

#include "devicegrid/cells/gridpainter.h"
#include "devicegrid/grid/gridarrangement.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// The devices of a run, a cell each, below a heading per server with the state of its ranks. Of several
/// servers the worst comes first, and each can be folded into its heading. Draws only what changed.
class ServerGrid : public ScrolledGrid
{
    Q_OBJECT

public:
    explicit ServerGrid(QWidget *parent = nullptr);

    /// Shows the current state of a run. Another run starts with nothing chosen.
    void setState(const RunState &state);
    /// Cells are numbered through all servers as in the rank table, wherever they are shown.
    int cellCount() const { return m_contents.cellCount(); }
    DeviceCell cell(int index) const { return m_contents.cell(m_contents.itemOfCell(index)); }
    /// Returns the place of a cell in the widget at the current scroll position; empty if folded away.
    QRect cellRect(int index) const { return placeOf(m_contents.itemOfCell(index)); }
    int currentCell() const { return m_contents.indexOfCell(current()); }
    /// Returns the cursor's cell or heading in words.
    QString describedCurrent() const override;
    // Headings and ranks that are not folded away, numbered from top to bottom, for screen readers:
    int itemCount() const { return geometry().itemCount(); }
    int currentItem() const { return geometry().indexOf(current()); }
    int itemIndexAt(const QPoint &place) const { return geometry().indexOf(itemAt(place)); }
    QRect itemRect(int index) const { return seenPlace(index); }
    bool isHeadingItem(int index) const { return geometry().item(index).isHeading(); }
    bool isItemChosen(int index) const;
    QString spokenItem(int index) const { return spoken(geometry().item(index)); }

    /// Returns the process on the cursor's device; -1 if none, and on a heading.
    int currentProcess() const
    {
        return current().isValid() && !current().isHeading() ? m_contents.processOf(current()) : -1;
    }

    /// Returns the content of a server's heading.
    const ServerSummary &summary(int server) const { return m_contents.summary(server); }
    QRect headingRect(int server) const { return placeOf({server, -1}); }
    /// Returns the full text of a cell's note, or of a server's problem; empty if there is none.
    QString noteOf(const GridItem &item) const override;
    // See GridArrangement.
    const ServerGroups &groups() const { return m_arrangement.groups(); }
    void setOrder(ServerGroups::Order order) { m_arrangement.setOrder(order); }
    void setAllFolded(bool folded) { m_arrangement.setAllFolded(folded); }
    void setCellOrder(const RankOrder &order) { m_arrangement.setCellOrder(order); }
    void setFilter(const SampleFilter &filter) { m_arrangement.setFilter(filter); }
    bool isFiltered() const { return m_arrangement.selection().hasFilter(); }
    /// Number of cells that the filter includes.
    int shownCount() const { return m_arrangement.selection().count(); }
    ShownSamples shownSamples() const { return m_contents.shownSamples(); }
    void setShownSamples(ShownSamples shown);
    /// The density at the moment: the largest one of the range at which all ranks fit into the room.
    GridDensity density() const { return m_density; }
    const DensityRange &densities() const { return m_densities; }
    void setDensities(const DensityRange &densities);
    /// Sets the height available to the grid, pixels; 0: its present height.
    void setRoom(int height)
    {
        if (std::exchange(m_room, height) != height && m_densities.least != m_densities.most)
            layOut();
    }
    /// Chooses what colours the tiles.
    void setTileColor(TileColor color);
    TileColor tileColor() const { return m_tileColor; }
    /// Returns the kinds of tiles that occur.
    TileKinds tileKinds() const { return m_contents.tileKinds(); }
    /// Returns the scale of the tiles' colours; without a name it is the state.
    TileScale tileScale() const { return m_contents.tileScale(m_tileColor); }

    /// Sets the chosen processes.
    void setChosen(const QList<int> &processes);
    QList<int> chosen() const { return m_contents.chosen().list(); }
    /// Returns the process of a rank; -1 if the run has none.
    int processOfRank(int rank) const
    {
        return m_contents.state().plan ? m_contents.state().plan->processOfRank(rank) : -1;
    }
    /// Moves the cursor to the cell of `process`, or to its folded heading, and scrolls there.
    void reveal(int process);

public Q_SLOTS:
    /// Sets the last line of a process's log.
    void setLastLine(int process, const QString &line);
    /// Sets a process's training progress and time per step, in words.
    void setProgress(int process, const rankdeck::DeviceCell::Line &progress);
    /// Sets how many steps a process has done.
    void setStep(int process, qint64 step);
    /// Sets the verdict's texts on single processes: see rankFindings().
    void setFindings(const QHash<int, QString> &findings);
    /// Sets the current samples of NPUs and process trees; only changed cells are drawn.
    void setSamples(const rankdeck::RunSamples &samples);

Q_SIGNALS:
    /// The cells of exactly these processes are visible now.
    void processesSeen(const QList<int> &processes);
    /// The cursor moved; see currentProcess().
    void currentChanged(int process);
    /// Cells came, went, moved or changed their height.
    void laidOut();
    /// Density, or what tiles show, is another one: density(), densities(), tileScale(), tileKinds().
    void looksChanged();
    /// The run has other servers than before.
    void serversReplaced();

protected:
    void hold() { m_arrangement.hold(); }
    void toggleChosen(const QList<int> &processes) { m_contents.chosen().toggle(processes); }
    bool areChosen(const QList<int> &processes) const { return m_contents.chosen().containsAll(processes); }
    bool isFolded(int server) const { return m_arrangement.isFolded(server); }
    void setFolded(const GridItem &item, bool folded);
    /// Whether the cursor is on the folded server of a process.
    bool currentHolds(int process) const
    {
        return current().isHeading() && processesOf(current()).contains(process);
    }
    QList<int> processesOf(const GridItem &item) const { return m_arrangement.processesOf(item); }

    DeviceGridGeometry::Metrics metrics() const override { return metrics(m_density); }
    void prepare(const QList<DeviceGridGeometry::Block> &blocks) override;
    void drawCanvas(Canvas &canvas, bool everything) override;
    void showEvent(QShowEvent *event) override
    {
        ScrolledGrid::showEvent(event);
        updateClock();
    }
    void hideEvent(QHideEvent *event) override;

private:
    void layOut();
    DeviceGridGeometry::Metrics metrics(GridDensity density) const
    {
        return gridMetrics(density, canvas().cellSize(), m_contents.sampleRows());
    }
    static QString nothingWanted()
    {
        return tr("No ranks match the filter. Press Esc in its field to clear it.");
    }

    void updateClock();
    void takeKinds();

    ServerHeading heading(int server) const;
    QString spoken(const GridItem &item) const;
    /// @param scale tileScale().
    ShownItem shown(const GridItem &item, const TileScale &scale) const;

    GridContents m_contents;
    GridArrangement m_arrangement;
    QTimer m_clock; ///< Runs only while a rank runs and the grid is visible.
    DensityRange m_densities;
    GridDensity m_density = GridDensity::Cells;
    bool m_areInvented = false; ///< A demo's NPUs.
    TileKinds m_kinds;          ///< At the last looksChanged() for them.
    TileColor m_tileColor = TileColor::State;
    int m_room = 0;

    QHash<int, ShownItem> m_drawn; ///< Items on the screen, by index.
    QList<int> m_seen;             ///< Last value of processesSeen().
};

} // namespace rankdeck
