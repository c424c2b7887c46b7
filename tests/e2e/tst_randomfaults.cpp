#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/faultarena.h"
#include "support/faultclients.h"
#include "support/launcherarenas.h"
#include "support/testmain.h"

#include <QDeadlineTimer>

#include <sys/resource.h>

namespace tst_randomfaults
{

using namespace rankdeck;

/// Faults that befall live runs at random times, alone, in pairs and in triples: signals to any process,
/// freezes, no descriptors left, what can break where the run is (see FaultArena), and clients that ask
/// different things of it at the same moment (see FaultClients). Whatever it was, nothing is left in the end
/// but what was adopted, the record can be read and says how the run ended, no line that a rank wrote is
/// missing in its log, no rank is blamed that was not hit, a run has only succeeded if the last life of each
/// rank ended with 0, and each client has returned.
///
/// Some known rounds by default, more of them where CI is set; RANKDECK_FAULT_MINUTES=60 for an hour of new
/// ones. A round that fails prints its seed, and RANKDECK_FAULT_SEED=… repeats that round alone. Seeds one
/// after the other are of one arena after the other.
class RandomFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRunEndsWhole();

private:
    static constexpr int limitMs = 15000;

    /// What befell a process, and whose it was.
    struct Hit {
        qint64 pid = 0;
        QString rank; ///< Empty: Rankdeck's own process.
        int signal = 0;
        QString what; ///< For the message.
    };
    using Arena = std::unique_ptr<FaultArena> (*)();
    template <typename Place>
    static std::unique_ptr<FaultArena> make()
    {
        return std::make_unique<Place>();
    }
    struct NamedArena {
        const char *name;
        Arena make;
        int rounds = 0;
    };

    /// What one round has, and what has befallen it.
    struct Round {
        FaultArena &arena;
        FaultClients &clients;
        QRandomGenerator &random;
        QList<Hit> hits = {};
        bool lacksDescriptors = false;
    };

    static QString rankOf(qint64 pid);
    static std::optional<Hit> hitOne(const Round &round);
    static QString takeDescriptors(Round &round);
    static void freeze(const Round &round);
    static QString breakSomething(Round &round);
    static void wait(int ms);
    static QString whoIsLeft(const FaultArena &arena);
    static QString problemAfter(const Round &round);
    static QString endProblem(const Round &round, const RunState *state);
    static QString recordProblem(const Round &round, const RunState &state);
    static QString rankProblem(const Round &round, const RunState &state);
    static QString blameProblem(const Round &round, const RunState &state);
    QString problemInRound(quint32 seed);

    std::array<NamedArena, 7> m_arenas{{{"on this machine", make<LocalArena>},
                                        {"wrapped", make<WrapArena>},
                                        {"adopted", make<AdoptArena>},
                                        {"on two nodes", make<RemoteArena>},
                                        {"on a small disk", make<SmallDiskArena>},
                                        {"from a window", make<WindowArena>},
                                        {"where the clock jumps", make<JumpingClockArena>}}};
    int m_asked = 0; ///< By clients.
};

QString RandomFaultsTest::rankOf(qint64 pid)
{
    QString found;
    for (const QByteArray &variable : fileText(u"/proc/%1/environ"_s.arg(pid)).split('\0')) {
        for (const char *name : {"RANK_ID=", "RANK="}) {
            if (variable.startsWith(name))
                found = QString::fromLatin1(variable.mid(qsizetype(qstrlen(name))));
        }
    }
    return found;
}

std::optional<RandomFaultsTest::Hit> RandomFaultsTest::hitOne(const Round &round)
{
    const QList<qint64> victims = round.arena.victims();
    QRandomGenerator &random = round.random;
    if (victims.isEmpty())
        return std::nullopt;
    constexpr std::array numbers{SIGKILL, SIGKILL, SIGSTOP, SIGTERM, SIGHUP,
                                 SIGINT,  SIGQUIT, SIGSEGV, SIGPIPE};
    const qint64 pid = victims[random.bounded(int(victims.size()))];
    const int number = numbers[std::size_t(random.bounded(int(numbers.size())))];
    const auto process = readProcess(pid_t(pid));
    const QString rank = rankOf(pid);
    if (!process || ::kill(pid_t(pid), number) != 0)
        return std::nullopt;
    return Hit{pid, rank, number,
               u"%1 to %2 (%3)"_s.arg(ExitStatus::signalName(number), process->name).arg(pid)};
}

