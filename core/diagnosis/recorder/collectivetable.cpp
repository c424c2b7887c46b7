#include "diagnosis/recorder/collectivetable.h"

#include <algorithm>
#include <map>

namespace rankdeck
{

using State = CollectiveCell::State;

/// Returns the collectives of a group in a rank's dump, by sequence number.
static std::map<qint64, CollectiveCell> cellsOf(const RecorderDump &dump, const RecordedGroup &group)
{
    std::map<qint64, CollectiveCell> cells;
    for (const RecordedCollective &its : dump.collectives) {
        if (!its.isPointToPoint && dump.groups[std::size_t(its.group)].name == group.name)
            // The states of a call follow each other in the same order in both.
            cells[its.sequence] = {static_cast<State>(int(State::Scheduled) + int(its.state)),
                                   dump.operation(its), dump.shape(its), dump.place(its), false};
    }
    return cells;
}

/// Marks the cells of a column whose call differs from most others.
static void markOdd(std::vector<CollectiveTable::Row> &rows, std::size_t column)
{
    QMap<QString, int> counts;
    const auto callOf = [column](const CollectiveTable::Row &row) {
        const CollectiveCell &cell = row.cells[column];
        return cell.operation + ' '_L1 + cell.shape;
    };
    for (const CollectiveTable::Row &row : rows) {
        if (row.cells[column].state >= State::Scheduled)
            ++counts[callOf(row)];
    }
    if (counts.size() < 2)
        return;
    const int most = *std::ranges::max_element(counts);
    const bool isClear = std::ranges::count(counts, most) == 1;
    for (CollectiveTable::Row &row : rows) {
        CollectiveCell &cell = row.cells[column];
        cell.isOdd = cell.state >= State::Scheduled && (!isClear || counts.value(callOf(row)) < most);
        row.isOdd = row.isOdd || cell.isOdd;
    }
}

static CollectiveTable tableOf(const RecorderDumps &read, const CollectiveGroup &group, int columns)
{
    CollectiveTable table{group.group, {}, {}};
    std::map<int, std::map<qint64, CollectiveCell>> byRank;
    qint64 last = 0;
    for (const RecorderDump &dump : read.dumps) {
        auto cells = cellsOf(dump, group.group);
        if (!cells.empty())
            last = std::max(last, cells.rbegin()->first);
        byRank[dump.rank] = std::move(cells);
    }
    for (qint64 sequence = std::max<qint64>(1, last - columns + 1); sequence <= last; ++sequence)
        table.sequences << sequence;
    for (const RankCollective &rank : group.ranks) {
        CollectiveTable::Row row{rank.rank, !rank.hasDump || group.missing.contains(rank.rank), {}};
        const auto known = byRank.find(rank.rank);
        for (const qint64 sequence : std::as_const(table.sequences)) {
            CollectiveCell cell;
            if (known != byRank.end() && rank.hasDump) {
                const auto found = known->second.find(sequence);
                if (found != known->second.end())
                    cell = found->second;
                else if (sequence > rank.reached)
                    cell.state = State::NotCalled;
            }
            row.cells.push_back(cell);
        }
        table.rows.push_back(std::move(row));
    }
    for (std::size_t column = 0; column < std::size_t(table.sequences.size()); ++column)
        markOdd(table.rows, column);
    std::ranges::stable_sort(table.rows, {},
                             [](const CollectiveTable::Row &row) { return std::pair(!row.isOdd, row.rank); });
    return table;
}

std::vector<CollectiveTable> collectiveTables(const RecorderDumps &read, const CollectiveReport &report,
                                              int columns)
{
    std::vector<CollectiveTable> tables;
    for (const CollectiveGroup &group : report.groups)
        tables.push_back(tableOf(read, group, columns));
    return tables;
}

} // namespace rankdeck
