#include "preflight/selftesthead.h"

#include "base/fields.h"
#include "base/listcomma.h"
#include "preflight/planchecks.h"

#include <QLocale>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr std::size_t mostOfAKind = 20; ///< Many failures have one cause; the first are enough.

static PreflightCheck pairCheck(Status status, const QString &subject, const QString &sentence,
                                const QString &mend = {})
{
    return {Part::Pairs, u"pairs"_s, subject, status, sentence, mend};
}

static PreflightCheck collectiveCheck(Status status, const QString &name, const QString &subject,
                                      const QString &sentence, const QString &mend = {})
{
    return {Part::Collectives, name, subject, status, sentence, mend};
}

static QString number(double value)
{
    return QLocale::c().toString(value, 'f', value < 10 ? 1 : 0);
}

static QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, bytes < 1024 ? 0 : 1, QLocale::DataSizeIecFormat);
}

/// The rank that all of `pairs` have in common, when these are several; -1: none.
static int commonRank(const std::vector<PairResult> &pairs)
{
    if (pairs.size() < 2)
        return -1;
    for (const int rank : {pairs.front().from, pairs.front().to}) {
        if (std::ranges::all_of(pairs,
                                [&](const PairResult &pair) { return pair.from == rank || pair.to == rank; }))
            return rank;
    }
    return -1;
}

SelfTestHead::SelfTestHead(QList<int> ranks, QStringList nodes)
    : m_ranks(std::move(ranks))
    , m_nodes(std::move(nodes))
    , m_results(static_cast<int>(m_ranks.size()))
    , m_open(m_ranks.size())
{
    std::iota(m_open.begin(), m_open.end(), 0);
}

void SelfTestHead::take(const RankLine &line)
{
    if (line.rank < 0 || line.rank >= m_ranks.size())
        return;
    if (line.hasEnded) {
        if (!line.how.isEmpty())
            giveUp({line.rank}, line.how);
        if (m_open.removeAll(line.rank) > 0 && m_open.isEmpty())
            Q_EMIT over();
        return;
    }
    if (const auto text = fromKeyedLine<QByteArray>("event", line.line)) {
        if (const auto event = SelfTestEvent::fromLine(*text))
            takeEvent(*event);
        return;
    }
    for (const StoreServer::Answer &answer : m_store.take(line.rank, line.line))
        Q_EMIT tell(answer.rank, answer.line);
}

void SelfTestHead::takeEvent(const SelfTestEvent &event)
{
    m_results.take(event);
    Q_EMIT happened(event);
}

void SelfTestHead::fail(int rank, const QString &why)
{
    if (m_results.ranks.at(rank).stage != SelfTestStage::Failed)
        takeEvent({.rank = rank, .stage = SelfTestStage::Failed, .text = why});
}

void SelfTestHead::giveUp(const QList<int> &ranks, const QString &why)
{
    for (const int rank : ranks)
        fail(rank, why);
    const QString reason =
        ranks.size() == 1 ? tr("rank %1 is gone: %2").arg(m_ranks.at(ranks.first())).arg(why) : why;
    const QByteArray over = keyedLine("over", reason);
    for (const int rank : m_open) {
        if (!ranks.contains(rank))
            Q_EMIT tell(rank, over);
    }
}

QList<int> SelfTestHead::missing() const
{
    QList<int> missing;
    for (int rank = 0; rank < m_results.ranks.size(); ++rank) {
        if (m_results.ranks.at(rank).stage == SelfTestStage::Missing)
            missing << rank;
    }
    return missing;
}

QString SelfTestHead::nameOf(int rank) const
{
    const bool isOneNode = QSet<QString>(m_nodes.begin(), m_nodes.end()).size() == 1;
    return isOneNode ? tr("rank %1").arg(m_ranks.at(rank))
                     : tr("rank %1 on %2").arg(m_ranks.at(rank)).arg(m_nodes.at(rank));
}

QString SelfTestHead::namesOf(const QList<int> &ranks) const
{
    const QList<int> own = listOf(ranks, [&](int rank) { return m_ranks.at(rank); });
    return ranksText(own, static_cast<int>(m_ranks.size()));
}

std::vector<PreflightCheck> SelfTestHead::checks() const
{
    std::vector<PreflightCheck> checks = pairChecks();
    const std::vector<PreflightCheck> collectives = collectiveChecks();
    checks.insert(checks.end(), collectives.begin(), collectives.end());
    return checks;
}

std::vector<PreflightCheck> SelfTestHead::failedPairChecks() const
{
    std::vector<PairResult> failed;
    std::copy_if(m_results.pairs.begin(), m_results.pairs.end(), std::back_inserter(failed),
                 [](const PairResult &pair) { return !pair.problem.isEmpty(); });
    std::ranges::sort(failed, {}, [](const PairResult &pair) { return std::pair(pair.from, pair.to); });
    const QString mend = tr("Check for a firewall, a route or a wrong network card (HCCL_IF_IP, "
                            "HCCL_SOCKET_IFNAME) between them.");
    std::vector<PreflightCheck> checks;
    if (const int rank = commonRank(failed); rank >= 0)
        checks.push_back(
            pairCheck(Status::Fail, nameOf(rank),
                      tr("All %1 failing pairs include %2.").arg(failed.size()).arg(nameOf(rank)), mend));
    for (const PairResult &pair : failed) {
        if (checks.size() == mostOfAKind) {
            checks.push_back(
                pairCheck(Status::Fail, {}, tr("%1 pairs of ranks fail in all.").arg(failed.size())));
            break;
        }
        checks.push_back(pairCheck(Status::Fail, namesOf(pair),
                                   asSentence(tr("The pair does not work: %1").arg(pair.problem)), mend));
    }
    return checks;
}

