#pragma once

#include "devicegrid/chosenranks.h"
#include "devicegrid/devicecellpainter.h"
#include "devicegrid/gridcontents.h"
#include "devicegrid/gridselection.h"
#include "devicegrid/scrolledgrid.h"
#include "devicegrid/servergroups.h"
#include "devicegrid/serverheading.h"
#include "run/samples/runsamples.h"

#include <QHash>
#include <QTimer>

namespace rankdeck
{

/// The devices of a run, a cell each, below a heading per server that says how its ranks do. Of several
/// servers the worst stands first, and each can be folded into its heading. Draws only what changed.
///
/// Arrows move the cursor; Enter, Space or a click choose that rank, or all of a heading's; with Ctrl these
/// more or less; with Shift the stretch from the last one. Plus and minus, a double click or a click on its
/// triangle fold and open a server; so do Left and Right on a heading with nothing beside it. The menu key or
/// a right click ask for a menu.
class DeviceGrid : public ScrolledGrid
{
    Q_OBJECT

public:
    explicit DeviceGrid(QWidget *parent = nullptr);

    /// Show a run as it is now. Another run than the last one starts with nothing chosen.
    void setState(const RunState &state);
    /// Cells are numbered through all servers as in the rank table, wherever they are shown.
    int cellCount() const { return m_contents.cellCount(); }
    DeviceCell cell(int index) const { return m_contents.cell(m_contents.itemOfCell(index)); }
    /// Where a cell is within the widget, scrolled as it is; empty when it is folded away.
    QRect cellRect(int index) const { return placeOf(m_contents.itemOfCell(index)); }
    int currentCell() const { return m_contents.indexOfCell(m_current); }
    /// All that the cursor's cell or heading says now, in words.
    QString describedCurrent() const;
    /// What was started on the cursor's device; -1 for nothing, and on a heading.
    int currentProcess() const;

    /// As its heading says it.
    const ServerSummary &summary(int server) const { return m_contents.summary(server); }
    QRect headingRect(int server) const { return placeOf({server, -1}); }
    /// What is cut short in a cell's note, or in the heading of a server; empty: nothing.
    QString noteOf(const GridItem &item) const;
    const ServerGroups &groups() const { return m_groups; }
    void setOrder(ServerGroups::Order order);
    void setAllFolded(bool folded);
    ShownSamples shownSamples() const { return m_contents.shownSamples(); }
    void setShownSamples(ShownSamples shown);
    /// Of the cells within their servers, and of these by their first ones. What changes meanwhile moves
    /// cells every few seconds at most, and never while somebody is at the grid.
    void setCellOrder(const RankOrder &order);
    /// Cells that it does not want are not shown, nor servers without others; it opens folded ones.
    void setFilter(const SampleFilter &filter);
    bool isFiltered() const { return m_selection.hasFilter(); }
    /// How many cells the filter wants.
    int shownCount() const { return m_selection.count(); }

    /// Mark these as chosen, without ranksChosen().
    void setChosen(const QList<int> &processes);
    QList<int> chosen() const { return m_chosen.list(); }
    /// Move the cursor to the cell of `process`, or to the heading it is folded into, and scroll there.
    void reveal(int process);

public Q_SLOTS:
    /// The last line of a process's log.
    void setLastLine(int process, const QString &line);
    /// How far a process's training is, and how long a step takes, in words.
    void setProgress(int process, const rankdeck::DeviceCell::Line &progress);
    /// What NPUs and process trees look like now; cells whose values have not changed stay as they are.
    void setSamples(const rankdeck::RunSamples &samples);

Q_SIGNALS:
    /// The user chose these, by index in LaunchPlan::processes, in that order. Never empty.
    void ranksChosen(const QList<int> &processes);
    /// The cells of these, and no others, are on the screen now.
    void processesSeen(const QList<int> &processes);
    /// The cursor is on another device; its process, see currentProcess().
    void currentChanged(int process);
    /// Cells have come, gone or moved, or their height is another.
    void laidOut();
    /// A menu for the chosen ranks at this place of the screen.
    void menuWanted(const QPoint &place);

protected:
    GridItem cursor() const override { return m_current; }
    DeviceGridGeometry::Metrics metrics() const override;
    void drawCanvas(Canvas &canvas, bool everything) override;
    bool event(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    enum class Choice { Only, Toggle, Stretch };
    static Choice choiceFor(Qt::KeyboardModifiers modifiers);

    /// Rows, folding and the order of servers.
    void settle();
    /// These, and which cells are shown in which order.
    void settleAll();
    /// Soon, when what changes may move cells.
    void settleCellsSoon();
    void layOut();
    static QString nothingWanted();
    void drawNothingWanted(Canvas &canvas);
    void updateClock();

    void moveCursor(Qt::Key key, Choice choice);
    void setCurrent(const GridItem &item);
    void describeCurrent();
    void choose(const GridItem &item, Choice choice);
    QList<int> stretchTo(const GridItem &item) const;
    /// A filter opens all servers.
    bool isFolded(int server) const { return !m_selection.hasFilter() && m_groups.isFolded(server); }
    void setFolded(const GridItem &item, bool folded);
    /// What was started on a device, or on those of a server's that are shown.
    QList<int> processesOf(const GridItem &item) const;

    ServerHeading heading(int server) const;
    ShownDeviceCell shownCell(const GridItem &item) const;

    GridContents m_contents;
    ServerGroups m_groups;
    GridSelection m_selection;
    QTimer m_clock;   ///< Runs only while a rank does and the grid is visible.
    QTimer m_hold;    ///< While it runs, somebody is at the grid: nothing changes its place.
    QTimer m_reorder; ///< Until cells may move again.
    ChosenRanks m_chosen;
    GridItem m_current;
    GridItem m_anchor; ///< Where a stretch starts.

    // What is on the screen, by index in geometry().
    QHash<int, ShownDeviceCell> m_drawn;
    QHash<int, ServerHeading> m_drawnHeadings;
    QList<int> m_seen; ///< As processesSeen() last told.
};

} // namespace rankdeck
