#pragma once

#include "rankdeckctl/top/fullscreen.h"
#include "rankdeckctl/top/rankrows.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

/// The list of runs, one of which is marked.
class RunsPane : public QObject
{
    Q_OBJECT

public:
    RunsPane();

    /// Reads the list, and again whenever it changes.
    void start() { m_catalog.start(); }
    /// Returns false for a key that means nothing here.
    bool press(const Key &key);
    QList<ScreenLine> lines(int cells, int rows);

Q_SIGNALS:
    void changed();
    void chosen(const QString &directory);

private:
    void mark(int place) { m_marked = std::clamp(place, 0, std::max(0, int(m_runs.size()) - 1)); }

    RunCatalog m_catalog;
    QList<RunSummary> m_runs;
    int m_marked = 0;
    int m_rows = 1; ///< How many are shown.
};

/// The ranks of a run, as rows of a table or as letters of a map, in an order and through a filter. One
/// process is chosen, and stays so when the order changes.
class RanksPane : public QObject
{
    Q_OBJECT

public:
    /// Forgets the run; the order and the filter stay.
    void clear();
    /// Sets the present state of the run. Call it before any other function, and again when the run has
    /// changed.
    void setRun(const RunSnapshot &run);

    /// The chosen process, by index in the plan; -1: none.
    int process() const { return m_process; }
    /// Returns the visible processes, in their order.
    const QList<int> &processes() const { return m_processes; }
    bool isMap() const { return m_isMap; }
    const QString &filter() const { return m_filterText; }
    /// Sets the filter. Reports a text that is not a filter, and keeps the old one.
    void setFilter(const QString &text);

    /// Takes a letter that chooses a rank, or changes how they are shown. Returns false for others.
    bool press(const RunSnapshot &run, QChar letter);
    /// Chooses the rank this many rows further on the screen.
    void move(int rows) { choose(m_row + rows * (m_isMap ? m_columns : 1)); }
    /// Chooses the next rank or the one before.
    void step(int ranks) { choose(m_row + ranks); }
    void turnPage(int pages) { choose(m_row + pages * m_shown); }
    /// Chooses a rank by its number.
    void goTo(const RunSnapshot &run, const QString &rank);

    /// Returns how many rows all would take on a screen of this width.
    qsizetype wantedRows(int cells) const;
    QList<ScreenLine> lines(const RunSnapshot &run, int cells, int rows);

Q_SIGNALS:
    void chosen(int process);
    void said(const QString &sentence);

private:
    /// Chooses the next rank that failed or makes no progress.
    void goToTroubled(const RunSnapshot &run);
    void sortByNext();
    void choose(qsizetype row);

    QList<int> m_processes;
    RankOrder m_order;
    SampleFilter m_filter;
    QString m_filterText;
    bool m_isMap = false;
    int m_process = -1;
    qsizetype m_row = 0; ///< The place of m_process in m_processes.
    qsizetype m_top = 0; ///< The first row that is shown.
    int m_shown = 1;     ///< How many ranks the screen has room for.
    int m_columns = 1;   ///< Columns of the map.
};

} // namespace rankdeck
