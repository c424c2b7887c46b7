#pragma once

#include "base/sentence.h"
#include "diagnosis/recorder/recorderdump.h"

namespace rankdeck
{

/// Where one rank is in the collectives of a process group.
struct RankCollective {
    int rank = 0;
    bool hasDump = true;    ///< If false, nothing else is known.
    qint64 completed = 0;   ///< Sequence number of the last that it completed; 0: none.
    qint64 reached = 0;     ///< Sequence number of the last collective that it called; 0: none.
    QString operation;      ///< Name of the last collective that it called: "all_reduce".
    QString shape;          ///< "[[1024]] [float32]"
    QString place;          ///< "model.py:212 in forward"; may be empty.
    bool isWaiting = false; ///< It has not completed the last collective that it called.
};

/// Ranks that call another operation than the others at the same number, or call it from another place.
struct CollectiveMismatch {
    enum class Kind { Operation, Shape, Place };

    Kind kind = Kind::Operation;
    qint64 sequence = 0;
    QMap<QString, QList<int>> ranks; ///< Ranks by their call.
};

/// A process group.
struct CollectiveGroup {
    RecordedGroup group;
    std::vector<RankCollective> ranks; ///< Ascending; all members, also those without a dump.
    qint64 completedByAll = 0;         ///< The last collective that all completed; 0: none that is known.
    /// The first that some wait in and others have not called; 0: none waits for another.
    qint64 stuckAt = 0;
    QString operation; ///< The operation at stuckAt; else the one in which all wait.
    QList<int> waiting;
    QList<int> missing; ///< Members that have not called it.
    std::optional<CollectiveMismatch> mismatch;
    std::optional<int> slowRank; ///< The others wait for it in each collective.
    double slowWaitMs = 0;       ///< The median wait of the others, ms; that rank's own is a quarter at most.

    bool isStuck() const { return !waiting.isEmpty(); }
};

/// The state of a run's collectives, from the dumps of its ranks.
struct CollectiveReport {
    std::vector<CollectiveGroup> groups; ///< Stuck groups first, earliest at the top.
    /// Sentences, the cause first. Empty: nothing stands still, nothing differs.
    QList<Sentence> findings;
    /// The ranks that the first finding is about: those missing where the run first got stuck, or those whose
    /// call differs from most. Ascending; empty if no rank stands out.
    QList<int> suspects;
    QList<int> dumped; ///< The ranks whose dumps were read.
    QList<Error> unreadable;

    bool hasDump(int rank) const { return dumped.contains(rank); }
};

CollectiveReport reportCollectives(const RecorderDumps &read);

} // namespace rankdeck
