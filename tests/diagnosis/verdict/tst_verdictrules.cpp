#include "handmadecase.h"
#include "launch/plan/processplan.h"
#include "run/record/runphase.h"
#include "support/testmain.h"

#include <QTest>

#include <csignal>

namespace tst_verdictrules
{

using namespace rankdeck;

namespace
{

using Ranks = QList<int>;
using Confidence = Verdict::Confidence;

constexpr int nobody = -1;
constexpr int scheduler = -2;
const ExitStatus exitCode{ExitStatus::Kind::Exited, 1};
const ExitStatus killed{ExitStatus::Kind::Signalled, SIGKILL};

/// What a rule is to say. Without a rule: none fits.
struct Wanted {
    const char *rule = "";
    int root = nobody;
    Confidence confidence = Confidence::Undecided;
    Ranks candidates{};
};

void row(const char *name, const Case &evidence, const Wanted &wanted)
{
    QTest::newRow(name) << evidence << QString::fromLatin1(wanted.rule) << wanted.root
                        << confidenceWord(wanted.confidence) << wanted.candidates;
}

RankEvidence failing(int rank, std::optional<double> when = {}, const char *text = "ValueError: no")
{
    return rankWith(rank, {errorLine(Layer::Own, text, when)});
}

RankEvidence disagreeing(int rank, std::vector<int> peers = {})
{
    return rankWith(rank, {errorLine(Layer::Disagreement, "EI0005", {}, std::move(peers))});
}

RankEvidence vague(int rank)
{
    return rankWith(rank, {errorLine(Layer::Wrapper, "EE9999")});
}

/// With an exception of which only the type is known.
RankEvidence unknown(int rank, std::optional<double> when = {})
{
    RankEvidence made =
        rankWith(rank, {errorLine(Layer::Wrapper, "RuntimeError: stack expects equal size", when)});
    made.errors.front().entryId = u"python-runtime-error"_s;
    return made;
}

/// Whose error is guessed to be its own.
RankEvidence guessed(int rank)
{
    RankEvidence made = failing(rank);
    made.isGuessed = true;
    return made;
}

RankEvidence interrupted(int rank, bool isInCollective)
{
    RankEvidence made =
        rankWith(rank, {errorLine(Layer::Wait, "KeyboardInterrupt")}); // As the catalogue has it.
    made.traces.emplace_back().exception = u"KeyboardInterrupt"_s;
    made.traces.front().isInCollective = isInCollective;
    return made;
}

/// A launcher sent it SIGTERM.
RankEvidence endedByLauncher(int rank)
{
    RankEvidence made = ended(rankWith(rank), {ExitStatus::Kind::Signalled, SIGTERM});
    made.stopRequested = true;
    return made;
}

RankEvidence waitingWith(int rank, const char *text)
{
    return rankWith(rank, {errorLine(Layer::Wait, text)});
}

RankEvidence onNode(RankEvidence rank, const char *node)
{
    rank.node = QString::fromLatin1(node);
    return rank;
}

RankEvidence naming(int rank, const std::vector<int> &devices)
{
    RankEvidence made = waiting(rank);
    for (const int device : devices)
        made.errors.front().peers.places.push_back({"10.0.0.1", device, {}});
    return made;
}

RankEvidence inOperation(int rank, std::optional<qint64> number, const char *name = "")
{
    RankEvidence made = waiting(rank);
    made.errors.front().operation = number;
    made.errors.front().operationName = QString::fromLatin1(name);
    return made;
}

Case withScheduler(Case evidence, RankEvidence made)
{
    made.role = Role::Scheduler;
    made.process = int(evidence.workers.size());
    evidence.scheduler = std::move(made);
    return evidence;
}

int numberOf(const RankEvidence *rank)
{
    return !rank ? nobody : rank->role == Role::Scheduler ? scheduler : rank->rank.value;
}

void addRulingColumns()
{
    QTest::addColumn<Case>("evidence");
    QTest::addColumn<QString>("ruleName");
    QTest::addColumn<int>("root");
    QTest::addColumn<QString>("confidence");
    QTest::addColumn<Ranks>("candidates");
}

} // namespace

class TestVerdictRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRankWithAnErrorOfItsOwnFailedFirst_data();
    void aRankWithAnErrorOfItsOwnFailedFirst() { judge(); }
    void aRankThatEndedWithoutAWordFailedFirst_data();
    void aRankThatEndedWithoutAWordFailedFirst() { judge(); }
    void whatOthersSayDecides_data();
    void whatOthersSayDecides() { judge(); }
    void timesAndOperationsDecide_data();
    void timesAndOperationsDecide() { judge(); }
    void theRootIsTheFirstWitness();
    void linesThatNameNoRankExplainRanksThatOnlyWaited_data();
    void linesThatNameNoRankExplainRanksThatOnlyWaited();

private:
    static void judge();
};

