#pragma once

#include "base/tr.h"

#include <vector>

namespace rankdeck
{

/// A set of cpus in the kernel's form, however many cpus the machine has.
class CpuSet
{
public:
    /// Numbers below 0 are left out.
    explicit CpuSet(const QList<int> &cpus);
    /// Returns the cpus that the calling thread may run on; empty if the kernel does not say.
    static CpuSet ofThisProcess();

    /// Ascending.
    QList<int> cpus() const;
    /// Binds the calling thread to the set. Safe between fork and exec. Returns false if none may be used.
    bool apply() const;

private:
    CpuSet() = default;

    std::vector<unsigned long> m_bits;
};

} // namespace rankdeck
