#pragma once

#include "devicegrid/cells/devicecellpainter.h"
#include "devicegrid/cells/deviceserver.h"
#include "devicegrid/cells/gridpainter.h"
#include "devicegrid/grid/gridcontents.h"
#include "run/samples/runsamples.h"
#include "widgets/scrolledgrid.h"

#include <QTimer>

namespace rankdeck
{

/// The devices of a run, a cell each, below a heading per server with the state of its ranks. Of several
/// servers the worst comes first, and each can be folded into its heading. Draws only what changed.
///
/// Arrows move the cursor; Enter, Space or a click choose that rank, or all of a heading; Ctrl adds or
/// removes, Shift chooses the range from the last one. Plus and minus, a double click or a click on its
/// triangle fold and open a server; so do Left and Right on a heading with nothing beside it. The menu key or
/// a right click open a menu.
class DeviceGrid : public ScrolledGrid
{
    Q_OBJECT

public:
    explicit DeviceGrid(QWidget *parent = nullptr);

    /// Shows the current state of a run. Another run starts with nothing chosen.
    void setState(const RunState &state);
    /// Cells are numbered through all servers as in the rank table, wherever they are shown.
    int cellCount() const { return m_contents.cellCount(); }
    DeviceCell cell(int index) const { return m_contents.cell(m_contents.itemOfCell(index)); }
    /// Returns the place of a cell in the widget at the current scroll position; empty if folded away.
    QRect cellRect(int index) const { return placeOf(m_contents.itemOfCell(index)); }
    int currentCell() const { return m_contents.indexOfCell(m_current); }
    /// Returns the cursor's cell or heading in words.
    QString describedCurrent() const;
    /// Returns the process on the cursor's device; -1 if none, and on a heading.
    int currentProcess() const;

    /// Returns the content of a server's heading.
    const ServerSummary &summary(int server) const { return m_contents.summary(server); }
    QRect headingRect(int server) const { return placeOf({server, -1}); }
    /// Returns the full text of a cell's note, or of a server's problem; empty if there is none.
    QString noteOf(const GridItem &item) const;
    const ServerGroups &groups() const { return m_groups; }
    void setOrder(ServerGroups::Order order);
    void setAllFolded(bool folded);
    ShownSamples shownSamples() const { return m_contents.shownSamples(); }
    void setShownSamples(ShownSamples shown);
    /// Sorts the cells within their servers, and the servers by their first cells. Changes move cells at most
    /// every few seconds, and never while the user is busy in the grid.
    void setCellOrder(const RankOrder &order);
    /// Hides the cells that the filter excludes, and servers without cells; opens folded servers.
    void setFilter(const SampleFilter &filter);
    bool isFiltered() const { return m_selection.hasFilter(); }
    /// Number of cells that the filter includes.
    int shownCount() const { return m_selection.count(); }

    /// Sets the chosen processes, without ranksChosen().
    void setChosen(const QList<int> &processes);
    QList<int> chosen() const { return m_chosen.list(); }
    /// Moves the cursor to the cell of `process`, or to its folded heading, and scrolls there.
    void reveal(int process);

public Q_SLOTS:
    /// Sets the last line of a process's log.
    void setLastLine(int process, const QString &line);
    /// Sets a process's training progress and time per step, in words.
    void setProgress(int process, const rankdeck::DeviceCell::Line &progress);
    /// Sets what the verdict on a failure says of single processes: see rankFindings().
    void setFindings(const QHash<int, QString> &findings);
    /// Sets the current samples of NPUs and process trees; only changed cells are drawn.
    void setSamples(const rankdeck::RunSamples &samples);

Q_SIGNALS:
    /// The user chose these indexes in LaunchPlan::processes; ascending, never empty.
    void ranksChosen(const QList<int> &processes);
    /// The cells of exactly these processes are visible now.
    void processesSeen(const QList<int> &processes);
    /// The cursor moved; see currentProcess().
    void currentChanged(int process);
    /// Cells came, went, moved or changed their height.
    void laidOut();
    /// The user asked for a menu for the chosen ranks; `place` on the screen.
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
    enum class Choice { Only, Toggle, Range };
    static Choice choiceFor(Qt::KeyboardModifiers modifiers);

    /// Brings rows, folding and the order of servers up to date.
    void settle();
    /// Also brings the filter and the order of cells up to date.
    void settleAll();
    /// Calls settleAll() soon, if changes can move cells.
    void settleCellsSoon();
    void layOut();
    static QString nothingWanted();

    void updateClock();

    void moveCursor(Qt::Key key, Choice choice);
    void setCurrent(const GridItem &item);
    void describeCurrent();
    void choose(const GridItem &item, Choice choice);
    QList<int> rangeTo(const GridItem &item) const;
    /// A filter opens all servers.
    bool isFolded(int server) const { return !m_selection.hasFilter() && m_groups.isFolded(server); }
    void setFolded(const GridItem &item, bool folded);
    /// Returns the processes on a device, or on the shown devices of a server.
    QList<int> processesOf(const GridItem &item) const;

    ServerHeading heading(int server) const;
    ShownDeviceCell shownCell(const GridItem &item) const;

    GridContents m_contents;
    ServerGroups m_groups;
    GridSelection m_selection;
    QTimer m_clock;   ///< Runs only while a rank runs and the grid is visible.
    QTimer m_hold;    ///< While it runs, the user is busy in the grid: nothing moves.
    QTimer m_reorder; ///< Until cells may move again.
    ChosenRanks m_chosen;
    GridItem m_current;
    GridItem m_anchor; ///< Start of a range of chosen items.

    GridPainter m_painter;
    QList<int> m_seen; ///< Last value of processesSeen().
};

} // namespace rankdeck
