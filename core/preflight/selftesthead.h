#pragma once

#include "agent/preflight/preflightcheck.h"
#include "agent/preflightreplies.h"
#include "collective/selftest.h"
#include "collective/storeserver.h"

#include <QList>
#include <QObject>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// The head of a collective self-test: holds the store that its ranks meet at, and knows how far each is.
class SelfTestHead : public QObject
{
    Q_OBJECT

public:
    /// @param ranks the launch's rank of each rank of the self-test; @param nodes its node.
    SelfTestHead(QList<int> ranks, QStringList nodes, QObject *parent = nullptr);

    void take(const RankLine &line);
    /// These will not come, or will not come further: whoever waits for them is told.
    void giveUp(const QList<int> &ranks, const QString &why);
    /// Those of which nothing has been heard.
    QList<int> missing() const;
    /// Those that have not ended.
    QList<int> open() const;
    const SelfTestResults &results() const { return m_results; }

    /// What came of it, in the launch's words.
    std::vector<PreflightCheck> checks() const;

Q_SIGNALS:
    void tell(int rank, const QByteArray &line);
    void happened(const rankdeck::SelfTestEvent &event);
    /// Every rank's process has ended. Once.
    void over();

private:
    void takeEvent(const SelfTestEvent &event);
    void fail(int rank, const QString &why);
    void end(int rank);
    QString nameOf(int rank) const;
    QString namesOf(const QList<int> &ranks) const;
    QString namesOf(const PairResult &pair) const;
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
