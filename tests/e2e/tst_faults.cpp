#include "support/programs.h"

#include <QFileInfo>

#include <csignal>
#include <memory>

using namespace rankdeck;

/// One process of a live run is killed with SIGKILL. Within five seconds the run goes on whole, or nothing of
/// it is alive and its directory says why.
class FaultsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void killingRankdeckctlChangesNothing();
    void aRunCanBeStoppedAfterItsSocketWasLost();
    void killingTheSupervisorTearsTheRunDown();
    void killingTheAgentTearsTheRunDown();
    void killingARankFailsTheRun();
    void aSupervisorAskedToTerminateStopsTheRun();

private:
    static constexpr int limitMs = 5000;

    /// Eight ranks, each with a child in a session of its own, printing.
    void startRun();
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    pid_t supervisor() const
    {
        const auto record = readRunRecord(m_directory);
        return record && record->supervisor ? static_cast<pid_t>(record->supervisor->pid) : 0;
    }
    pid_t agent() const
    {
        for (const QByteArray &line : linesOf(fileText(m_directory + QStringLiteral("/journal.jsonl")))) {
            const auto event = RunEvent::fromLine(line);
            if (event && event->kind == RunEvent::Kind::AgentStarted)
                return static_cast<pid_t>(event->pid);
        }
        return 0;
    }
    QList<qint64> alive() const { return processesOf(m_home->path("state")); }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<QProcess> m_ctl;
    QString m_directory;
};

void FaultsTest::init()
{
    m_home = std::make_unique<TestHome>();
    startRun();
}

void FaultsTest::cleanup()
{
    // Whatever a failed check left is ended by pid.
    m_ctl->kill();
    m_ctl->waitForFinished();
    for (const qint64 pid : alive())
        ::kill(static_cast<pid_t>(pid), SIGKILL);
}

void FaultsTest::startRun()
{
    m_ctl = std::make_unique<QProcess>();
    m_ctl->setStandardOutputFile(QProcess::nullDevice());
    m_ctl->start(QStringLiteral(RANKDECK_BIN_DIR "/rankdeckctl"),
                 QStringList{QStringLiteral("davincirun"), QStringLiteral("--rank-table"), demoTable(),
                             QStringLiteral("--log-dir"), m_home->path("logs"), QStringLiteral("--grace"),
                             QStringLiteral("2")} +
                     train({QStringLiteral("--steps"), QStringLiteral("100000"), QStringLiteral("--rate"),
                            QStringLiteral("20"), QStringLiteral("--child")}));
    QTRY_VERIFY_WITH_TIMEOUT(findRun(QStringLiteral("last")), 20000);
    m_directory = *findRun(QStringLiteral("last"));
    const auto allPrint = [this] {
        const RunState run = state();
        return run.ranks.size() == 8 && std::all_of(run.plan->processes.begin(), run.plan->processes.end(),
                                                    [](const ProcessPlan &process) {
                                                        return fileText(process.logFile).contains("step: 2,");
                                                    });
    };
    QTRY_VERIFY_WITH_TIMEOUT(allPrint(), 30000);
    // Supervisor, agent, rankdeckctl, eight ranks and their children.
    QVERIFY(alive().size() >= 3 + 8 + 8);
}

void FaultsTest::killingRankdeckctlChangesNothing()
{
    m_ctl->kill();
    QVERIFY(m_ctl->waitForFinished());
    const QString log = state().plan->processes[5].logFile;
    const qint64 sizeThen = QFile(log).size();
    QTRY_VERIFY_WITH_TIMEOUT(QFile(log).size() > sizeThen, limitMs);
    QCOMPARE(state().count(RankPhase::Running), 8);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
}

void FaultsTest::aRunCanBeStoppedAfterItsSocketWasLost()
{
    // As when the user's last session ends: XDG_RUNTIME_DIR goes with all that is in it.
    const QString socket = readRunRecord(m_directory)->socketPath;
    QVERIFY(QDir(QFileInfo(socket).path()).removeRecursively());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(socket), limitMs);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void FaultsTest::killingTheSupervisorTearsTheRunDown()
{
    QCOMPARE(::kill(supervisor(), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Lost);
    QVERIFY(run.ended.isValid());
    // rankdeckctl noticed by itself: it is gone from /proc already, QProcess may hear of it a moment later.
    QTRY_COMPARE_WITH_TIMEOUT(m_ctl->state(), QProcess::NotRunning, limitMs);
    QCOMPARE(m_ctl->exitCode(), 1);
}

void FaultsTest::killingTheAgentTearsTheRunDown()
{
    QCOMPARE(::kill(agent(), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->rank, Failure::noRank);
    QVERIFY2(run.failure->reason.contains(QLatin1String("Lost the agent")), qPrintable(run.failure->reason));
    for (const RankState &rank : run.ranks)
        QVERIFY(rank.status.has_value());
}

void FaultsTest::killingARankFailsTheRun()
{
    QCOMPARE(::kill(static_cast<pid_t>(state().ranks[6].pid), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.failure->rank, Rank(6));
    QCOMPARE(run.exitCode, 128 + SIGKILL);
    QVERIFY(!run.failure->logTail.isEmpty());
}

void FaultsTest::aSupervisorAskedToTerminateStopsTheRun()
{
    QCOMPARE(::kill(supervisor(), SIGTERM), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

QTEST_GUILESS_MAIN(FaultsTest)
#include "tst_faults.moc"
