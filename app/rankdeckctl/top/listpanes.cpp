#include "rankdeckctl/top/listpanes.h"

#include "base/times.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

void RanksPane::clear()
{
    m_processes.clear();
    m_process = -1;
    m_row = 0;
}

void RanksPane::setRun(const RunSnapshot &run)
{
    m_processes = rankOrder(run, m_order, m_filter);
    const qsizetype row = m_processes.indexOf(m_process);
    if (row >= 0)
        m_row = row;
    else
        choose(m_row);
}

void RanksPane::setFilter(const QString &text)
{
    const auto filter = SampleFilter::from(text);
    if (!filter) {
        Q_EMIT said(filter.error().sentence());
        return;
    }
    m_filter = *filter;
    m_filterText = text;
}

bool RanksPane::press(const RunSnapshot &run, QChar letter)
{
    if (letter == u'k')
        step(-1);
    else if (letter == u'j')
        step(1);
    else if (letter == u'[')
        turnPage(-1);
    else if (letter == u']')
        turnPage(1);
    else if (letter == u'n')
        goToTroubled(run);
    else if (letter == u'o')
        sortByNext();
    else if (letter == u'v')
        m_isMap = !m_isMap;
    else
        return false;
    return true;
}

void RanksPane::sortByNext()
{
    static const QList<RankOrder> orders{{},
                                         {RankValue::State, false},
                                         {RankValue::AiCore, false},
                                         {RankValue::Hbm, true},
                                         {RankValue::Temperature, true},
                                         {RankValue::Cpu, true},
                                         {RankValue::Memory, true}};
    const QStringList names{tr("rank"),        tr("state"), tr("NPU use"), tr("HBM"),
                            tr("temperature"), tr("cpu"),   tr("memory")};
    const qsizetype next = (orders.indexOf(m_order) + 1) % orders.size();
    m_order = orders[next];
    Q_EMIT said(tr("Sorted by %1.").arg(names[next]));
}

void RanksPane::choose(qsizetype row)
{
    m_row = std::clamp<qsizetype>(row, 0, std::max<qsizetype>(0, m_processes.size() - 1));
    const int process = m_processes.value(m_row, -1);
    if (process < 0 || m_process == process)
        return;
    m_process = process;
    Q_EMIT chosen(process);
}

void RanksPane::goTo(const RunSnapshot &run, const QString &rank)
{
    const auto found = std::ranges::find_if(m_processes, [&](int process) {
        const ProcessPlan &plan = run.planOf(process);
        return plan.role == Role::Worker && QString::number(plan.rank.value) == rank.trimmed();
    });
    if (found == m_processes.end())
        Q_EMIT said(tr("There is no rank \"%1\" in the list.").arg(rank));
    else
        choose(found - m_processes.begin());
}

void RanksPane::goToTroubled(const RunSnapshot &run)
{
    for (qsizetype step = 1; step <= m_processes.size(); ++step) {
        const qsizetype row = (m_row + step) % m_processes.size();
        if (isTroubled(run, m_processes[row])) {
            choose(row);
            return;
        }
    }
    Q_EMIT said(tr("No rank failed or is stalled."));
}

qsizetype RanksPane::wantedRows(int cells) const
{
    const qsizetype columns = m_isMap ? rankMapColumns(cells) : 1;
    return (m_processes.size() + columns - 1) / columns;
}

QList<ScreenLine> RanksPane::lines(const RunSnapshot &run, int cells, int rows)
{
    QList<ScreenLine> lines;
    if (m_isMap) {
        m_columns = rankMapColumns(cells);
        m_shown = rows * m_columns;
        const qsizetype chosen = m_row / m_columns;
        m_top = std::clamp<qsizetype>(m_top, std::max<qsizetype>(0, chosen - rows + 1), chosen);
        lines = rankMap(run, m_processes, m_process, cells).mid(m_top, rows);
    } else {
        m_shown = std::max(1, rows - 1);
        m_top = std::clamp<qsizetype>(m_top, std::max<qsizetype>(0, m_row - m_shown + 1), m_row);
        m_top = std::clamp<qsizetype>(m_top, 0, std::max<qsizetype>(0, m_processes.size() - m_shown));
        const RankRows table(run, cells);
        lines << ScreenLine{table.heading()};
        for (qsizetype row = m_top; row < m_processes.size() && lines.size() <= m_shown; ++row)
            lines << ScreenLine{table.row(m_processes[row]), row == m_row};
    }
    lines.resize(rows);
    return lines;
}

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
