#include "ranktable/rules/tablerules.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

struct ServerRanks {
    QString serverId;
    int first = 0;
    int last = 0;
    int count = 0;
    JsonValue place; ///< Place of the server's first rank.
};

class RankCheck
{
public:
    RankCheck(const ReadTable &read, FindingCollector &findings)
        : m_read(read)
        , m_findings(findings)
        , m_total(read.table.deviceCount())
        , m_taken(static_cast<std::size_t>(m_total), false)
    {
    }

    void run()
    {
        for (std::size_t index = 0; index < m_read.table.servers.size(); ++index) {
            const Server &server = m_read.table.servers[index];
            for (std::size_t number = 0; number < server.devices.size(); ++number) {
                if (const auto rank = server.devices[number].rank)
                    take(*rank, server, placeOf(index, number));
                else
                    m_isWhole = false; // checkShape() reports it.
            }
        }
        // With ranks missing or doubled, what follows would only repeat it.
        if (m_isWhole && m_read.table.form != RankTableForm::RankList)
            checkServers();
    }

private:
    JsonValue placeOf(std::size_t server, std::size_t device) const
    {
        const ServerPlace &place = m_read.servers[server];
        const JsonValue parent =
            m_read.table.form == RankTableForm::LabGroupList ? place.server : place.devices[device];
        return parent.memberOrThis("rank_id");
    }

    void take(Rank rank, const Server &server, JsonValue place)
    {
        if (rank.value >= m_total) {
            m_isWhole = false;
            m_findings.add(rules::rankRange, place,
                           tr("Rank %1 in a table of %2 devices: ranks must be 0 to %3.")
                               .arg(rank.value)
                               .arg(m_total)
                               .arg(m_total - 1),
                           tr("Number the ranks from 0 without gaps."));
        } else if (m_taken[rank.value]) {
            m_isWhole = false;
            m_findings.add(rules::duplicateRank, place, tr("Rank %1 is used twice.").arg(rank.value),
                           tr("Number the ranks from 0 without gaps."));
        } else {
            m_taken[rank.value] = true;
        }
        noteOrder(rank, place);
        noteServer(rank, server, place);
    }

    void noteOrder(Rank rank, JsonValue place)
    {
        const bool isSorted = m_read.table.form == RankTableForm::RankList || rank.value >= m_previous;
        if (!isSorted)
            m_findings.add(rules::unsortedRanks, place,
                           tr("Rank %1 follows rank %2 in the file.").arg(rank.value).arg(m_previous));
        m_previous = rank.value;
    }

    void noteServer(Rank rank, const Server &server, JsonValue place)
    {
        const auto known = m_indexes.constFind(server.serverId);
        if (known == m_indexes.cend()) {
            m_indexes.insert(server.serverId, m_servers.size());
            m_servers.push_back({server.serverId, rank.value, rank.value, 1, place});
            return;
        }
        ServerRanks &ranks = m_servers[*known];
        ranks.first = std::min(ranks.first, rank.value);
        ranks.last = std::max(ranks.last, rank.value);
        ++ranks.count;
    }

    void checkServers()
    {
        for (const ServerRanks &ranks : m_servers) {
            if (ranks.last - ranks.first + 1 != ranks.count)
                m_findings.add(
                    rules::interleavedRanks, ranks.place,
                    tr("The ranks of server \"%1\" lie between those of another server.").arg(ranks.serverId),
                    tr("Number the ranks server after server."));
        }
        std::ranges::sort(m_servers, {}, &ServerRanks::first);
        const auto misplaced =
            std::ranges::adjacent_find(m_servers, [](const ServerRanks &left, const ServerRanks &right) {
                return left.serverId > right.serverId;
            });
        if (misplaced != m_servers.end())
            m_findings.add(
                rules::serverOrder, (misplaced + 1)->place,
                tr("Server \"%1\" has higher ranks than \"%2\". MindSpore requires the dictionary order of "
                   "server_id.")
                    .arg((misplaced + 1)->serverId, misplaced->serverId),
                tr("Merge the servers' tables again, or leave it if nothing but HCCL reads the table."));
    }

    const ReadTable &m_read;
    FindingCollector &m_findings;
    int m_total;
    std::vector<bool> m_taken;
    bool m_isWhole = true;
    int m_previous = -1;
    std::vector<ServerRanks> m_servers;
    QHash<QString, std::size_t> m_indexes; ///< In m_servers, by server_id.
};

} // namespace

void checkRanks(const ReadTable &read, FindingCollector &findings)
{
    // The former names no ranks, of the latter each group counts its own, see checkGroups().
    if (read.table.form != RankTableForm::GroupList && read.table.form != RankTableForm::ServerGroupList)
        RankCheck(read, findings).run();
}

} // namespace rankdeck
