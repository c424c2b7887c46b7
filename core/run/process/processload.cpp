#include "run/process/processload.h"

#include "run/process/processtree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

/// A passed-over pid may be reused in a tree: after this many samples all processes are read again.
constexpr unsigned int lookAgainAfter = 60;

/// The number after `label` in a file of "label: number" lines.
static std::optional<quint64> numberAfter(const char *text, const char *label)
{
    const char *at = std::strstr(text, label);
    return at ? std::optional<quint64>(std::strtoull(at + std::strlen(label), nullptr, 10)) : std::nullopt;
}

static quint64 growth(quint64 now, quint64 before)
{
    return now > before ? now - before : 0;
}

PidView pidViewOfAll()
{
    QHash<qint64, int> all;
    if (!isInitialPidNamespace()) {
        for (const pid_t pid : allPids())
            all.insert(pid, 0);
    }
    return pidViewOf(all);
}

std::optional<ProcessLoad::Bytes> ProcessLoad::bytesOf(pid_t pid)
{
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/io", static_cast<int>(pid));
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    std::array<char, 512> text{};
    const ssize_t size = read(file, text.data(), text.size() - 1);
    close(file);
    // "rchar: …\nwchar: …\n…\nread_bytes: 0\nwrite_bytes: 4096\ncancelled_write_bytes: 0": see proc(5).
    const auto in = size > 0 ? numberAfter(text.data(), "\nread_bytes: ") : std::nullopt;
    const auto out = size > 0 ? numberAfter(text.data(), "\nwrite_bytes: ") : std::nullopt;
    return in && out ? std::optional(Bytes{*in, *out}) : std::nullopt;
}

void ProcessLoad::lookAround(const std::vector<TreeRoot> &roots)
{
    std::unordered_map<pid_t, ProcessInfo> unplaced;
    for (const pid_t pid : allPids()) {
        if (const auto known = m_known.find(pid); known != m_known.end())
            known->second.seenIn = m_samples;
        else if (auto process = readProcess(pid))
            unplaced.emplace(pid, std::move(*process));
    }
    std::erase_if(m_known, [this](const auto &known) { return known.second.seenIn != m_samples; });

    const auto isRoot = [&](const ProcessInfo &process) {
        return std::ranges::any_of(roots, [&](const TreeRoot &root) {
            return root.pid == process.pid && root.startTime == process.startTime;
        });
    };
    for (const auto &[pid, process] : unplaced) {
        // Up to a root, to a process that is placed already, or to the top.
        pid_t root = 0;
        std::size_t steps = 0;
        for (auto above = unplaced.find(pid); steps <= unplaced.size(); ++steps) {
            if (isRoot(above->second)) {
                root = above->first;
                break;
            }
            const pid_t parent = above->second.parent;
            above = unplaced.find(parent);
            if (above != unplaced.end())
                continue;
            const auto known = m_known.find(parent);
            // A process that is placed in this pass was in `unplaced`.
            root = known == m_known.end() ? 0 : known->second.root;
            break;
        }
        m_known.insert({pid, Known{process.startTime, root, m_samples, 0, std::nullopt}});
    }
}

bool ProcessLoad::addTo(Sums &sums, pid_t pid, Known &known) const
{
    const auto process = readProcess(pid);
    if (!process || process->startTime != known.startTime)
        return false;
    ++sums.load.processes;
    sums.load.residentBytes += process->residentPages * sysconf(_SC_PAGESIZE);
    sums.cpuTicks += growth(process->cpuTicks, known.cpuTicks);
    known.cpuTicks = process->cpuTicks;
    if (process->state == 'Z')
        return true;
    const auto bytes = bytesOf(pid);
    if (bytes) {
        const Bytes before = known.bytes.value_or(Bytes());
        sums.bytes.read += growth(bytes->read, before.read);
        sums.bytes.written += growth(bytes->written, before.written);
    }
    sums.hasBytes = sums.hasBytes && bytes;
    known.bytes = bytes;
    return true;
}

std::unordered_map<pid_t, pid_t> ProcessLoad::members() const
{
    std::unordered_map<pid_t, pid_t> members;
    for (const auto &[pid, known] : m_known) {
        if (known.root != 0)
            members.emplace(pid, known.root);
    }
    return members;
}

std::vector<std::optional<TreeLoad>> ProcessLoad::sample(const std::vector<TreeRoot> &roots)
{
    const double seconds = m_clock.isValid() ? static_cast<double>(m_clock.nsecsElapsed()) / 1e9 : 0;
    m_clock.start();
    ++m_samples;
    std::unordered_map<pid_t, quint64> given;
    for (const TreeRoot &root : roots)
        given.insert({root.pid, root.startTime});
    // A root may now be below another one, so all processes are assigned again.
    std::unordered_map<pid_t, Known> before;
    if (given != m_roots)
        before.swap(m_known);
    else if (m_samples % lookAgainAfter == 0)
        std::erase_if(m_known, [](const auto &known) { return known.second.root == 0; });
    lookAround(roots);
    for (auto &[pid, known] : m_known) {
        const auto its = before.find(pid);
        if (its == before.end() || its->second.startTime != known.startTime)
            continue;
        if (known.root == 0 && given.contains(its->second.root)) // An orphan.
            known.root = its->second.root;
        known.cpuTicks = its->second.cpuTicks;
        known.bytes = its->second.bytes;
    }

    std::unordered_map<pid_t, Sums> sums;
    for (auto it = m_known.begin(); it != m_known.end();) {
        const pid_t root = it->second.root;
        const bool isThere = root == 0 || addTo(sums[root], it->first, it->second);
        it = isThere ? std::next(it) : m_known.erase(it);
    }

    static const auto ticksASecond = static_cast<double>(sysconf(_SC_CLK_TCK));
    std::vector<std::optional<TreeLoad>> loads;
    for (const TreeRoot &root : roots) {
        const auto found = m_known.find(root.pid);
        if (found == m_known.end() || found->second.startTime != root.startTime) {
            loads.emplace_back();
            continue;
        }
        const Sums &sum = sums[root.pid];
        TreeLoad load = sum.load;
        const auto last = m_roots.find(root.pid);
        if (seconds > 0 && last != m_roots.end() && last->second == root.startTime) {
            load.cpuPercent = 100 * static_cast<double>(sum.cpuTicks) / ticksASecond / seconds;
            if (sum.hasBytes) {
                load.readBytesPerSecond = static_cast<double>(sum.bytes.read) / seconds;
                load.writtenBytesPerSecond = static_cast<double>(sum.bytes.written) / seconds;
            }
        }
        loads.emplace_back(load);
    }
    m_roots = given;
    return loads;
}

} // namespace rankdeck
