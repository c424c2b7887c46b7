#include "rankdeckctl/top/rankspane.h"

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

} // namespace rankdeck
