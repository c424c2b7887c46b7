#include "support/liverun.h"
#include "support/testmain.h"

#include <QRandomGenerator>

namespace tst_randomfaults
{

using namespace rankdeck;

/// Random signals to random processes of live runs at random times, alone and in pairs. Whatever was hit,
/// nothing is left in the end, the record can be read and says how the run ended, and no rank is blamed that
/// was not hit.
///
/// Some known rounds by default; RANKDECK_FAULT_MINUTES=60 for an hour of new ones. A round that fails prints
/// its seed, and RANKDECK_FAULT_SEED=… repeats that round alone.
class RandomFaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRunEndsWhole();

private:
    static constexpr int goneMs = 15000;

    /// A signal, and the process that got it.
    struct Hit {
        QString rank; ///< Whose process it was; empty: Rankdeck's own.
        QString what; ///< For the message.
    };

    static QString rankOf(qint64 pid);
    static std::optional<Hit> hitOne(const LiveRun &run, QRandomGenerator &random);
    static void freeze(const LiveRun &run, QRandomGenerator &random);
    static QString problemAfter(LiveRun &run, const QList<Hit> &hits);
    static QString blameProblem(const RunState &state, const QList<Hit> &hits);
    static QString problemInRound(quint32 seed);
};

QString RandomFaultsTest::rankOf(qint64 pid)
{
    for (const QByteArray &variable : fileText(QStringLiteral("/proc/%1/environ").arg(pid)).split('\0')) {
        if (variable.startsWith("RANK_ID="))
            return QString::fromLatin1(variable.mid(8));
    }
    return {};
}

std::optional<RandomFaultsTest::Hit> RandomFaultsTest::hitOne(const LiveRun &run, QRandomGenerator &random)
{
    const QList<qint64> alive = run.alive();
    if (alive.isEmpty())
        return std::nullopt;
    constexpr std::array numbers{SIGKILL, SIGKILL, SIGSTOP, SIGTERM, SIGHUP,
                                 SIGINT,  SIGQUIT, SIGSEGV, SIGPIPE};
    const qint64 pid = alive[random.bounded(int(alive.size()))];
    const int number = numbers[std::size_t(random.bounded(int(numbers.size())))];
    const auto process = readProcess(pid_t(pid));
    const QString rank = rankOf(pid);
    if (!process || ::kill(pid_t(pid), number) != 0)
        return std::nullopt;
    return Hit{rank,
               QStringLiteral("%1 to %2 (%3)").arg(ExitStatus::signalName(number), process->name).arg(pid)};
}

/// All of the run stands still for a moment.
void RandomFaultsTest::freeze(const LiveRun &run, QRandomGenerator &random)
{
    QList<qint64> frozen;
    for (int pass = 0; pass < 3; ++pass) { // Some are continued by others, until these are stopped as well.
        for (const qint64 pid : run.alive()) {
            if (::kill(pid_t(pid), SIGSTOP) == 0 && !frozen.contains(pid))
                frozen << pid;
        }
    }
    const QDeadlineTimer end(random.bounded(3000));
    (void)QTest::qWaitFor([&] { return end.hasExpired(); }, goneMs);
    for (const qint64 pid : frozen)
        ::kill(pid_t(pid), SIGCONT);
}

/// A rank may be blamed if it was hit, or something that it had started.
QString RandomFaultsTest::blameProblem(const RunState &state, const QList<Hit> &hits)
{
    if (!state.failure || state.failure->rank == Failure::noRank)
        return {};
    const QString blamed = QString::number(state.failure->rank.value);
    const bool wasHit =
        std::any_of(hits.begin(), hits.end(), [&](const Hit &hit) { return hit.rank == blamed; });
    return wasHit ? QString() : QStringLiteral("rank %1 is blamed: %2").arg(blamed, state.failure->reason);
}