void TestVerdictRules::judge()
{
    QFETCH(Case, evidence);
    QFETCH(QString, ruleName);
    QFETCH(int, root);
    QFETCH(QString, confidence);
    QFETCH(Ranks, candidates);
    const auto ruling = rule(evidence);
    QCOMPARE(ruling ? ruling->rule : QString(), ruleName);
    if (!ruling)
        return;
    QCOMPARE(numberOf(ruling->root), root);
    QCOMPARE(confidenceWord(ruling->confidence), confidence);
    Ranks found;
    for (const RankEvidence *candidate : ruling->candidates)
        found << numberOf(candidate);
    std::sort(found.begin(), found.end());
    QCOMPARE(found, candidates);
    QVERIFY(!ruling->reason.isEmpty());
    QVERIFY(!ruling->reason.text().contains('%'_L1));
}

void TestVerdictRules::aRankWithAnErrorOfItsOwnFailedFirst_data()
{
    addRulingColumns();
    const Wanted certain{"own-error", 1, Confidence::Certain};
    const Wanted likely{"own-error", 1, Confidence::Likely};
    row("nobody without errors", caseOf({rankWith(0), rankWith(1)}), {});
    row("alone while others wait", caseOf({waiting(0), failing(1), waiting(2)}), certain);
    row("alone, and it ended badly", caseOf({rankWith(0), ended(failing(1), exitCode)}), certain);
    row("alone, but it may have gone on", caseOf({rankWith(0), failing(1)}), likely);
    row("before another that ended by itself",
        caseOf({ended(rankWith(0), exitCode, 20), ended(failing(1, 10), exitCode, 11)}), certain);
    row("alone, but another ended before it",
        caseOf({ended(rankWith(0), exitCode, 5), ended(failing(1, 10), exitCode, 11)}), likely);
    row("not where a signal ended another before",
        caseOf({failing(0, 10), ended(rankWith(1), killed, 5), waiting(2)}), {"exit", 1, Confidence::Likely});
    row("although a signal ended another later",
        caseOf({ended(rankWith(0), killed, 15), failing(1, 10), waiting(2)}), certain);
    row("the earliest of several", caseOf({failing(0, 10.3), failing(1, 10), failing(2, 10.4), waiting(3)}),
        likely);
    row("none of those that failed at once", caseOf({failing(0, 10.1), failing(1, 10), waiting(2)}),
        {"own-error", nobody, Confidence::Undecided, {0, 1}});
    Case seen = caseOf({failing(0, 10.1), failing(1, 10), waiting(2)});
    seen.seenFirst = 0;
    row("of those that failed at once the one that was seen to", seen, {"own-error", 0, Confidence::Likely});
    seen.seenFirst = 2;
    row("but not one that waited", seen, {"own-error", nobody, Confidence::Undecided, {0, 1}});
    row("none where a time is not known", caseOf({failing(0), failing(1, 10), waiting(2)}),
        {"own-error", nobody, Confidence::Undecided, {0, 1}});
    row("none of two nodes, whose clocks differ",
        caseOf({onNode(failing(0, 13), "a"), onNode(failing(1, 10), "b"), waiting(2)}),
        {"own-error", nobody, Confidence::Undecided, {0, 1}});
    row("of two nodes one that was much earlier",
        caseOf({onNode(failing(0, 16), "a"), onNode(failing(1, 10), "b"), waiting(2)}), likely);
    row("nobody where all failed alike",
        caseOf({failing(0, 10, "bad 0x7f12 on rank 0"), failing(1, 20, "bad 0x9a on rank 1")}),
        {"alike-error", nobody, Confidence::Likely, {0, 1}});
    row("the earliest where not all failed alike", caseOf({failing(0, 20), failing(1, 10), waiting(2)}),
        likely);
    row("the scheduler", withScheduler(caseOf({waiting(0), waiting(1)}), failing(0)),
        {"own-error", scheduler, Confidence::Certain});
    row("a vague error alone", caseOf({rankWith(0), vague(1)}), likely);
    row("an error of its own before a vague one", caseOf({vague(0), failing(1), waiting(2)}), likely);
    row("an exception that nobody knows", caseOf({rankWith(0), unknown(1), waiting(2)}), likely);
    row("one that nobody knows, before a known one", caseOf({unknown(0, 9), unknown(1, 1), failing(2, 5)}),
        likely);
    row("one that it is only guessed to have", caseOf({waiting(0), ended(guessed(1), exitCode)}), likely);
    row("a wait that comes first is not its own",
        caseOf({rankWith(0, {errorLine(Layer::Wait, "timeout", 1), errorLine(Layer::Own, "ValueError", 2)}),
                failing(1)}),
        certain);
    RankEvidence both =
        rankWith(0, {errorLine(Layer::Wait, "timeout"), errorLine(Layer::Own, "aicore exception")});
    both.errors.back().weight = 80;
    RankEvidence later = both;
    later.errors.back().isAfterCalm = true;
    row("an error of its own in the incident of a wait explains it", caseOf({waiting(1), both}),
        {"own-error", 0, Confidence::Certain});
    later.rank = Rank(1);
    row("one of a later incident does not", caseOf({failing(0), later}),
        {"own-error", 0, Confidence::Certain});
    RankEvidence warned = failing(0);
    warned.errors.insert(warned.errors.begin(), errorLine(Layer::Wait, "slow"));
    warned.errors.front().isWarning = true;
    warned.rank = Rank(1);
    row("a warning does not count before an error", caseOf({waiting(0), warned}), certain);
}

