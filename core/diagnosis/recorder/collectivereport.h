#pragma once

#include "diagnosis/recorder/recorderdump.h"

namespace rankdeck
{

/// Where one rank is in the collectives of a process group.
struct RankCollective {
    int rank = 0;
    bool hasDump = true;    ///< Without one nothing else is known.
    qint64 completed = 0;   ///< Sequence number of the last that it completed; 0: none.
    qint64 reached = 0;     ///< Of the last that it has called; 0: none.
    QString operation;      ///< Of that: "all_reduce".
    QString shape;          ///< "[[1024]] [float32]"
    QString place;          ///< "model.py:212 in forward"; may be empty.
    bool isWaiting = false; ///< It has called it, and has not completed it.
};

/// Ranks that call another thing than the others at the same number, or from elsewhere.
struct CollectiveMismatch {
    enum class Kind { Operation, Shape, Place };

    Kind kind = Kind::Operation;
    qint64 sequence = 0;
    QMap<QString, QList<int>> ranks; ///< By what they call.
};

/// A process group.
struct CollectiveGroup {
    RecordedGroup group;
    std::vector<RankCollective> ranks; ///< Ascending; all members, also those without a dump.
    qint64 completedByAll = 0;         ///< The last collective that all completed; 0: none that is known.
    /// The first that some wait in and others have not called; 0: none waits for another.
    qint64 stuckAt = 0;
    QString operation; ///< Of stuckAt, or of what all wait in.
    QList<int> waiting;
    QList<int> missing; ///< Of the members: have not called it.
    std::optional<CollectiveMismatch> mismatch;
    std::optional<int> slowRank; ///< The others wait for it in each collective.
    double slowWaitMs = 0;       ///< The median wait of the others; that rank's own is a quarter at most.

    bool isStuck() const { return !waiting.isEmpty(); }
};

/// What the dumps of a run say.
struct CollectiveReport {
    std::vector<CollectiveGroup> groups; ///< Those that stand still first, where it began before the others.
    /// Sentences, the cause first. Empty: nothing stands still, nothing differs.
    QStringList findings;
    /// Whom the first of them is about: the ranks that are missing where it began, or that call another thing
    /// than most others. Ascending; empty where no rank stands out.
    QList<int> suspects;
    QList<int> dumped; ///< The ranks whose dumps were read.
    QList<Error> unreadable;

    bool hasDump(int rank) const { return dumped.contains(rank); }
};

CollectiveReport reportCollectives(const RecorderDumps &read);

} // namespace rankdeck
