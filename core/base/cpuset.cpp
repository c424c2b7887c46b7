#include "base/cpuset.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <sched.h>

namespace rankdeck
{

constexpr std::size_t wordBits = sizeof(unsigned long) * CHAR_BIT;
/// More cpus than any kernel is built for.
constexpr std::size_t mostWords = 1024;

CpuSet::CpuSet(const QList<int> &cpus)
{
    for (const int cpu : cpus) {
        if (cpu < 0)
            continue;
        const auto number = static_cast<std::size_t>(cpu);
        m_bits.resize(std::max(m_bits.size(), number / wordBits + 1));
        m_bits[number / wordBits] |= 1UL << (number % wordBits);
    }
}

CpuSet CpuSet::ofThisProcess()
{
    CpuSet set;
    // The kernel refuses a set that is smaller than its own.
    for (std::size_t words = 16; words <= mostWords; words *= 2) {
        set.m_bits.assign(words, 0);
        if (sched_getaffinity(0, words * sizeof(unsigned long),
                              reinterpret_cast<cpu_set_t *>(set.m_bits.data())) == 0)
            return set;
        if (errno != EINVAL)
            break;
    }
    set.m_bits.clear();
    return set;
}

QList<int> CpuSet::cpus() const
{
    QList<int> cpus;
    for (std::size_t number = 0; number < m_bits.size() * wordBits; ++number) {
        if ((m_bits[number / wordBits] >> (number % wordBits) & 1UL) != 0)
            cpus << static_cast<int>(number);
    }
    return cpus;
}

bool CpuSet::apply() const
{
    return sched_setaffinity(0, m_bits.size() * sizeof(unsigned long),
                             reinterpret_cast<const cpu_set_t *>(m_bits.data())) == 0;
}

} // namespace rankdeck
