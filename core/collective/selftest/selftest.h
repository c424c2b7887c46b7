#pragma once

#include "base/tr.h"

#include <optional>
#include <vector>

namespace rankdeck
{

/// The progress of a rank in the collective self-test.
enum class SelfTestStage {
    Missing,     ///< No event of the rank has come.
    Arrived,     ///< It runs and waits for the others.
    Pairs,       ///< It measures the way to each other rank.
    Connecting,  ///< The transport of the collectives connects all ranks.
    Collectives, ///< It takes part in collective operations.
    Done,
    Failed,
};

/// "missing", "arrived", "pairs", "connecting", "collectives", "done" or "failed". Not translated.
QString selfTestStageWord(SelfTestStage stage);

/// Measurements between two ranks; `from` is the smaller one. The figures of a pair with a problem are 0.
struct PairResult {
    int from = 0;
    int to = 0;
    double latencyUs = 0;   ///< Half the shortest round trip of a small message over TCP, microseconds.
    double thereMBs = 0;    ///< From `from` to `to`, 10^6 bytes/s.
    double backMBs = 0;     ///< From `to` to `from`.
    QString problem;        ///< "no connection to 10.0.0.3:40123 within 3 s"; empty: the pair works.
    bool isOneHost = false; ///< Both are on the same host, and so no network is between them.

    bool operator==(const PairResult &) const = default;
};

/// The result of one collective operation, as the first of its ranks measured it.
struct CollectiveResult {
    QString operation; ///< "broadcast", "allreduce sum", "allreduce max" or "barrier".
    QList<int> ranks;  ///< Ranks that took part, ascending.
    qint64 bytes = 0;  ///< Size of one rank's data; 0: a barrier.
    double ms = 0;     ///< The median of a few.
    QString problem;   ///< A wrong result and its rank; empty: every rank's result was right.

    /// bytes / time, 10^6 bytes/s: what others call the algorithm bandwidth. 0 of a barrier.
    double bandwidthMBs() const { return ms > 0 ? static_cast<double>(bytes) / ms / 1000 : 0; }
    bool operator==(const CollectiveResult &) const = default;
};

/// An event of the self-test that a rank prints, one line each.
struct SelfTestEvent {
    enum class Kind {
        Stage,      ///< `rank` has reached `stage`; for Failed, `text` has the reason.
        Groups,     ///< The collectives that follow are those of `groups`; a single group is all ranks.
        Pair,       ///< `pair`.
        Collective, ///< `collective`.
    };

    Kind kind = Kind::Stage;
    int rank = 0; ///< The rank that prints the event.
    SelfTestStage stage = SelfTestStage::Arrived;
    QString text = {};
    QList<QList<int>> groups = {};
    PairResult pair = {};
    CollectiveResult collective = {};

    /// A line for people and programs, without a line feed: "selftest: rank 0: pair 0-3: 21.3 us, …". Line
    /// feeds and other control characters of texts become blanks.
    QByteArray toLine() const;
    /// Returns nothing for any other text: lines come from processes, and libraries print too.
    static std::optional<SelfTestEvent> fromLine(const QByteArray &line);
    bool operator==(const SelfTestEvent &) const = default;
};

/// The state of a self-test: all its events together.
struct SelfTestResults {
    struct RankState {
        SelfTestStage stage = SelfTestStage::Missing;
        QString text; ///< For Failed: the reason.
        bool operator==(const RankState &) const = default;
    };

    QList<RankState> ranks;        ///< By rank; as many as the launch has.
    std::vector<PairResult> pairs; ///< In the order they came, each pair once: the newest of a pair counts.
    /// In the order they came; of the same operation, ranks and size the newest alone.
    std::vector<CollectiveResult> collectives;
    QList<QList<int>> groups; ///< Groups of the running collectives; empty: none yet.

    explicit SelfTestResults(int worldSize = 0)
        : ranks(worldSize)
    {
    }
    /// Adds an event. Events of unknown ranks or pairs are ignored. A rank that has failed stays failed.
    void take(const SelfTestEvent &event);
    const PairResult *pair(int one, int other) const; ///< Null if not measured, or not yet.
    bool operator==(const SelfTestResults &) const = default;
};

/// Pairs that stand out, worst first: pairs with a problem, and pairs whose latency is more than three times
/// the median of all pairs between hosts, whose bandwidth one way is less than a third of the median, or
/// whose two ways differ by more than a factor of two. Pairs on one host are not compared: their figures
/// depend on how the host's cpus are shared then. With fewer than 3 pairs between hosts, none is compared.
struct OddPair {
    PairResult pair;
    QString why; ///< "its latency is 12 times the usual", one of the above with its numbers; translated.
};
std::vector<OddPair> oddPairs(const std::vector<PairResult> &pairs);

} // namespace rankdeck