void TestVerdictRules::aRankThatEndedWithoutAWordFailedFirst_data()
{
    addRulingColumns();
    const Wanted likely{"exit", 1, Confidence::Likely};
    row("alone", caseOf({rankWith(0), ended(rankWith(1), killed, 10)}), likely);
    row("while others wait", caseOf({waiting(0), ended(rankWith(1), exitCode, 10), waiting(2)}), likely);
    row("before others that did the same",
        caseOf({ended(rankWith(0), killed, 11), ended(rankWith(1), exitCode, 10), rankWith(2)}), likely);
    row("nobody of those that ended at once",
        caseOf({ended(rankWith(0), killed, 10.1), ended(rankWith(1), exitCode, 10), rankWith(2)}),
        {"exit", nobody, Confidence::Undecided, {0, 1}});
    RankEvidence asked = ended(rankWith(0), killed, 5);
    asked.stopRequested = true;
    row("not one whose end was asked for", caseOf({asked, ended(rankWith(1), killed, 10)}), likely);
    row("not one that ended well",
        caseOf({ended(rankWith(0), ExitStatus{}, 5), ended(rankWith(1), killed, 10)}), likely);
    row("not one whose end nobody saw",
        caseOf({ended(rankWith(0), {ExitStatus::Kind::Unknown, 0}, 5), ended(rankWith(1), killed, 10)}),
        likely);
    RankEvidence tornDown = ended(rankWith(0), killed, 5);
    tornDown.phase = RankPhase::Ended;
    row("one that a signal killed, where others show an exception that nobody knows",
        caseOf({unknown(0, 9), ended(rankWith(1), killed, 10), unknown(2, 9)}), likely);
    row("not one that aborted, as one may that lost a peer",
        caseOf({rankWith(0), ended(rankWith(2), {ExitStatus::Kind::Signalled, SIGABRT}, 10), unknown(1, 9)}),
        {"own-error", 1, Confidence::Likely});
    row("not one that was torn down", caseOf({tornDown, ended(rankWith(1), killed, 10)}), likely);
}

