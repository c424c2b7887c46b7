#include "devicegrid/chosenranks.h"

#include <algorithm>

namespace rankdeck
{

void ChosenRanks::set(const QList<int> &processes)
{
    m_processes = QSet<int>(processes.cbegin(), processes.cend());
}

void ChosenRanks::toggle(const QList<int> &processes)
{
    const QSet<int> them(processes.cbegin(), processes.cend());
    if (containsAll(processes) && m_processes.size() > them.size())
        m_processes.subtract(them);
    else
        m_processes.unite(them);
}

bool ChosenRanks::containsAny(const QList<int> &processes) const
{
    return std::any_of(processes.cbegin(), processes.cend(),
                       [this](int process) { return m_processes.contains(process); });
}

bool ChosenRanks::containsAll(const QList<int> &processes) const
{
    return std::all_of(processes.cbegin(), processes.cend(),
                       [this](int process) { return m_processes.contains(process); });
}

QList<int> ChosenRanks::list() const
{
    QList<int> processes(m_processes.cbegin(), m_processes.cend());
    std::sort(processes.begin(), processes.end());
    return processes;
}

} // namespace rankdeck
