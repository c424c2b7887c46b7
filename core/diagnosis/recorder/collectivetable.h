#pragma once

#include "diagnosis/recorder/collectivereport.h"

namespace rankdeck
{

/// The part of a rank in one collective.
struct CollectiveCell {
    enum class State {
        Unknown,   ///< The rank gave no dump, or had forgotten it.
        NotCalled, ///< Others have called it.
        Scheduled,
        Started,
        Completed,
    };

    State state = State::Unknown;
    QString operation;  ///< "all_reduce"
    QString shape;      ///< "[[1024]] [float32]"
    QString place;      ///< "model.py:212 in forward"; may be empty.
    bool isOdd = false; ///< It calls another operation, or with another size or type, than most ranks.

    bool operator==(const CollectiveCell &) const = default;
};

/// The last collectives of a process group.
struct CollectiveTable {
    struct Row {
        int rank = 0;
        bool isOdd = false; ///< It is missing where others wait, or its call differs from most in a cell.
        std::vector<CollectiveCell> cells; ///< By column.

        bool operator==(const Row &) const = default;
    };

    RecordedGroup group;
    QList<qint64> sequences; ///< Sequence number of each column, ascending.
    std::vector<Row> rows;   ///< Odd ones first, then by rank.

    bool operator==(const CollectiveTable &) const = default;
};

/// Returns a table for each group of the report, in its order, with the last `columns` collectives that any
/// rank has called. Transfers between two ranks are left out.
std::vector<CollectiveTable> collectiveTables(const RecorderDumps &read, const CollectiveReport &report,
                                              int columns = 32);

} // namespace rankdeck
