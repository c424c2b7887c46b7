#pragma once

#include "collective/group/processgroup.h"
#include "collective/selftest/pairprobe.h"

namespace rankdeck
{

/// Runs collective operations in a group, times them, and checks each result at every rank to the last bit.
class CollectiveCheck
{
public:
    /// Called at the group's first rank only.
    using OnResult = std::function<void(const CollectiveResult &)>;
    /// Called after each operation, at every rank.
    using OnStep = std::function<void()>;

    /// @param sizes bytes of a rank's data, each a multiple of 4.
    CollectiveCheck(std::shared_ptr<ProcessGroup> group, QList<qint64> sizes, OnResult result, OnStep step);

    /// Barrier, broadcasts from the first and the last rank, allreduce sum and max of each size. All ranks of
    /// the group together. @throws DistError
    void run();
    /// Returns the first problem at this rank; empty if none.
    const QString &problem() const { return m_problem; }

private:
    using Fill = std::function<float(int index)>;
    struct Operation {
        QString name;
        Fill input;
        Fill expected;
        std::function<void()> run;
    };
    void barrier();
    void broadcast(qint64 bytes);
    void allreduce(qint64 bytes, Reduction reduction);
    double timed(const Operation &operation, QString &problem);
    QString agreed(const QString &problem);
    void tell(CollectiveResult result, std::vector<double> times, const QString &problem);

    std::shared_ptr<ProcessGroup> m_group;
    QList<qint64> m_sizes;
    OnResult m_result;
    OnStep m_step;
    QString m_problem;
    std::vector<float> m_data;
};

struct SelfTestSettings {
    int rank = 0;
    int worldSize = 1;
    QStringList addresses; ///< Addresses of this host for ranks of other hosts; empty: all that it has.
    QString glooAddress; ///< Address for the transport of the collectives if no pair shows one; may be empty.
    QList<qint64> sizes; ///< Bytes of each rank's data, each a multiple of 4; empty: as fits the ranks.
    /// Sizes of the groups for collectives; sizes that do not divide the ranks are left out. Empty: all
    /// ranks, and up to 32 ranks also half of them and two.
    QList<int> groupSizes;
    bool hasPairs = true;
    bool hasCollectives = true;
    int rounds = 1;                            ///< 0: until it is stopped.
    std::chrono::milliseconds pace{0};         ///< Each step lasts at least so long.
    std::chrono::milliseconds timeout{30'000}; ///< Limit for each step.
};

/// One rank of a self-test of `worldSize` processes, which meet at a store. Blocks; needs no event loop.
class SelfTestRank
{
public:
    using OnEvent = std::function<void(const SelfTestEvent &)>;

    SelfTestRank(SelfTestSettings settings, StoreClient &store, OnEvent event);

    /// Returns whether all pairs of this rank worked and all results were right; if not, the last event,
    /// Failed, has the reason. @throws DistError if the test cannot go on; no event reports that.
    bool run();

private:
    void meet();
    void publishPlaces();
    void readPlaces();
    void pairs(PairProbe &probe);
    void agreeOnPairs(const PairProbe &probe);
    void connect(const QString &address);
    void collectives();
    void stage(SelfTestStage stage, const QString &text = {});
    void pause();
    QDeadlineTimer deadline() const { return QDeadlineTimer(m_settings.timeout); }

    SelfTestSettings m_settings;
    StoreClient &m_store;
    OnEvent m_event;
    Listener m_listener;
    QByteArray m_token;
    QList<ProbePlace> m_places;
    std::vector<std::pair<QList<QList<int>>, std::shared_ptr<ProcessGroup>>> m_groups;
    QString m_problem; ///< The first problem.
    QString m_leftOut; ///< The reason for leaving out collectives; empty if they run.
    std::chrono::steady_clock::time_point m_stepBegan;
};

} // namespace rankdeck
