#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/faultarena.h"
#include "support/testmain.h"

#include <QDeadlineTimer>

#include <sys/resource.h>

namespace tst_randomfaults
{

using namespace rankdeck;

/// Faults that befall live runs at random times, alone, in pairs and in triples: signals to any process,
/// freezes, no descriptors left, and what can break where the run is (see FaultArena). Whatever it was,
/// nothing is left in the end, the record can be read and says how the run ended, no line that a rank wrote
/// is missing in its log, and no rank is blamed that was not hit.
///
/// Some known rounds by default, more of them where CI is set; RANKDECK_FAULT_MINUTES=60 for an hour of new
/// ones. A round that fails prints its seed, and RANKDECK_FAULT_SEED=… repeats that round alone.
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

    static QString rankOf(qint64 pid);
    static std::optional<Hit> hitOne(const FaultArena &arena, QRandomGenerator &random);
    static QString takeDescriptors(const FaultArena &arena, QRandomGenerator &random);
    static void freeze(const FaultArena &arena, QRandomGenerator &random);
    static QString breakSomething(FaultArena &arena, QRandomGenerator &random, QList<Hit> &hits);
    static void wait(int ms);
    static QString whoIsLeft(const FaultArena &arena);
    static QString problemAfter(FaultArena &arena, const QList<Hit> &hits);
    static QString rankProblem(const FaultArena &arena, const RunState &state, const QList<Hit> &hits);
    static QString blameProblem(const RunState &state, const QList<Hit> &hits);
    QString problemInRound(quint32 seed);

