#pragma once

#include <QList>

#include <vector>

namespace rankdeck
{

/// A set of cpus in the kernel's form, however many cpus the machine has.
class CpuSet
{
public:
    /// Numbers below 0 are left out.
    explicit CpuSet(const QList<int> &cpus);
    /// Those that the calling thread may run on; empty when the kernel does not say.
    static CpuSet ofThisProcess();

    /// Ascending.
    QList<int> cpus() const;
    /// Bind the calling thread to the set. Safe between fork and exec. False: none of them may be used.
    bool apply() const;

private:
    CpuSet() = default;

    std::vector<unsigned long> m_bits;
};

} // namespace rankdeck