void TestVerdictRules::whatOthersSayDecides_data()
{
    addRulingColumns();
    const auto likely = [](const char *rule, int root) {
        return Wanted{rule, root, Confidence::Likely};
    };
    row("one with which all others do not agree",
        caseOf({disagreeing(0, {2}), disagreeing(1, {2}), rankWith(2), disagreeing(3, {2})}),
        likely("mismatch", 2));
    row("none of two that do not agree", caseOf({disagreeing(0, {1}), disagreeing(1, {0}), rankWith(2)}),
        {"mismatch", nobody, Confidence::Undecided, {0, 1}});
    row("none of those that name nobody", caseOf({disagreeing(0), disagreeing(1), waiting(2, {0, 1})}),
        {"mismatch", nobody, Confidence::Undecided, {0, 1}});
    row("one alone in another operation",
        caseOf({inOperation(0, {}, "AllReduce"), inOperation(1, {}, "AllGather"),
                inOperation(2, {}, "AllReduce")}),
        likely("mismatch", 1));
    row("one that the scheduler names",
        withScheduler(caseOf({waiting(0), rankWith(1), rankWith(2)}),
                      rankWith(0, {errorLine(Layer::Wait, "timed out", {}, {2})})),
        likely("named", 2));
    row("rank 0, when the scheduler names it",
        withScheduler(caseOf({rankWith(0), rankWith(1), waiting(2)}),
                      rankWith(0, {errorLine(Layer::Wait, "timed out", {}, {0})})),
        likely("named", 0));
    row("one that a heartbeat names", caseOf({naming(0, {2}), rankWith(1), rankWith(2), naming(3, {2})}),
        likely("named", 2));
    row("none of two that name each other", caseOf({naming(0, {1}), naming(1, {0})}),
        {"undecided", nobody, Confidence::Undecided, {0, 1}});
    row("the end of a chain of those that wait",
        caseOf({waiting(0, {1}), waiting(1, {2}), waiting(2, {3}), rankWith(3), rankWith(4)}),
        likely("wait-graph", 3));
    row("the one that all wait for", caseOf({waiting(0, {2}), waiting(1, {2}), rankWith(2), rankWith(3)}),
        likely("wait-graph", 2));
    row("none of a circle", caseOf({waiting(0, {1}), waiting(1, {2}), waiting(2, {0})}),
        {"undecided", nobody, Confidence::Undecided, {0, 1, 2}});
    row("those of a circle for which another one waits",
        caseOf({waiting(0, {1}), waiting(1, {0}), waiting(2, {0}), waiting(3, {2})}),
        {"undecided", nobody, Confidence::Undecided, {0, 1}});
    Case absent = withScheduler(caseOf({waiting(0), waiting(1), waiting(2)}), waiting(0));
    absent.absent = {1};
    row("one that never came to the scheduler", absent, likely("absent", 1));
    absent.absent = {1, 2};
    row("none of two that never came", absent, {"absent", nobody, Confidence::Undecided, {1, 2}});
    row("the end behind a circle", caseOf({waiting(0, {1}), waiting(1, {0, 2}), rankWith(2), rankWith(3)}),
        likely("wait-graph", 2));
    row("of two ends the one silent longer",
        caseOf({waiting(0, {1}), heardOf(rankWith(1), 50), heardOf(rankWith(2), 44), waiting(3, {2})}),
        likely("wait-graph", 2));
    row(
        "of two ends one without a log",
        [] {
            Case evidence = caseOf({waiting(0, {1, 2}), rankWith(1), heardOf(rankWith(2), 1)});
            evidence.workers[1].logBytes = 0;
            return evidence;
        }(),
        likely("wait-graph", 1));
    row("none of two ends that fell silent at once",
        caseOf({waiting(0, {1}), heardOf(rankWith(1), 50), heardOf(rankWith(2), 46), waiting(3, {2})}),
        {"wait-graph", nobody, Confidence::Undecided, {1, 2}});
    row("nobody who is no rank of the launch", caseOf({waiting(0, {77}), waiting(1, {0, 77})}),
        {"undecided", nobody, Confidence::Undecided, {0, 1}});
    row("not the one that names itself",
        caseOf({waiting(0, {0}), waiting(1, {0, 1}), rankWith(2), rankWith(3)}),
        {"silent", nobody, Confidence::Undecided, {2, 3}});
}