    std::array<NamedArena, 5> m_arenas{{{"on this machine", make<LocalArena>},
                                        {"on a small disk", make<SmallDiskArena>},
                                        {"where the clock jumps", make<JumpingClockArena>},
                                        {"from a window", make<WindowArena>},
                                        {"on two nodes", make<RemoteArena>}}};
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

std::optional<RandomFaultsTest::Hit> RandomFaultsTest::hitOne(const FaultArena &arena,
                                                              QRandomGenerator &random)
{
    const QList<qint64> victims = arena.victims();
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
QString RandomFaultsTest::takeDescriptors(const FaultArena &arena, QRandomGenerator &random)
{
    QList<qint64> ours;
    for (const qint64 pid : arena.victims()) {
        if (rankOf(pid).isEmpty())
            ours << pid;
    }
    if (ours.isEmpty())
        return {};
    const qint64 pid = ours[random.bounded(int(ours.size()))];
    const QString open = u"/proc/%1/fd"_s.arg(pid);
    rlimit limit{};
    if (prlimit(pid_t(pid), RLIMIT_NOFILE, nullptr, &limit) != 0)
        return {};
    limit.rlim_cur = std::min(limit.rlim_max, rlim_t(QDir(open).count()) + rlim_t(random.bounded(3)));
    prlimit(pid_t(pid), RLIMIT_NOFILE, &limit, nullptr);
    const auto process = readProcess(pid_t(pid));
    return u"%1 descriptors for %2 (%3)"_s.arg(limit.rlim_cur)
        .arg(process ? process->name : QString())
        .arg(pid);
}

void RandomFaultsTest::wait(int ms)
{
    const QDeadlineTimer moment(ms);
    (void)QTest::qWaitFor([&] { return moment.hasExpired(); }, limitMs);
}

/// All of the run stands still for a moment.
void RandomFaultsTest::freeze(const FaultArena &arena, QRandomGenerator &random)
{
    QList<qint64> frozen;
    for (int pass = 0; pass < 3; ++pass) { // Some are continued by others, until these are stopped as well.
        for (const qint64 pid : arena.alive()) {
            if (::kill(pid_t(pid), SIGSTOP) == 0 && !frozen.contains(pid))
                frozen << pid;
        }
    }
    wait(random.bounded(3000));
    for (const qint64 pid : frozen)
        ::kill(pid_t(pid), SIGCONT);
}

/// Returns which fault it was, for the message; empty: none.
QString RandomFaultsTest::breakSomething(FaultArena &arena, QRandomGenerator &random, QList<Hit> &hits)
{
    constexpr int kinds = 12;
    const int kind = random.bounded(kinds);
    if (kind == 0) {
        freeze(arena, random);
        return u"a freeze"_s;
    }
    if (kind == 1)
        return takeDescriptors(arena, random);
    if (kind < kinds / 2) {
        if (const QString what = arena.breakPlace(random); !what.isEmpty())
            return what;
    }
    const auto hit = hitOne(arena, random);
    if (!hit)
        return {};
    hits << *hit;
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

/// A rank may be blamed if it was hit, or something that it had started. Hit before it was the rank's
/// program, it has the environment of its agent.
QString RandomFaultsTest::blameProblem(const RunState &state, const QList<Hit> &hits)
{
    if (!state.failure || state.failure->rank == Failure::noRank)
        return {};
    const QString blamed = QString::number(state.failure->rank.value);
    const auto isPid = [&](qint64 pid) {
        for (std::size_t index = 0; index < state.ranks.size(); ++index) {
            if (state.plan->processes[index].rank == state.failure->rank && state.ranks[index].pid == pid)
                return true;
        }
        return false;
    };
    const bool wasHit = std::any_of(hits.begin(), hits.end(),
                                    [&](const Hit &hit) { return hit.rank == blamed || isPid(hit.pid); });
    return wasHit ? QString() : u"rank %1 is blamed: %2"_s.arg(blamed, state.failure->reason);
}

/// Exit codes and logs.
QString RandomFaultsTest::rankProblem(const FaultArena &arena, const RunState &state, const QList<Hit> &hits)
{
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        if (rank.status && rank.status->isSuccess())
            return u"rank %1 has succeeded, which none does"_s.arg(index);
        const bool wasKilled =
            !hits.isEmpty() && hits.first().pid == rank.pid && rank.pid > 0 && hits.first().signal == SIGKILL;
        if (wasKilled && rank.status && rank.status->shellCode() != 128 + SIGKILL &&
            rank.status->kind != ExitStatus::Kind::Unknown)
            return u"rank %1 was killed, not: %2"_s.arg(index).arg(rank.status->text());
        if (const QString problem = arena.logProblem(state.plan->processes[index]); !problem.isEmpty())
            return u"rank %1: %2"_s.arg(index).arg(problem);
    }
    return blameProblem(state, hits);
}

QString RandomFaultsTest::problemAfter(FaultArena &arena, const QList<Hit> &hits)
{
    arena.leave();
    auto found = findRun(u"last"_s);
    bool isAsked = false;
    const auto isGone = [&] {
        if (!found)
            found = findRun(u"last"_s);
        const auto record = found ? readRunRecord(*found) : Result<RunRecord>(found.error());
        // A launch that was stopped before it had a supervisor is the business of who stopped it.
        for (const Hit &hit : hits) {
            if (hit.signal == SIGSTOP && (!record || !record->supervisor))
                ::kill(pid_t(hit.pid), SIGCONT);
        }
        // Whatever is alive of it has to end now; what has ended says so.
        if (found && !std::exchange(isAsked, true))
            ctl({u"stop"_s, u"last"_s});
        return arena.alive().isEmpty();
    };
    if (!QTest::qWaitFor(isGone, arena.goneMs()))
        return u"left: %1"_s.arg(whoIsLeft(arena));
    if (!found || !QFile::exists(*found + u"/run.json"_s))
        return {}; // The launch was hit before there was a run: nothing had been started.
    const auto state = RunReader(*found).open();
    if (!state)
        return state.error().sentence();
    if (isLive(state->phase))
        return u"the run is %1 for ever"_s.arg(phaseWord(state->phase));
    if ((state->phase == RunPhase::Succeeded) != (state->exitCode == 0))
        return u"exit code %1 of a run that %2"_s.arg(state->exitCode).arg(phaseWord(state->phase));
    const QByteArray journal = fileText(journalPath(*found));
    QList<QByteArray> lines = linesOf(journal);
    if (arena.mayTearTheEnd() && !lines.isEmpty() && !journal.endsWith('\n'))
        lines.removeLast();
    for (const QByteArray &line : std::as_const(lines)) {
        if (!RunEvent::fromLine(line))
            return u"a torn line in the journal: %1"_s.arg(QString::fromUtf8(line));
    }
    return rankProblem(arena, *state, hits);
}

/// Returns an empty text if all is as it should be.
QString RandomFaultsTest::problemInRound(quint32 seed)
{
    QRandomGenerator random(seed);
    NamedArena &place = m_arenas[std::size_t(random.bounded(int(m_arenas.size())))];
    const std::unique_ptr<FaultArena> arena = place.make();
    if (!arena->start()) {
        qInfo("%s: cannot be", place.name);
        return {};
    }
    ++place.rounds;
    QList<Hit> hits;
    QStringList what;
    if (random.bounded(3) == 0) // While it starts.
        wait(random.bounded(400));
    else if (!arena->isUp())
        return u"%1: it does not come up"_s.arg(QLatin1String(place.name));
    const int faults = 1 + random.bounded(3);
    for (int fault = 0; fault < faults; ++fault) {
        what << breakSomething(*arena, random, hits);
        wait(random.bounded(2) == 0 ? 0 : random.bounded(1500));
    }
    const QString problem = problemAfter(*arena, hits);
    return problem.isEmpty()
               ? problem
               : u"%1: %2; after %3"_s.arg(QLatin1String(place.name), problem, what.join(", "_L1));
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
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

} // namespace tst_randomfaults

RANKDECK_TEST_ON_OWN_MACHINE(tst_randomfaults, RandomFaultsTest)
#include "tst_randomfaults.moc"
