#include "collective/selftest/collectivecheck.h"

#include "base/tr.h"

#include <QElapsedTimer>

#include <algorithm>
#include <array>
#include <cstring>

namespace rankdeck
{

namespace
{

constexpr int tileSize = 61 * 2 * 32; // A multiple of what the pattern repeats after.

constexpr int repetitions = 3;

// Small whole numbers, so that a float holds every sum of up to 4,000 ranks exactly, in whatever order they
// are added. They differ by place, so that data that comes to the wrong place is noticed, and by rank.
float pattern(int index)
{
    return static_cast<float>(index % 61);
}

/// What a rank adds to the pattern: more at even places, less at odd ones: no rank is largest everywhere.
float share(int index, int rank)
{
    return static_cast<float>(index % 2 ? -rank : rank);
}

} // namespace

CollectiveCheck::CollectiveCheck(std::shared_ptr<ProcessGroup> group, QList<qint64> sizes, OnResult result,
                                 OnStep step)
    : m_group(std::move(group))
    , m_sizes(std::move(sizes))
    , m_result(std::move(result))
    , m_step(std::move(step))
{
}

void CollectiveCheck::run()
{
    barrier();
    for (const qint64 bytes : m_sizes)
        broadcast(bytes);
    for (const Reduction reduction : {Reduction::Sum, Reduction::Max}) {
        for (const qint64 bytes : m_sizes)
            allreduce(bytes, reduction);
    }
}

void CollectiveCheck::barrier()
{
    std::vector<double> times;
    for (int turn = 0; turn < repetitions; ++turn) {
        QElapsedTimer clock;
        clock.start();
        m_group->barrier();
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    tell({QStringLiteral("barrier"), m_group->members(), 0, 0, {}}, times, {});
}

void CollectiveCheck::broadcast(qint64 bytes)
{
    m_data.resize(static_cast<std::size_t>(bytes) / sizeof(float));
    std::vector<double> times;
    QString problem;
    for (int turn = 0; turn < repetitions; ++turn) {
        for (const int root : {0, m_group->size() - 1}) {
            const auto of = [](int rank) {
                return [rank](int index) {
                    return pattern(index) + share(index, rank + 1);
                };
            };
            times.push_back(timed({tr("broadcast"), of(m_group->rank()), of(root),
                                   [&] {
                                       m_group->broadcast(std::span(m_data), root);
                                   }},
                                  problem));
        }
    }
    tell({QStringLiteral("broadcast"), m_group->members(), bytes, 0, {}}, times, problem);
}

void CollectiveCheck::allreduce(qint64 bytes, Reduction reduction)
{
    m_data.resize(static_cast<std::size_t>(bytes) / sizeof(float));
    const bool isSum = reduction == Reduction::Sum;
    const int ranks = m_group->size();
    const auto input = [rank = m_group->rank()](int index) {
        return pattern(index) + share(index, rank);
    };
    const auto expected = [ranks, isSum](int index) {
        if (!isSum)
            return pattern(index) + (index % 2 ? 0 : share(index, ranks - 1));
        return static_cast<float>(ranks) * pattern(index) + share(index, ranks * (ranks - 1) / 2);
    };
    std::vector<double> times;
    QString problem;
    for (int turn = 0; turn < repetitions; ++turn) {
        times.push_back(timed({isSum ? tr("allreduce sum") : tr("allreduce max"), input, expected,
                               [&] {
                                   m_group->allreduce(std::span(m_data), reduction);
                               }},
                              problem));
    }
    tell({isSum ? QStringLiteral("allreduce sum") : QStringLiteral("allreduce max"),
          m_group->members(),
          bytes,
          0,
          {}},
         times, problem);
}

/// Returns the duration in ms. All ranks have their data before any clock starts.
double CollectiveCheck::timed(const Operation &operation, QString &problem)
{
    // The values repeat, and a tile of them is compared in a fraction of the time that each would take.
    std::vector<float> tile(tileSize);
    std::vector<float> expected(tileSize);
    for (int index = 0; index < tileSize; ++index) {
        tile[static_cast<std::size_t>(index)] = operation.input(index);
        expected[static_cast<std::size_t>(index)] = operation.expected(index);
    }
    for (std::size_t at = 0; at < m_data.size(); at += tileSize)
        std::copy_n(tile.begin(), std::min<std::size_t>(tileSize, m_data.size() - at),
                    m_data.begin() + static_cast<std::ptrdiff_t>(at));
    m_group->barrier();
    QElapsedTimer clock;
    clock.start();
    operation.run();
    const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    for (std::size_t at = 0; at < m_data.size() && problem.isEmpty(); at += tileSize) {
        const auto begin = m_data.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = begin + std::min<std::ptrdiff_t>(tileSize, m_data.end() - begin);
        const auto [wrong, right] = std::mismatch(begin, end, expected.begin());
        if (wrong != end)
            problem = tr("rank %1 has %2 at index %3, not %4")
                          .arg(m_group->members()[m_group->rank()])
                          .arg(static_cast<double>(*wrong))
                          .arg(wrong - m_data.begin())
                          .arg(static_cast<double>(*right));
    }
    return ms;
}

/// Returns, at every rank, the problem of the first rank that has one.
QString CollectiveCheck::agreed(const QString &problem)
{
    std::array<std::int32_t, 1> first{problem.isEmpty() ? 0 : m_group->size() - m_group->rank()};
    m_group->allreduce(std::span<std::int32_t>(first), Reduction::Max);
    if (first[0] == 0)
        return {};
    std::array<std::byte, 256> text{};
    const QByteArray bytes = problem.toUtf8().left(static_cast<qsizetype>(text.size()) - 1);
    std::memcpy(text.data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    m_group->broadcast(std::span<std::byte>(text), m_group->size() - first[0]);
    return QString::fromUtf8(reinterpret_cast<const char *>(text.data()));
}

void CollectiveCheck::tell(CollectiveResult result, std::vector<double> times, const QString &problem)
{
    if (m_problem.isEmpty())
        m_problem = problem.isEmpty() ? QString() : result.operation + QStringLiteral(": ") + problem;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    result.ms = rounded(*middle);
    result.problem = agreed(problem);
    if (m_group->rank() == 0)
        m_result(result);
    m_step();
}

} // namespace rankdeck
