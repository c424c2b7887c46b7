#include "collective/selftest.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr std::size_t fewestCompared = 3;
constexpr double slowLatency = 3;
constexpr double slowBandwidth = 3;
constexpr double unequalWays = 2;

/// Of a sorted list with something in it.
double median(std::vector<double> &values)
{
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

QString number(double value)
{
    return value < 100 ? QString::number(value, 'g', 3) : QString::number(value, 'f', 0);
}

/// How far out a pair is, to put the worst first, and the sentence.
struct Oddness {
    double factor = 0;
    QString why;

    void consider(double by, double limit, const char *sentence, const QString &figures)
    {
        if (by <= limit || by <= factor)
            return;
        factor = by;
        why = QCoreApplication::translate("OddPair", sentence).arg(number(by), figures);
    }
};

Oddness oddness(const PairResult &pair, double usualLatency, double usualBandwidth)
{
    Oddness odd;
    const double slow = std::min(pair.thereMBs, pair.backMBs);
    const double fast = std::max(pair.thereMBs, pair.backMBs);
    if (usualLatency > 0)
        odd.consider(pair.latencyUs / usualLatency, slowLatency,
                     QT_TRANSLATE_NOOP("OddPair", "its latency is %1 times the usual (%2)"),
                     QStringLiteral("%1 us, %2 us").arg(number(pair.latencyUs), number(usualLatency)));
    if (slow <= 0)
        return odd;
    odd.consider(usualBandwidth / slow, slowBandwidth,
                 QT_TRANSLATE_NOOP("OddPair", "the usual bandwidth is %1 times its own (%2)"),
                 QStringLiteral("%1 MB/s, %2 MB/s").arg(number(usualBandwidth), number(slow)));
    const auto [fastFrom, fastTo] =
        pair.thereMBs >= pair.backMBs ? std::pair(pair.from, pair.to) : std::pair(pair.to, pair.from);
    odd.consider(fast / slow, unequalWays,
                 QT_TRANSLATE_NOOP("OddPair", "one way is %1 times as fast as the other (%2)"),
                 QCoreApplication::translate("OddPair", "%1 to %2: %3 MB/s, back: %4 MB/s")
                     .arg(fastFrom)
                     .arg(fastTo)
                     .arg(number(fast), number(slow)));
    return odd;
}

} // namespace

std::vector<OddPair> oddPairs(const std::vector<PairResult> &pairs)
{
    std::vector<OddPair> odd;
    std::vector<double> latencies;
    std::vector<double> bandwidths;
    for (const PairResult &pair : pairs) {
        if (!pair.problem.isEmpty()) {
            odd.push_back({pair, pair.problem});
            continue;
        }
        if (pair.isOneHost)
            continue;
        latencies.push_back(pair.latencyUs);
        bandwidths.push_back(pair.thereMBs);
        bandwidths.push_back(pair.backMBs);
    }
    if (latencies.size() < fewestCompared)
        return odd;

    const double usualLatency = median(latencies);
    const double usualBandwidth = median(bandwidths);
    std::vector<std::pair<double, OddPair>> slow;
    for (const PairResult &pair : pairs) {
        if (!pair.problem.isEmpty() || pair.isOneHost)
            continue;
        Oddness found = oddness(pair, usualLatency, usualBandwidth);
        if (found.factor > 0)
            slow.emplace_back(found.factor, OddPair{pair, found.why});
    }
    std::stable_sort(slow.begin(), slow.end(),
                     [](const auto &one, const auto &other) { return one.first > other.first; });
    for (const auto &each : slow)
        odd.push_back(each.second);
    return odd;
}

} // namespace rankdeck