void TestVerdictRules::timesAndOperationsDecide_data()
{
    addRulingColumns();
    const auto likely = [](const char *rule, int root) {
        return Wanted{rule, root, Confidence::Likely};
    };
    row("one that came late", caseOf({waiting(0, {}, 1), waiting(1, {}, 100), waiting(2, {}, 2)}),
        likely("late", 1));
    row("none that came a little late", caseOf({waiting(0, {}, 1), waiting(1, {}, 61), waiting(2, {}, 2)}),
        {"undecided", nobody, Confidence::Undecided, {0, 1, 2}});
    row(
        "one that came late where the timeout is short",
        [] {
            Case evidence = caseOf({waiting(0, {}, 1), waiting(1, {}, 61), waiting(2, {}, 2)});
            evidence.connectTimeout = 60;
            return evidence;
        }(),
        likely("late", 1));
    row("one that found the connection closed where the others timed out",
        caseOf({waitingWith(0, "Timed out waiting 5000ms for recv operation to complete"),
                waitingWith(1, "Connection closed by peer [10.0.0.1]:5821"),
                waitingWith(2, "Socket Timeout")}),
        likely("late", 1));
    row("none where two found it closed",
        caseOf({waitingWith(0, "Socket Timeout"), waitingWith(1, "Connection closed by peer"),
                waitingWith(2, "Connection reset by peer")}),
        {"undecided", nobody, Confidence::Undecided, {0, 1, 2}});
    row("not that one where another is silent",
        caseOf({waitingWith(0, "Socket Timeout"), waitingWith(1, "Connection closed by peer"), rankWith(2)}),
        likely("silent", 2));
    row("one that was in user code when the run was interrupted",
        caseOf({interrupted(0, true), interrupted(1, false), interrupted(2, true)}),
        likely("interrupted", 1));
    row("nobody where all were in a collective operation",
        caseOf({interrupted(0, true), interrupted(1, true)}),
        {"undecided", nobody, Confidence::Undecided, {0, 1}});
    const ExitStatus interruptedBySignal{ExitStatus::Kind::Signalled, SIGINT};
    row("the only one that SIGINT ended",
        caseOf({waitingWith(0, "Connection closed by peer"),
                ended(interrupted(1, false), interruptedBySignal), endedByLauncher(2)}),
        likely("interrupted", 1));
    row("not one that was interrupted where another failed by itself",
        caseOf(
            {ended(interrupted(0, false), interruptedBySignal), failing(1), waitingWith(2, "reset by peer")}),
        {"own-error", 1, Confidence::Certain});
    row("not one that was interrupted after the others had waited for another",
        caseOf({ended(interrupted(0, false), interruptedBySignal), waitingWith(1, "Socket Timeout"),
                rankWith(2)}),
        likely("silent", 2));
    row("one behind in operations", caseOf({inOperation(0, 80), inOperation(1, 77), inOperation(2, 80)}),
        likely("behind", 1));
    row("none of two behind", caseOf({inOperation(0, 77), inOperation(1, 77), inOperation(2, 80)}),
        {"undecided", nobody, Confidence::Undecided, {0, 1, 2}});
    row("none where all are in the same operation", caseOf({inOperation(0, 80), inOperation(1, 80)}),
        {"undecided", nobody, Confidence::Undecided, {0, 1}});
    row("the only one that is silent", caseOf({waiting(0), rankWith(1), waiting(2)}), likely("silent", 1));
    row("the only silent one that its launcher did not end",
        caseOf({waitingWith(0, "Connection closed by peer"), endedByLauncher(1), rankWith(2)}),
        likely("silent", 2));
    row("a silent one that its launcher ended, where the others had waited",
        caseOf({waitingWith(0, "Socket Timeout"), endedByLauncher(1), waitingWith(2, "Socket Timeout")}),
        likely("silent", 1));
    row("none where two ranks do not agree",
        caseOf({rankWith(0), rankWith(1, {errorLine(Layer::Disagreement, "256 vs 4")}),
                waitingWith(2, "reset by peer")}),
        {"mismatch", nobody, Confidence::Undecided, {}});
    row("of several silent ones the one silent longest",
        caseOf({waiting(0), heardOf(rankWith(1), 10), heardOf(rankWith(2), 20)}), likely("silent", 1));
    row("none of those that fell silent at once",
        caseOf({waiting(0), heardOf(rankWith(1), 10), heardOf(rankWith(2), 12)}),
        {"silent", nobody, Confidence::Undecided, {1, 2}});
    row("none of silent ones without times", caseOf({waiting(0), rankWith(1), rankWith(2)}),
        {"silent", nobody, Confidence::Undecided, {1, 2}});
}