/// Leaves one of Rankdeck's processes two descriptors at most.
QString RandomFaultsTest::takeDescriptors(Round &round)
{
    QList<qint64> ours;
    for (const qint64 pid : round.arena.alive()) {
        if (rankOf(pid).isEmpty())
            ours << pid;
    }
    if (ours.isEmpty())
        return {};
    const qint64 pid = ours[round.random.bounded(int(ours.size()))];
    const QString open = u"/proc/%1/fd"_s.arg(pid);
    rlimit limit{};
    if (prlimit(pid_t(pid), RLIMIT_NOFILE, nullptr, &limit) != 0)
        return {};
    limit.rlim_cur = std::min(limit.rlim_max, rlim_t(QDir(open).count()) + rlim_t(round.random.bounded(3)));
    prlimit(pid_t(pid), RLIMIT_NOFILE, &limit, nullptr);
    const auto process = readProcess(pid_t(pid));
    round.lacksDescriptors = true;
    round.hits << Hit{pid,
                      {},
                      0,
                      u"%1 descriptors for %2 (%3)"_s.arg(limit.rlim_cur)
                          .arg(process ? process->name : QString())
                          .arg(pid)};
    return round.hits.last().what;
}

void RandomFaultsTest::wait(int ms)
{
    const QDeadlineTimer moment(ms);
    (void)QTest::qWaitFor([&] { return moment.hasExpired(); }, limitMs);
}

/// All of the run stands still for a moment.
void RandomFaultsTest::freeze(const Round &round)
{
    QList<qint64> frozen;
    for (int pass = 0; pass < 3; ++pass) { // Some are continued by others, until these are stopped as well.
        for (const qint64 pid : round.arena.alive()) {
            if (::kill(pid_t(pid), SIGSTOP) == 0 && !frozen.contains(pid))
                frozen << pid;
        }
    }
    wait(round.random.bounded(3000));
    for (const qint64 pid : frozen)
        ::kill(pid_t(pid), SIGCONT);
}

/// Returns which fault it was, for the message; empty: none.
QString RandomFaultsTest::breakSomething(Round &round)
{
    constexpr int kinds = 20;
    constexpr int firstOfPlace = 3;
    constexpr int firstOfClients = 7;
    constexpr int firstOfSignals = 13;
    const int kind = round.random.bounded(kinds);
    if (kind == 0) {
        freeze(round);
        return u"a freeze"_s;
    }
    if (kind == 1)
        return takeDescriptors(round);
    if (kind < firstOfPlace) {
        round.arena.finish();
        return u"ranks that end"_s;
    }
    if (kind < firstOfClients) {
        if (const QString what = round.arena.breakPlace(round.random); !what.isEmpty())
            return what;
    } else if (kind < firstOfSignals) {
        round.hits << Hit{0, {}, 0, round.clients.askAtOnce(round.random, round.arena.ranks())};
        return round.hits.last().what;
    }
    const auto hit = hitOne(round);
    if (!hit)
        return {};
    round.hits << *hit;
    return hit->what;
}

QString RandomFaultsTest::whoIsLeft(const FaultArena &arena)
{
    QStringList left;
    for (const qint64 pid : arena.alive()) {
        if (const auto process = readProcess(pid_t(pid)))
            left << u"%1 %2 %3"_s.arg(pid).arg(process->name, QChar::fromLatin1(process->state));
    }
    return left.join(", "_L1);
}

