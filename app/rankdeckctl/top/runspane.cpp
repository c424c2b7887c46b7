#include "rankdeckctl/top/runspane.h"

#include "base/times.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

RunsPane::RunsPane()
{
    connect(&m_catalog, &RunCatalog::runsChanged, this, [this](const QList<RunSummary> &runs) {
        m_runs = runs;
        mark(m_marked);
        Q_EMIT changed();
    });
}

bool RunsPane::press(const Key &key)
{
    if (key.name == Key::Up || key.text == "k"_L1)
        mark(m_marked - 1);
    else if (key.name == Key::Down || key.text == "j"_L1)
        mark(m_marked + 1);
    else if (key.name == Key::PageUp)
        mark(m_marked - m_rows);
    else if (key.name == Key::PageDown)
        mark(m_marked + m_rows);
    else if (key.name == Key::Enter && m_marked < m_runs.size())
        Q_EMIT chosen(m_runs[m_marked].directory);
    else
        return false;
    return true;
}

QList<ScreenLine> RunsPane::lines(int cells, int rows)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_rows = std::max(1, rows - 1);
    const auto top = std::max(0, m_marked - m_rows + 1);
    constexpr int stateCells = 10;
    constexpr int timeCells = 12;
    constexpr int rankCells = 6;
    const int nameCells = std::max(8, std::min(40, cells / 2));
    QList<ScreenLine> lines{
        {{textRun(inCells(tr("RUN"), nameCells) + u' ' + inCells(tr("STATE"), stateCells) +
                      inCells(tr("RANKS"), rankCells, true) + inCells(tr("TIME"), timeCells, true),
                  Look::Label)}}};
    for (int place = top; place < int(m_runs.size()) && lines.size() <= m_rows; ++place) {
        const RunSummary &run = m_runs[place];
        const Look look = run.phase == RunPhase::Failed || run.phase == RunPhase::Lost ? Look::Bad
                          : isLive(run.phase)                                          ? Look::Good
                                                                                       : Look::Plain;
        const QString remark = run.verdict.isEmpty() ? run.remark : run.verdict;
        lines << ScreenLine{{textRun(inCells(visibleText(run.name), nameCells) + u' '),
                             textRun(inCells(shownWord(run.phase), stateCells), look),
                             textRun(inCells(QString::number(run.worldSize), rankCells, true) +
                                     inCells(elapsedText(run.duration(now)), timeCells, true)),
                             textRun(u"  "_s + remark)},
                            place == m_marked};
    }
    if (m_runs.isEmpty())
        lines << ScreenLine{{textRun(tr("There are no runs."))}};
    return lines;
}

} // namespace rankdeck
