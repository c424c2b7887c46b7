#pragma once

#include "agent/messages/nodereplies.h"
#include "collective/selftest/selftest.h"
#include "collective/store/storeserver.h"

namespace rankdeck
{

/// The head of a collective self-test: holds the store that its ranks meet at, and knows how far each is.
class SelfTestHead : public QObject
{
    Q_OBJECT

public:
    /// @param ranks the launch's rank of each rank of the self-test; @param nodes its node.
    SelfTestHead(QList<int> ranks, QStringList nodes);

    void take(const RankLine &line);
    /// Reports to the waiting ranks that these ranks will not arrive, or not continue.
    void giveUp(const QList<int> &ranks, const QString &why);
    QList<int> missing() const;                ///< Returns the ranks that have sent nothing.
    QList<int> open() const { return m_open; } ///< Returns the ranks that have not ended.
    const SelfTestResults &results() const { return m_results; }

    /// Returns the results as checks, with the ranks of the launch.
    std::vector<PreflightCheck> checks() const;

Q_SIGNALS:
    void tell(int rank, const QByteArray &line);
    void happened(const rankdeck::SelfTestEvent &event);
    void over(); ///< The processes of all ranks have ended. Emitted once.

private:
    void takeEvent(const SelfTestEvent &event);
    void fail(int rank, const QString &why);
    QString nameOf(int rank) const;
    QString namesOf(const QList<int> &ranks) const;
    QString namesOf(const PairResult &pair) const
    {
        return tr("%1 and %2").arg(nameOf(pair.from), nameOf(pair.to));
    }
    std::vector<PreflightCheck> pairChecks() const;
    std::vector<PreflightCheck> failedPairChecks() const;
    std::vector<PreflightCheck> collectiveChecks() const;
    std::vector<PreflightCheck> failedRankChecks() const;

    QList<int> m_ranks;
    QStringList m_nodes;
    StoreServer m_store;
    SelfTestResults m_results;
    QList<int> m_open;
};

} // namespace rankdeck