/// A rank may be blamed if it was hit, or something that it had started, and if it could not be started
/// again. Hit before it was the rank's program, it has the environment of its agent. A launcher of others is
/// no rank.
QString RandomFaultsTest::blameProblem(const Round &round, const RunState &state)
{
    if (!state.failure || state.failure->rank == Failure::noRank || state.failure->role == Role::Console ||
        state.failure->status.kind == ExitStatus::Kind::NotStarted ||
        round.clients.haveSignalled(state.failure->rank.value, false))
        return {};
    const QString blamed = QString::number(state.failure->rank.value);
    const auto isPid = [&](qint64 pid) {
        for (std::size_t index = 0; index < state.ranks.size(); ++index) {
            if (state.plan->processes[index].rank == state.failure->rank && state.ranks[index].pid == pid)
                return true;
        }
        return false;
    };
    const bool wasHit = std::any_of(round.hits.begin(), round.hits.end(), [&](const Hit &hit) {
        return hit.rank == blamed || (hit.pid > 0 && isPid(hit.pid));
    });
    return wasHit ? QString() : u"rank %1 is blamed: %2"_s.arg(blamed, state.failure->reason);
}

/// Exit codes and logs.
QString RandomFaultsTest::rankProblem(const Round &round, const RunState &state)
{
    const bool isWhole = state.phase != RunPhase::Lost && !round.lacksDescriptors;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const ProcessPlan &plan = state.plan->processes[index];
        const bool hasSucceeded = rank.status && rank.status->isSuccess();
        if (hasSucceeded && !round.arena.isFinishing() && plan.role == Role::Worker)
            return u"rank %1 has succeeded, which none does"_s.arg(index);
        const bool mayBeUnseen =
            plan.isFound && rank.status && rank.status->kind == ExitStatus::Kind::Unknown;
        if (state.phase == RunPhase::Succeeded && !hasSucceeded && !mayBeUnseen)
            return u"the run has succeeded, but not rank %1: %2"_s.arg(index).arg(
                rank.status ? rank.status->text() : QString());
        const Hit first = round.hits.value(0);
        const bool wasKilled = first.pid == rank.pid && rank.pid > 0 && first.signal == SIGKILL;
        if (wasKilled && rank.status && rank.status->shellCode() != 128 + SIGKILL &&
            rank.status->kind != ExitStatus::Kind::Unknown)
            return u"rank %1 was killed, not: %2"_s.arg(index).arg(rank.status->text());
        if (const QString problem = round.arena.logProblem(plan, isWhole); !problem.isEmpty())
            return u"rank %1: %2"_s.arg(index).arg(problem);
    }
    return blameProblem(round, state);
}

/// How the run ended, by its state and its journal.
QString RandomFaultsTest::recordProblem(const Round &round, const RunState &state)
{
    if (isLive(state.phase))
        return u"the run is %1 for ever"_s.arg(phaseWord(state.phase));
    if ((state.phase == RunPhase::Succeeded) != (state.exitCode == 0))
        return u"exit code %1 of a run that %2"_s.arg(state.exitCode).arg(phaseWord(state.phase));
    const QByteArray journal = fileText(journalPath(state.directory));
    QList<QByteArray> lines = linesOf(journal);
    if (round.arena.mayTearTheEnd() && !lines.isEmpty() && !journal.endsWith('\n'))
        lines.removeLast();
    for (const QByteArray &line : std::as_const(lines)) {
        if (!RunEvent::fromLine(line))
            return u"a torn line in the journal: %1"_s.arg(QString::fromUtf8(line));
    }
    return rankProblem(round, state);
}

/// What ended that must go on, and which client did not.
/// @param state null: the launch was hit before there was a run.
QString RandomFaultsTest::endProblem(const Round &round, const RunState *state)
{
    const auto wasHit = [&](qint64 pid) {
        return pid > 0 && std::ranges::find(round.hits, pid, &Hit::pid) != round.hits.end();
    };
    const QString ended = round.arena.endProblem(
        [&](qint64 pid, int rank) { return wasHit(pid) || round.clients.haveSignalled(rank, true); });
    return ended.isEmpty() ? round.clients.problem(state, !round.arena.mayTearTheEnd(), wasHit) : ended;
}