void TestVerdictRules::theRootIsTheFirstWitness()
{
    const Case evidence = caseOf({waiting(0, {2}), waiting(1, {2}), rankWith(2)});
    const auto ruling = rule(evidence);
    QVERIFY(ruling);
    std::vector<int> witnesses;
    for (const RankEvidence *each : ruling->witnesses)
        witnesses.push_back(each->rank.value);
    QCOMPARE(witnesses, (std::vector{2, 0, 1}));
}

void TestVerdictRules::linesThatNameNoRankExplainRanksThatOnlyWaited_data()
{
    QTest::addColumn<Case>("evidence");
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("isExplained");
    const auto row = [](const char *name, const std::vector<RankEvidence> &workers, const char *entry,
                        const char *rule, bool isExplained) {
        QTest::newRow(name) << caseOf(workers) << QString::fromLatin1(entry) << QString::fromLatin1(rule)
                            << isExplained;
    };
    row("the one that was waited for", {waiting(0, {2}), waiting(1, {2}), rankWith(2)}, "npu-memory",
        "wait-graph", true);
    row("nobody knows whose", {waiting(0), waiting(1)}, "npu-memory", "one-log", false);
    row("how a process ended explains nothing", {waiting(0), waiting(1)}, "system-shell-killed", "undecided",
        false);
}

void TestVerdictRules::linesThatNameNoRankExplainRanksThatOnlyWaited()
{
    QFETCH(Case, evidence);
    QFETCH(QString, entry);
    RankEvidence console = failing(-1, {}, "out of memory");
    console.role = Role::Console;
    console.errors.front().entryId = entry;
    console.errors.front().weight = 90;
    evidence.console = console;
    const auto ruling = rankdeck::rule(evidence);
    QVERIFY(ruling);
    QTEST(ruling->rule, "rule");
    QTEST(ruling->words == &*evidence.console, "isExplained");
    QCOMPARE(ruling->root == &*evidence.console, ruling->rule == "one-log"_L1);
}

} // namespace tst_verdictrules

RANKDECK_TEST(tst_verdictrules, TestVerdictRules)
#include "tst_verdictrules.moc"
