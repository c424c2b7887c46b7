#include "run/control/runclient.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QProcess>

#include <csignal>
#include <random>

namespace tst_requestpairs
{

using namespace rankdeck;

/// Requests about ranks that come at the same moment, from several clients, in every state of the rank.
class RequestPairsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void theRunOutlivesAllOfThem();
    void aSignalledRankFailsTheRunAndNoOther();

private:
    /// What the rank does when the second request comes.
    enum class When { Runs, IsBeingEnded, IsBetweenLives, HasJustStarted };
#ifdef __SANITIZE_ADDRESS__
    static constexpr int rounds = 20; // Each takes several times as long; all of them run without sanitizers.
#else
    static constexpr int rounds = 100;
#endif
    static constexpr int leastBetween = rounds / 5; // Rounds are added, on a busy machine, until so many hit.
    static constexpr int mostRounds = 3 * rounds;

    /// Ranks whose end takes a moment: what they leave behind ignores SIGTERM.
    void launchRanks()
    {
        launch({}, {u"sh"_s, u"-c"_s,
                    u"trap '' USR1; trap 'sh -c \"trap \\\"\\\" TERM; sleep 0.2\" & exit 143' TERM; "
                    "sleep 1000 & wait; wait"_s});
    }
    std::unique_ptr<QProcess> start(const QStringList &words) const
    {
        auto client = std::make_unique<QProcess>();
        client->start(buildPath("bin/rankdeckctl"), QStringList{words.first(), m_directory} + words.mid(1));
        return client;
    }
    QStringList anyRequest(int rank)
    {
        const QString chosen = QString::number(rank);
        switch (std::uniform_int_distribution(0, 4)(m_random)) {
        case 0:
            return {u"stop"_s, u"--rank"_s, chosen};
        case 1:
            return {u"stop"_s, u"--kill"_s, u"--rank"_s, chosen};
        case 2:
            return {u"signal"_s, u"USR1"_s, u"--rank"_s, chosen};
        default:
            return {u"restart"_s, u"--rank"_s, chosen};
        }
    }
    /// Reads on in the journal: to read all of it takes longer than a rank is between two lives.
    const RunState &stateNow()
    {
        m_reader->update();
        return m_reader->state();
    }
    RankState stateOf(int rank)
    {
        return stateNow().ranks.at(std::size_t(rank));
    }
    bool isBetween(int rank, qint64 pid)
    {
        const RankState now = stateOf(rank);
        return now.pid == pid && now.status;
    }
    void waitUntil(When when, int rank, qint64 pid)
    {
        if (when == When::IsBeingEnded)
            QTRY_VERIFY_WITH_TIMEOUT(stateOf(rank).stopRequested || stateOf(rank).status ||
                                         stateOf(rank).pid != pid,
                                     programLimitMs);
        else if (when == When::IsBetweenLives)
            QTRY_VERIFY_WITH_TIMEOUT(stateOf(rank).status || stateOf(rank).pid != pid, programLimitMs);
        else if (when == When::HasJustStarted)
            QTRY_VERIFY_WITH_TIMEOUT(stateOf(rank).pid != pid, programLimitMs);
    }
    /// One round; adds to m_between if a request came between exit and start.
    void meet(int round);
    void startTheEnded();

    std::unique_ptr<RunReader> m_reader;
    std::mt19937 m_random;
    int m_between = 0;
};

void RequestPairsTest::meet(int round)
{
    const int rank = std::uniform_int_distribution(0, ranks - 1)(m_random);
    const auto when = When(round % 4);
    const qint64 pid = stateOf(rank).pid;
    QVERIFY(pid != 0);
    RunClient client(m_directory);
    if (round % 2 == 0)
        client.open();
    std::vector<std::unique_ptr<QProcess>> clients;
    clients.push_back(start({u"restart"_s, u"--rank"_s, QString::number(rank)}));
    waitUntil(when, rank, pid);
    if (round % 2 == 0) { // At once, in this process.
        const bool wasBetween = isBetween(rank, pid);
        client.request(StartRequest{{rank}});
        QCoreApplication::processEvents();
        m_between += wasBetween && isBetween(rank, pid);
    }
    const int more = std::uniform_int_distribution(1, 2)(m_random);
    for (int each = 0; each < more; ++each) {
        const bool isNeighbour = std::uniform_int_distribution(0, 3)(m_random) == 0;
        clients.push_back(start(anyRequest(isNeighbour ? (rank + 1) % ranks : rank)));
    }
    for (const auto &each : clients) {
        const Outcome outcome = outcomeOf(*each);
        QVERIFY2(outcome.code == 0 || outcome.code == 1, outcome.err.constData());
    }
}

/// Afterwards each rank runs, once.
void RequestPairsTest::startTheEnded()
{
    const auto ended = [this] {
        QStringList found;
        const RunState &now = stateNow();
        for (int index = 0; index < ranks; ++index) {
            if (now.ranks[std::size_t(index)].phase != RankPhase::Running)
                found << QString::number(index);
        }
        return found.join(','_L1);
    };
    const auto startAll = [&] {
        const QString chosen = ended();
        if (!chosen.isEmpty())
            outcomeOf(*start({u"restart"_s, u"--rank"_s, chosen}));
        return ended().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(startAll(), programLimitMs);
}

void RequestPairsTest::theRunOutlivesAllOfThem()
{
    const QByteArray given = qgetenv("RANKDECK_SEED");
    const unsigned seed = given.isEmpty() ? std::random_device()() : given.toUInt();
    qInfo("RANKDECK_SEED=%u", seed);
    m_random.seed(seed);
    m_between = 0;
    launchRanks();
    m_reader = std::make_unique<RunReader>(m_directory);
    QVERIFY(m_reader->open());
    int round = 0;
    for (; round < rounds || (m_between < leastBetween && round < mostRounds); ++round) {
        meet(round);
        if (QTest::currentTestFailed())
            return;
        startTheEnded();
        const RunState &now = stateNow();
        QVERIFY2(!now.failure && now.phase == RunPhase::Running,
                 qPrintable(u"round %1: %2"_s.arg(round).arg(now.notes.join('\n'_L1))));
    }
    qInfo("%d of %d came between exit and start.", m_between, round);
    QVERIFY(m_between >= leastBetween);

    std::vector<qint64> pids;
    for (int index = 0; index < ranks; ++index)
        pids.push_back(rank(index));
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(!state().failure);
    for (const qint64 pid : pids)
        QVERIFY(!readProcess(static_cast<pid_t>(pid)));
}

void RequestPairsTest::aSignalledRankFailsTheRunAndNoOther()
{
    launchRanks();
    const auto signalling = start({u"signal"_s, u"KILL"_s, u"--rank"_s, u"2"_s});
    const auto restarting = start({u"restart"_s, u"--rank"_s, u"1"_s});
    QVERIFY(outcomeOf(*signalling).code >= 0);
    QVERIFY(outcomeOf(*restarting).code >= 0);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->rank.value, 2);
    QVERIFY(ended.exitCode != 0);
}

} // namespace tst_requestpairs

RANKDECK_TEST(tst_requestpairs, RequestPairsTest)
#include "tst_requestpairs.moc"
