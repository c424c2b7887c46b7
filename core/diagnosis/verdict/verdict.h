#pragma once

#include "diagnosis/evidence/pythontrace.h"
#include "diagnosis/failure/failureexplanation.h"
#include "launch/plan/processplan.h"
#include "run/record/failure.h"

#include <QDateTime>

namespace rankdeck
{

class Fields;
struct LaunchPlan;

/// The rank of a run that failed first and the reason, with the evidence. A value.
struct Verdict {
    enum class Confidence {
        Certain,   ///< One rank alone shows an error of its own.
        Likely,    ///< A rule decides, from times or from what other ranks say.
        Undecided, ///< Nothing decides; `candidates` remain.
    };

    /// A line that the verdict rests on.
    struct Evidence {
        int process = -1; ///< Index in LaunchPlan::processes.
        Role role = Role::Worker;
        Rank rank;
        QString file;
        qint64 line = 0; ///< From 1; 0 without a line, as for an exit status.
        QString text;
        QString time;    ///< As it stands in the log, to the second; empty when not known.
        QString entryId; ///< Id of the catalogue entry; may be empty.

        bool operator==(const Evidence &) const = default;
    };

    /// Ranks that say the same.
    struct Group {
        std::vector<Rank> ranks; ///< Ascending.
        Sentence text;           ///< "EI0006 waiting for rank 3", "ValueError: bad value", "no error".
        QString entryId;         ///< May be empty.
        int process = -1;        ///< One of the group's processes.

        bool operator==(const Group &) const = default;
    };

    /// How a process ended.
    struct Exit {
        int process = -1;
        Role role = Role::Worker;
        Rank rank;
        QDateTime when; ///< UTC; invalid while it runs, or if its exit was not seen.
        Sentence text;  ///< "exit code 1", "SIGKILL", "running".

        bool operator==(const Exit &) const = default;
    };

    bool hasFailure = false;
    /// Of a run that was started again, the attempt that it is about, from 0: the first that failed.
    std::optional<int> attempt;
    /// The one to look at: index in LaunchPlan::processes; -1: not decided, or it left nothing here.
    int process = -1;
    Role role = Role::Worker;    ///< Role of the process.
    Rank rank = Failure::noRank; ///< Rank of the process; noRank also for a scheduler or a console.
    bool isRankOpen = false;     ///< Nobody knew its rank yet, see ProcessPlan: it is that of `device`.
    QString node;                ///< Node of the process; empty when not known.
    DeviceId device = ProcessPlan::noDevice;
    qint64 pid = 0;      ///< Pid of the process; 0 when not known.
    bool isHang = false; ///< It did not fail: others timed out waiting for it, and it was stopped with them.
    bool isPaused = false;               ///< It hung because a signal (SIGSTOP) had stopped it.
    std::optional<qint64> step;          ///< Step that a hung rank reached, from its log.
    std::optional<qint64> silentSeconds; ///< From a hung rank's last line to another's first report.
    QStringList lastLines;               ///< Last lines of the log of a hung rank; plain text.
    QStringList stacks; ///< Stacks of a hung rank, taken before it was stopped: lines as in their file.
    Confidence confidence = Confidence::Undecided;
    QString rule;    ///< Stable word: "own-error", "wait-graph", … See verdictrules.h.
    Sentence reason; ///< The rule in words: one sentence on why it is this rank, or none.
    QString causeId; ///< Id of the catalogue entry; empty when no entry fits.
    /// The cause in one line, in the rank's own words, else those of ranks that waited for it. May be empty.
    Sentence cause;
    Sentence ending;                  ///< How it ended, as describeExit() says it; empty when not known.
    std::optional<PythonFrame> frame; ///< Where in the user's code.
    QStringList trace;        ///< Traceback of the rank that `cause` quotes, oldest line first; plain text.
    FailureExplanation known; ///< The catalogue's explanation, in the program's language.
    std::vector<Rank> candidates;   ///< Ascending; those it may be when it is not decided.
    std::vector<Evidence> evidence; ///< Strongest evidence first.
    std::vector<Group> groups;      ///< Most informative first.
    std::vector<Exit> exits;        ///< In the order of time; those without a time last.
    Sentence advice;                ///< Advice if the catalogue has none: one sentence.
    Sentence ownAdvice;             ///< Advice of the error's own message; may be empty.
    QList<Sentence> notes;          ///< Further facts, and the parts left out; sentences.
    QList<Sentence> collectives;    ///< Findings of the flight recorders, the cause first; sentences.
    QList<Sentence> samples;        ///< Load of NPUs or processes, from sampleSummary().

    /// Whether it is decided which process it was.
    bool hasRoot() const { return rank != Failure::noRank || (role != Role::Worker && process >= 0); }
    bool operator==(const Verdict &) const = default;
};

/// "certain", "likely" or "undecided".
QString confidenceWord(Verdict::Confidence confidence);
/// The keys are those of `report --json` (the manual's page on JSON), in camel case: "rootRank" for
/// root_rank. Beside each sentence, or list of sentences, "…Said" says how it was made: see Fields::said().
/// Reading does not set the processes.
void visitFields(Fields &fields, Verdict &verdict);

/// Returns a verdict that was read, with its processes as they are in `plan`.
Verdict withProcesses(Verdict verdict, const LaunchPlan &plan);
/// Reads text by jsonTextOf(), with processes as they are in `plan`. Nothing for other text.
std::optional<Verdict> verdictFrom(const QByteArray &text, const LaunchPlan &plan);

/// Takes titles and explanation of a verdict in English from the catalogue, in the user's language.
Verdict inWordsOfUser(Verdict verdict);

} // namespace rankdeck