QString RandomFaultsTest::problemAfter(LiveRun &run, const QList<Hit> &hits)
{
    const auto found = findRun(QStringLiteral("last"));
    if (found) // Whatever is alive of it has to end now; what has ended says so.
        ctl({QStringLiteral("stop"), QStringLiteral("last")});
    if (!QTest::qWaitFor([&] { return run.alive().isEmpty(); }, goneMs)) {
        QStringList left;
        for (const qint64 pid : run.alive()) {
            if (const auto process = readProcess(pid_t(pid)))
                left << QStringLiteral("%1 %2 %3")
                            .arg(pid)
                            .arg(process->name, QChar::fromLatin1(process->state));
        }
        return QStringLiteral("left: %1").arg(left.join(QLatin1String(", ")));
    }
    if (!found || !QFile::exists(*found + QStringLiteral("/run.json")))
        return {}; // The launch was hit before there was a run: nothing had been started.
    const auto state = RunReader(*found).open();
    if (!state)
        return state.error().sentence();
    if (isLive(state->phase))
        return QStringLiteral("the run is %1 for ever").arg(phaseWord(state->phase));
    if ((state->phase == RunPhase::Succeeded) != (state->exitCode == 0))
        return QStringLiteral("exit code %1 of a run that %2")
            .arg(state->exitCode)
            .arg(phaseWord(state->phase));
    for (const QByteArray &line : linesOf(fileText(journalPath(*found)))) {
        if (!RunEvent::fromLine(line))
            return QStringLiteral("a torn line in the journal: %1").arg(QString::fromUtf8(line));
    }
    for (const ProcessPlan &process : state->plan->processes) {
        for (const QByteArray &line : linesOf(fileText(process.logFile))) {
            // The shell says by which signal a child has ended.
            if (line.startsWith('o') && line != "on")
                return QStringLiteral("in a log: %1").arg(QString::fromUtf8(line));
        }
    }
    return blameProblem(*state, hits);
}

/// Returns an empty text if all is as it should be.
QString RandomFaultsTest::problemInRound(quint32 seed)
{
    QRandomGenerator random(seed);
    LiveRun run;
    run.start();
    QList<Hit> hits;
    QStringList what;
    if (random.bounded(3) == 0) { // While it starts.
        const QDeadlineTimer moment(random.bounded(400));
        (void)QTest::qWaitFor([&] { return moment.hasExpired(); }, goneMs);
    } else if (!run.isUp()) {
        return QStringLiteral("it does not come up");
    }
    const int faults = 1 + random.bounded(3);
    for (int fault = 0; fault < faults; ++fault) {
        if (random.bounded(8) == 0) {
            freeze(run, random);
            what << QStringLiteral("a freeze");
        } else if (const auto hit = hitOne(run, random)) {
            hits << *hit;
            what << hit->what;
        }
        const QDeadlineTimer moment(random.bounded(2) == 0 ? 0 : random.bounded(1500));
        (void)QTest::qWaitFor([&] { return moment.hasExpired(); }, goneMs);
    }
    const QString problem = problemAfter(run, hits);
    return problem.isEmpty() ? problem
                             : QStringLiteral("%1; after %2").arg(problem, what.join(QLatin1String(", ")));
}

void RandomFaultsTest::everyRunEndsWhole()
{
    bool isGiven = false;
    const uint given = qEnvironmentVariable("RANKDECK_FAULT_SEED").toUInt(&isGiven);
    bool isNumber = false;
    const double minutes = qEnvironmentVariable("RANKDECK_FAULT_MINUTES").toDouble(&isNumber);
    const QDeadlineTimer end(std::chrono::milliseconds(qint64((isNumber ? minutes : 0.25) * 60000)));
    int rounds = 0;
    QStringList problems;
    do {
        const quint32 seed = isGiven    ? given
                             : isNumber ? QRandomGenerator::system()->generate()
                                        : quint32(rounds + 1);
        const QString problem = problemInRound(seed);
        ++rounds;
        if (!problem.isEmpty())
            problems << QStringLiteral("RANKDECK_FAULT_SEED=%1: %2").arg(seed).arg(problem);
    } while (!end.hasExpired() && !isGiven && problems.size() < 5);
    qInfo("%d runs, %d with a fault that was not borne", rounds, int(problems.size()));
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
}

} // namespace tst_randomfaults

RANKDECK_TEST(tst_randomfaults, RandomFaultsTest)
#include "tst_randomfaults.moc"
