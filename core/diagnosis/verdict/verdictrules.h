#pragma once

#include "diagnosis/evidence/rankevidence.h"
#include "diagnosis/recorder/collectivereport.h"
#include "diagnosis/verdict/verdict.h"
#include "run/record/runstate.h"

#include <set>

namespace rankdeck
{

/// The facts that a verdict is decided from.
struct Case {
    std::vector<RankEvidence> workers; ///< By rank.
    std::optional<RankEvidence> scheduler;
    std::optional<RankEvidence> console; ///< Errors without a known rank.
    /// The rank that has this device; nothing when that is not known.
    std::function<std::optional<int>(const PeerPlace &)> rankAt;
    int connectTimeout = 120; ///< s; HCCL_CONNECT_TIMEOUT.
    int worldSize = 0;        ///< The greatest that a log tells; 0: none does.
    /// The worker seen to fail first, by exits and error files, nodes' clocks compared; nothing: none.
    std::optional<int> seenFirst;

    /// The report of the ranks' flight recorders; nothing if there are no dumps.
    std::optional<CollectiveReport> collectives;
    std::set<int> absent; ///< Ranks that never came to the scheduler, by its log.
    /// In which the run is, or was when its user stopped it; nothing for a run that failed.
    std::optional<RunStall> stall;

    const RankEvidence *worker(int rank) const;
};

/// The decision of a rule.
struct Ruling {
    QString rule;
    Sentence reason;
    Verdict::Confidence confidence = Verdict::Confidence::Undecided;
    const RankEvidence *root = nullptr;
    /// Errors that explain a root which shows none: nobody else's, in lines that name no rank; else null.
    const RankEvidence *words = nullptr;
    std::vector<const RankEvidence *> candidates;
    /// Ranks whose logs the ruling rests on, root first; their first errors are the evidence.
    std::vector<const RankEvidence *> witnesses;
};

/// The first rule that fits decides:
/// - own-error: a rank whose first error is not a wait for another one; if several, the earliest; if their
///   times are too close, the one that was seen to fail first; undecided if that was not seen.
/// - alike-error: all ranks have the same error.
/// - one-log: an error in a log that names no rank, if no rank has one; undecided if several failed.
/// - exit: a rank that failed without a message before all others, or that a signal killed while all others
///   show exceptions with nothing but their type.
/// - collectives: the rank that did not enter a collective in which others wait, or called another one, by
///   the dumps of their flight recorders.
/// - mismatch: among ranks that do not agree, the one that disagrees with most.
/// - absent: the rank that never registered with the scheduler.
/// - interrupted: the rank that was in user code when a run that stood still was interrupted, while the
///   others were in a collective operation; of a run that failed, the one that SIGINT ended.
/// - named: the rank that the scheduler, a heartbeat or a failed transfer names.
/// - wait-graph: the one rank that others wait for, directly or through ranks that wait themselves.
/// - place: the rank that gave up at another place of the program than all others.
/// - late: the rank that began to wait later than the others timed out; or that found the connection closed
///   while all others timed out.
/// - behind: the rank that had begun the fewest collective operations.
/// - silent: the only rank without an error, while others wait; or the one silent longest.
/// - stalled: in a run that stands still, the rank that was silent first, is behind or paused; that is in
///   no collective while others are; or that is elsewhere in the program than all others.
/// Source: mind-cluster's fault diagnosis (ascend-faultdiag), its root cluster rules.
std::optional<Ruling> rule(const Case &evidence);

// Its parts: in verdictrules.cpp, those on ranks that wait in waitingrules.cpp, on where they stood in
// placerules.cpp.
std::optional<Ruling> ruleByOwnErrors(const Case &evidence);
std::optional<Ruling> ruleByInterrupt(const Case &evidence);
std::optional<Ruling> ruleByRecorders(const Case &evidence);
std::optional<Ruling> ruleByWaiting(const Case &evidence);
std::optional<Ruling> ruleByStall(const Case &evidence);

/// Returns how many errors of a log have the text of its heaviest, but for what differs between ranks.
std::ptrdiff_t sameErrors(const RankEvidence &log);

/// Returns an error text without what differs between ranks: numbers, addresses, paths.
QString errorSignature(const QString &text);

} // namespace rankdeck