QString RandomFaultsTest::problemAfter(const Round &round)
{
    round.arena.leave();
    round.clients.goOn();
    auto found = findRun(u"last"_s);
    std::optional<Outcome> stopped;
    const auto isGone = [&] {
        if (!found)
            found = findRun(u"last"_s);
        const auto record = found ? readRunRecord(*found) : Result<RunRecord>(found.error());
        // A launch that was stopped before it had a supervisor is the business of who stopped it, and so is a
        // session of sshd, which hears of no cut while it is stopped.
        for (const Hit &hit : round.hits) {
            if (hit.signal == SIGSTOP && (!record || !record->supervisor || hit.what.contains(" sshd "_L1)))
                ::kill(pid_t(hit.pid), SIGCONT);
        }
        // Whatever is alive of it has to end now; what has ended says so.
        if (found && !stopped)
            stopped = ctl({u"stop"_s, u"last"_s});
        return round.arena.alive().isEmpty();
    };
    const bool isAllGone = QTest::qWaitFor(isGone, round.arena.goneMs());
    if (stopped && (stopped->code < 0 || stopped->code > 2))
        return u"stop ended with %1: %2"_s.arg(stopped->code).arg(QString::fromUtf8(stopped->err));
    if (!isAllGone)
        return u"left: %1"_s.arg(whoIsLeft(round.arena));
    if (!found || !QFile::exists(*found + u"/run.json"_s))
        return endProblem(round, nullptr);
    // A launch that was killed before it had a supervisor may still get one for 20 s.
    auto state = RunReader(*found).open();
    const auto hasEnded = [&] {
        state = RunReader(*found).open();
        return !state || !isLive(state->phase);
    };
    (void)QTest::qWaitFor(hasEnded, 2 * limitMs);
    if (!state)
        return state.error().sentence();
    const QString problem = recordProblem(round, *state);
    return problem.isEmpty() ? endProblem(round, &*state) : problem;
}

/// Returns an empty text if all is as it should be.
QString RandomFaultsTest::problemInRound(quint32 seed)
{
    QRandomGenerator random(seed);
    NamedArena &place = m_arenas[(seed - 1) % m_arenas.size()];
    const std::unique_ptr<FaultArena> arena = place.make();
    if (!arena->start()) {
        qInfo("%s: cannot be", place.name);
        return {};
    }
    ++place.rounds;
    FaultClients clients;
    Round round{*arena, clients, random};
    QStringList what;
    if (random.bounded(3) == 0) // While it starts.
        wait(random.bounded(400));
    else if (!arena->isUp())
        return u"%1: it does not come up"_s.arg(QLatin1String(place.name));
    const int faults = 1 + random.bounded(3);
    for (int fault = 0; fault < faults; ++fault) {
        what << breakSomething(round);
        wait(random.bounded(2) == 0 ? 0 : random.bounded(1500));
    }
    m_asked += clients.count();
    const QString problem = problemAfter(round);
    const QString told = u"%1: %2after %3"_s.arg(
        QLatin1String(place.name), problem.isEmpty() ? problem : problem + u"; "_s, what.join(", "_L1));
    if (qEnvironmentVariableIsSet("RANKDECK_FAULT_SEED"))
        qInfo("%s", qPrintable(told));
    return problem.isEmpty() ? problem : told;
}

void RandomFaultsTest::everyRunEndsWhole()
{
    bool isGiven = false;
    const uint given = qEnvironmentVariable("RANKDECK_FAULT_SEED").toUInt(&isGiven);
    bool isNumber = false;
    double minutes = qEnvironmentVariable("RANKDECK_FAULT_MINUTES").toDouble(&isNumber);
    if (!isNumber)
        minutes = qEnvironmentVariableIsSet("CI") ? 1 : 0.25;
    const QDeadlineTimer end(std::chrono::milliseconds(qint64(minutes * 60000)));
    int rounds = 0;
    QStringList problems;
    do {
        const quint32 seed = isGiven    ? given
                             : isNumber ? QRandomGenerator::system()->generate()
                                        : quint32(rounds + 1);
        const QString problem = problemInRound(seed);
        ++rounds;
        if (!problem.isEmpty())
            problems << u"RANKDECK_FAULT_SEED=%1: %2"_s.arg(seed).arg(problem);
    } while (!end.hasExpired() && !isGiven && problems.size() < 5);
    for (const NamedArena &arena : m_arenas)
        qInfo("%d runs %s", arena.rounds, arena.name);
    qInfo("%d requests of clients", m_asked);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

} // namespace tst_randomfaults

RANKDECK_TEST_ON_OWN_MACHINE(tst_randomfaults, RandomFaultsTest)
#include "tst_randomfaults.moc"
