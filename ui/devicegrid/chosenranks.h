#pragma once

#include <QList>
#include <QSet>

namespace rankdeck
{

/// Which ranks of a grid are chosen, by index in LaunchPlan::processes.
class ChosenRanks
{
public:
    void clear() { m_processes.clear(); }
    void set(const QList<int> &processes);
    /// Take `processes` away when all of them are chosen and others too, else add them: there is always a log
    /// to read.
    void toggle(const QList<int> &processes);

    bool isEmpty() const { return m_processes.isEmpty(); }
    bool contains(int process) const { return m_processes.contains(process); }
    bool containsAny(const QList<int> &processes) const;
    bool containsAll(const QList<int> &processes) const;
    /// In ascending order.
    QList<int> list() const;

private:
    QSet<int> m_processes;
};

} // namespace rankdeck