std::vector<PreflightCheck> SelfTestHead::pairChecks() const
{
    if (m_results.ranks.size() < 2)
        return {pairCheck(Status::Skipped, {}, tr("There is only one rank, so there are no pairs."))};
    std::vector<PreflightCheck> checks = failedPairChecks();
    for (const OddPair &odd : oddPairs(m_results.pairs)) {
        if (!odd.pair.problem.isEmpty())
            continue;
        if (checks.size() >= 2 * mostOfAKind)
            break;
        checks.push_back(pairCheck(Status::Warn, namesOf(odd.pair),
                                   tr("The pair is an outlier: %1.").arg(odd.why),
                                   tr("Measure again with nothing else on these nodes; then check their "
                                      "cards and the switch between them.")));
    }
    std::vector<PairResult> good;
    std::copy_if(m_results.pairs.begin(), m_results.pairs.end(), std::back_inserter(good),
                 [](const PairResult &pair) { return pair.problem.isEmpty(); });
    if (good.empty() && checks.empty())
        return {pairCheck(Status::Skipped, {}, tr("No pair was measured."))};
    if (!good.empty()) {
        const auto [least, most] = std::ranges::minmax(good, {}, &PairResult::latencyUs);
        double slowest = good.front().thereMBs;
        for (const PairResult &pair : good)
            slowest = std::min({slowest, pair.thereMBs, pair.backMBs});
        checks.push_back(
            pairCheck(Status::Pass, {},
                      tr("Working pairs: %1; latency %2 to %3 us, at least %4 MB/s.")
                          .arg(good.size())
                          .arg(number(least.latencyUs), number(most.latencyUs), number(slowest))));
    }
    return checks;
}

/// Returns one check for all ranks that fail for the same reason.
std::vector<PreflightCheck> SelfTestHead::failedRankChecks() const
{
    QStringList reasons;
    QHash<QString, QList<int>> failed;
    for (int rank = 0; rank < m_results.ranks.size(); ++rank) {
        const SelfTestResults::RankState &state = m_results.ranks.at(rank);
        if (state.stage != SelfTestStage::Failed)
            continue;
        if (!failed.contains(state.text))
            reasons << state.text;
        failed[state.text] << rank;
    }
    std::vector<PreflightCheck> checks;
    for (const QString &reason : reasons) {
        if (checks.size() == mostOfAKind)
            break;
        const QList<int> &ranks = failed[reason];
        checks.push_back(collectiveCheck(Status::Fail, u"ranks"_s,
                                         ranks.size() == 1 ? nameOf(ranks.first()) : namesOf(ranks),
                                         asSentence(tr("The self-test failed there: %1").arg(reason))));
    }
    return checks;
}

std::vector<PreflightCheck> SelfTestHead::collectiveChecks() const
{
    std::vector<PreflightCheck> checks = failedRankChecks();
    QStringList operations;
    for (const CollectiveResult &collective : m_results.collectives) {
        if (!operations.contains(collective.operation))
            operations << collective.operation;
        if (collective.problem.isEmpty())
            continue;
        checks.push_back(collectiveCheck(
            Status::Fail, collective.operation, namesOf(collective.ranks),
            asSentence(
                tr("%1 of %2: %3").arg(collective.operation, sizeText(collective.bytes), collective.problem)),
            tr("Its result was wrong on this network: check its cards, cables and memory before you "
               "train.")));
    }
    for (const QString &operation : operations) {
        QSet<int> sizes;
        double best = 0;
        qint64 largest = 0;
        bool isRight = true;
        for (const CollectiveResult &collective : m_results.collectives) {
            if (collective.operation != operation)
                continue;
            isRight = isRight && collective.problem.isEmpty();
            sizes.insert(static_cast<int>(collective.ranks.size()));
            best = std::max(best, collective.bandwidthMBs());
            largest = std::max(largest, collective.bytes);
        }
        if (!isRight)
            continue;
        QList<int> groups = sizes.values();
        std::sort(groups.rbegin(), groups.rend());
        const QStringList groupTexts = listOf(groups, [](int size) { return QString::number(size); });
        const QString among = groupTexts.join(listComma());
        checks.push_back(collectiveCheck(Status::Pass, operation, {},
                                         largest == 0
                                             ? tr("%1 works in groups of %2.").arg(operation, among)
                                             : tr("%1 is correct in groups of %2, up to %3; at best %4 MB/s.")
                                                   .arg(operation, among, sizeText(largest), number(best))));
    }
    if (checks.empty())
        checks.push_back(collectiveCheck(Status::Skipped, u"collectives"_s, {},
                                         m_results.ranks.size() < 2
                                             ? tr("There is only one rank: a collective operation needs two.")
                                             : tr("No collective operation was run.")));
    return checks;
}

} // namespace rankdeck
