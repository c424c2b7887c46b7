#pragma once

#include "collective/group/processgroup.h"
#include "collective/selftest/pairprobe.h"
#include "collective/selftest/selftest.h"
#include "collective/store/storeclient.h"

#include <chrono>
#include <functional>

namespace rankdeck
{

struct SelfTestSettings {
    int rank = 0;
    int worldSize = 1;
    QStringList addresses; ///< Of this host, at which ranks of others are to try it; empty: all it has.
    QString glooAddress;   ///< Where the transport of the collectives listens if no pair tells; may be empty.
    QList<qint64> sizes;   ///< Bytes of each rank's data, each a multiple of 4; empty: as fits the ranks.
    QList<int> groupSizes; ///< Of the groups of the collectives; those that do not divide the ranks are left
                           ///< out. Empty: all ranks, of up to 32 half of them, two.
    bool hasPairs = true;
    bool hasCollectives = true;
    int rounds = 1;                            ///< 0: until it is ended.
    std::chrono::milliseconds pace{0};         ///< Each step lasts at least so long.
    std::chrono::milliseconds timeout{30'000}; ///< Of each step.
};

/// Returns bytes of each rank's data for groups of this size, so that all takes about a second on one host.
QList<qint64> usualSelfTestSizes(int worldSize, int groupSize);
/// Returns the groups of `groupSize` consecutive ranks.
QList<QList<int>> consecutiveGroups(int worldSize, int groupSize);

/// One rank of a self-test of `worldSize` processes, which meet at a store. Blocks; needs no event loop.
class SelfTestRank
{
public:
    using OnEvent = std::function<void(const SelfTestEvent &)>;

    SelfTestRank(SelfTestSettings settings, StoreClient &store, OnEvent event);

    /// Returns whether all pairs of this rank worked and all results were right; else the last event, Failed,
    /// tells what was wrong. @throws DistError if it cannot go on; there is no event for that.
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
    QString m_leftOut; ///< Why there are no collectives; empty if there are.
    std::chrono::steady_clock::time_point m_stepBegan;
};

} // namespace rankdeck
