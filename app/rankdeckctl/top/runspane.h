#pragma once

#include "rankdeckctl/top/fullscreen.h"
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

} // namespace rankdeck
