#include "agent/supervise/launcher.h"
#include "launch/nodes/planlaunch.h"
#include "launch/spec/launchspec.h"
#include "ranktable/reading/ranktablereader.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/saidsentences.h"
#include "support/testmain.h"
#include "support/toldevents.h"

#include <csignal>
#include <memory>

namespace tst_hooks
{

using namespace rankdeck;

/// Commands before and after a launch, with the real supervisor and agent; shell scripts stand in for what is
/// run. Files that the scripts make say how far they are.
class HooksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void hooksRunAroundTheLaunchInOrder();
    void hooksHaveTheLaunchsEnvironmentAndPlace();
    void aFailingHookBeforeStartsNothing();
    void aStopEndsTheHookBeforeTheLaunch();
    void aHookThatIgnoresAStopIsKilledAfterTheGrace();
    void hooksAfterRunWhenARankFailedAndChangeNoExitCode();
    void hooksAfterHaveTheGraceWhenTheRunIsStopped();
    void aKilledRunRunsNoHookAfter();
    void theRunDirectorySaysWhatItWaitsFor();
    void hooksRunAroundEveryAttempt();
    void aCommandIsToldThatTheRunHasEnded();
    void aMissingHookIsRefused_data();
    void aMissingHookIsRefused();
    void nothingSurvivesAKill_data();
    void nothingSurvivesAKill();
    void thePlatformsDaemonLivesAsLongAsTheRanks_data();
    void thePlatformsDaemonLivesAsLongAsTheRanks();
    void theDaemonIsEndedThoughWhatRanksLeaveGoesOn();

private:
    static constexpr int limitMs = 10000;
    static constexpr int longMs = 30000;

    static QStringList shell(const QString &script)
    {
        return {QStringLiteral("sh"), QStringLiteral("-c"), script};
    }
    /// A script that makes `file` and then waits to be ended, in a shell and in a session of its own.
    QString waiting(const char *file) const
    {
        return QStringLiteral("setsid sleep 1000 & touch %1; while :; do sleep 0.05; done").arg(at(file));
    }
    QString at(const char *file) const { return m_home->path(file); }
    bool exists(const char *file) const { return QFile::exists(at(file)); }
    LaunchSpec spec(const QString &rankScript) const
    {
        LaunchSpec spec = processesDefaults();
        spec.command = shell(rankScript);
        spec.processes.nproc = 2;
        spec.processes.masterPort = freePort();
        spec.graceSeconds = 10;
        spec.workDir = m_home->path("");
        return spec;
    }
    std::optional<Error> start(const LaunchSpec &spec, const HostFacts &facts = HostFacts::gather())
    {
        Result<RankTable> table = needsRankTable(spec) ? readRankTable(demoTable()) : RankTable();
        const auto plan = planLaunch(spec, *table, demoTable(), facts);
        if (!plan)
            return plan.error();
        const auto directory = startRun(spec, *plan);
        if (!directory)
            return directory.error();
        m_directory = *directory;
        return std::nullopt;
    }
    /// With stand-ins for the driver's daemon and for its script. The daemon makes "daemon", and "term" when
    /// it is told to end; the script makes "stopped", and "early" when the daemon has ended before.
    HostFacts factsWithDriver() const
    {
        const auto script = [this](const char *name, const QString &body) {
            QFile file(at(name));
            if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + body.toUtf8()) < 0)
                qFatal("the script cannot be written");
            file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
            return file.fileName();
        };
        HostFacts facts = HostFacts::gather();
        // As daemons do: a child of a child, in a session of its own, while the command itself ends.
        facts.slogdPath =
            script("slogd", QStringLiteral("(setsid sh -c 'echo $$ > daemon.new; mv daemon.new daemon; "
                                           "trap \"touch term; exit\" TERM; while :; do sleep 0.02; "
                                           "done' &)\nexit 1\n"));
        facts.stopScriptPath =
            script("stop.sh", QStringLiteral("[ -e term ] && touch early; touch stopped\n"));
        return facts;
    }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    bool hasEnded() const { return !isLive(state().phase); }
    QByteArray text(const QString &name) const { return fileText(m_directory + QLatin1Char('/') + name); }
    bool hasNote(const char *part) const
    {
        const QStringList notes = state().notes;
        return std::any_of(notes.begin(), notes.end(),
                           [&](const QString &note) { return note.contains(QLatin1String(part)); });
    }
    QList<qint64> alive() const { return processesOf(m_home->path("state")); }
    pid_t pidOf(const QString &role) const
    {
        if (role == QLatin1String("supervisor"))
            return static_cast<pid_t>(readRunRecord(m_directory)->supervisor->pid);
        return pidTold<events::AgentStarted>(journalOf(m_directory));
    }

    std::unique_ptr<TestHome> m_home;
    QString m_directory;
};

void HooksTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void HooksTest::cleanup()
{
    // Whatever a failed check left is ended by pid.
    for (const qint64 pid : alive()) {
        if (pid != getpid())
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

void HooksTest::hooksRunAroundTheLaunchInOrder()
{
    LaunchSpec launch = spec(QStringLiteral("echo rank >> order"));
    launch.common.before = {shell(QStringLiteral("echo one >> order; echo said by one")),
                            shell(QStringLiteral("echo two >> order; echo said by two >&2"))};
    launch.common.after = {shell(QStringLiteral("echo three >> order; echo said by three")),
                           shell(QStringLiteral("echo four >> order"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
    QCOMPARE(fileText(at("order")), QByteArray("one\ntwo\nrank\nrank\nthree\nfour\n"));
    const QByteArray before = text(QStringLiteral("logs/before.log"));
    QVERIFY2(before.indexOf("said by one\n$ ") < before.indexOf("\nsaid by two\n"), before.constData());
    QVERIFY(text(QStringLiteral("logs/after.log")).contains("\nsaid by three\n"));
    QVERIFY(hasNote("Before the launch: sh -c 'echo one"));
    QVERIFY(hasNote("After the launch: sh -c 'echo four"));
    QTRY_VERIFY(alive().isEmpty());
}

void HooksTest::hooksHaveTheLaunchsEnvironmentAndPlace()
{
    LaunchSpec launch = spec(QStringLiteral("exit 0"));
    launch.environment = {{QStringLiteral("MINE"), QStringLiteral("x y")}};
    launch.common.before = {
        shell(QStringLiteral("pwd -P; echo \"$MINE|$WORLD_SIZE|${RANK-none}|$RANKDECK_HOOK\""))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    const QList<QByteArray> lines = linesOf(text(QStringLiteral("logs/before.log")));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(QString::fromUtf8(lines[1]), QFileInfo(at("")).canonicalFilePath());
    QCOMPARE(lines[2], QByteArray("x y|2|none|before"));
}

void HooksTest::aFailingHookBeforeStartsNothing()
{
    LaunchSpec launch = spec(QStringLiteral("touch started"));
    launch.common.before = {shell(QStringLiteral("echo the store is not there; exit 3")),
                            shell(QStringLiteral("touch second"))};
    launch.common.after = {shell(QStringLiteral("touch after"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.count(RankPhase::Waiting), 2);
    QVERIFY(!exists("started") && !exists("second") && exists("after"));
    QVERIFY(run.failure);
    QCOMPARE(run.failure->rank, Failure::noRank);
    QVERIFY2(run.failure->reason.text().contains(QLatin1String("the store is not there")) &&
                 run.failure->reason.text().contains(QLatin1String("exit code 3")),
             qPrintable(run.failure->reason));
    QVERIFY(!run.failure->reason.isPlain());
    verifySaid(m_directory);
    QCOMPARE(run.failure->logTail.last(), QStringLiteral("the store is not there"));
    QCOMPARE(run.failure->logFile, m_directory + QStringLiteral("/logs/before.log"));
    const Outcome waited = ctl({QStringLiteral("wait"), QStringLiteral("last")});
    QCOMPARE(waited.code, 3);
}

void HooksTest::aStopEndsTheHookBeforeTheLaunch()
{
    LaunchSpec launch = spec(QStringLiteral("touch started"));
    launch.common.before = {shell(waiting("ready")), shell(QStringLiteral("touch second"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(!state().failure);
    QVERIFY(!exists("started") && !exists("second"));
}

void HooksTest::aHookThatIgnoresAStopIsKilledAfterTheGrace()
{
    LaunchSpec launch = spec(QStringLiteral("touch started"));
    launch.graceSeconds = 1;
    launch.common.before = {shell(QStringLiteral("trap '' TERM; ") + waiting("ready"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(hasNote("A command was ended (SIGKILL)"));
}

void HooksTest::hooksAfterRunWhenARankFailedAndChangeNoExitCode()
{
    LaunchSpec launch = spec(QStringLiteral("[ $RANK = 0 ] && exit 4; sleep 1000"));
    launch.common.after = {shell(QStringLiteral("touch first; exit 5")),
                           shell(QStringLiteral("touch second"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().exitCode, 4);
    QCOMPARE(state().failure->rank, Rank(0));
    QVERIFY(exists("first") && exists("second"));
    QVERIFY(hasNote("A command after the launch failed (exit code 5): sh -c 'touch first; exit 5'."));
}

void HooksTest::hooksAfterHaveTheGraceWhenTheRunIsStopped()
{
    LaunchSpec launch = spec(QStringLiteral("touch rank$RANK; sleep 1000"));
    launch.graceSeconds = 1;
    launch.common.after = {shell(QStringLiteral("touch first")), shell(waiting("second")),
                           shell(QStringLiteral("touch third"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("rank0") && exists("rank1"), longMs);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(exists("first") && exists("second") && !exists("third"));
}

void HooksTest::aKilledRunRunsNoHookAfter()
{
    LaunchSpec launch = spec(QStringLiteral("touch rank$RANK; sleep 1000"));
    launch.common.after = {shell(QStringLiteral("touch after"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("rank0") && exists("rank1"), longMs);
    QCOMPARE(ctl({QStringLiteral("stop"), QStringLiteral("--kill"), QStringLiteral("last")}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QVERIFY(!exists("after"));
    QVERIFY(hasNote("are skipped"));
}

void HooksTest::theRunDirectorySaysWhatItWaitsFor()
{
    LaunchSpec launch = spec(QStringLiteral("exit 0"));
    launch.common.before = {shell(QStringLiteral("touch ready; while [ ! -e go ]; do sleep 0.02; done"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QTRY_VERIFY_WITH_TIMEOUT(hasNote("Before the launch: sh"), limitMs);
    QCOMPARE(state().phase, RunPhase::Starting);
    QFile go(at("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
}

void HooksTest::hooksRunAroundEveryAttempt()
{
    LaunchSpec launch = spec(QStringLiteral("[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exit 3"));
    launch.processes.maxRestarts = 1;
    launch.common.before = {shell(QStringLiteral("echo before >> order"))};
    launch.common.after = {shell(QStringLiteral("echo after >> order"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
    QCOMPARE(fileText(at("order")), QByteArray("before\nafter\nbefore\nafter\n"));
}

void HooksTest::aCommandIsToldThatTheRunHasEnded()
{
    LaunchSpec launch = spec(QStringLiteral("[ $LOCAL_RANK = 0 ] || exit 3; sleep 100"));
    QFile script(at("told.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("echo told; echo \"$1|$RANKDECK_RUN_STATE|$RANKDECK_RUN_EXIT_CODE|$RANKDECK_RUN_FAILED_RANK|"
                 "$RANKDECK_RUN_DIRECTORY\" > told.new; mv told.new told\n");
    script.close();
    // A shell would make something else of the argument.
    launch.environment.insert(QStringLiteral("RANKDECK_ON_END"),
                              QStringLiteral("sh %1 'a $HOME;b'").arg(script.fileName()));
    QVERIFY(!start(launch));
    const QString told = m_directory + QStringLiteral("/told");
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(told), longMs);
    QCOMPARE(QString::fromUtf8(fileText(told)), QStringLiteral("a $HOME;b|failed|3|1|%1\n").arg(m_directory));
    QCOMPARE(text(QStringLiteral("on-end.log")), QByteArray("told\n"));
    QVERIFY(hasEnded());
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
}

void HooksTest::aMissingHookIsRefused_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("before") << QStringLiteral("--before");
    QTest::newRow("after") << QStringLiteral("--after");
}

void HooksTest::aMissingHookIsRefused()
{
    QFETCH(QString, option);
    for (const char *command : {"./no-such-program --flag", "''"}) {
        const Outcome outcome = ctl({QStringLiteral("processes"), option, QString::fromLatin1(command),
                                     QStringLiteral("--"), QStringLiteral("true")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(option.toUtf8() + ": "), outcome.err.constData());
        QCOMPARE(linesOf(outcome.err).size(), 1);
        QVERIFY(QDir(runsDirectory()).isEmpty());
    }
}

void HooksTest::nothingSurvivesAKill_data()
{
    QTest::addColumn<QString>("victim");
    QTest::addColumn<bool>("isBefore");
    for (const char *victim : {"agent", "supervisor"}) {
        QTest::addRow("%s, before", victim) << QString::fromLatin1(victim) << true;
        QTest::addRow("%s, after", victim) << QString::fromLatin1(victim) << false;
    }
}

void HooksTest::nothingSurvivesAKill()
{
    QFETCH(QString, victim);
    QFETCH(bool, isBefore);
    LaunchSpec launch = spec(QStringLiteral("exit 0"));
    // Nobody may wait for a hook that does not heed SIGTERM.
    const QList<QStringList> hooks{shell(QStringLiteral("trap '' TERM; ") + waiting("ready")),
                                   shell(QStringLiteral("touch next"))};
    (isBefore ? launch.common.before : launch.common.after) = hooks;
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QVERIFY(alive().size() >= 4); // Supervisor, agent, the hook and its child.
    QCOMPARE(::kill(pidOf(victim), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QVERIFY(!exists("next"));
    QCOMPARE(state().phase, victim == QLatin1String("agent") ? RunPhase::Failed : RunPhase::Lost);
}

void HooksTest::thePlatformsDaemonLivesAsLongAsTheRanks_data()
{
    QTest::addColumn<QString>("rankScript");
    QTest::addColumn<RunPhase>("phase");
    QTest::newRow("ranks that end") << "exit 0" << RunPhase::Succeeded;
    // SIGTERM comes to rank 1 and to what it left, not to the daemon.
    QTest::newRow("a rank that fails") << "[ $RANK_ID = 0 ] && exit 3; sleep 1000" << RunPhase::Failed;
}

void HooksTest::thePlatformsDaemonLivesAsLongAsTheRanks()
{
    QFETCH(QString, rankScript);
    QFETCH(RunPhase, phase);
    const HostFacts facts = factsWithDriver();
    LaunchSpec launch;
    launch.command = shell(QStringLiteral("while [ ! -e daemon ]; do sleep 0.02; done; ") + rankScript);
    launch.workDir = m_home->path("");
    launch.logDir = at("log");
    QVERIFY(!start(launch, facts));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, phase);
    QVERIFY(exists("stopped") && !exists("early") && exists("term"));
    QVERIFY(hasNote("A command before the launch failed (exit code 1): "));
    QVERIFY(!readProcess(static_cast<pid_t>(fileText(at("daemon")).trimmed().toInt())));
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
}

void HooksTest::theDaemonIsEndedThoughWhatRanksLeaveGoesOn()
{
    LaunchSpec launch;
    launch.command =
        shell(QStringLiteral("while [ ! -e daemon ]; do sleep 0.02; done; [ $RANK_ID = 0 ] || exit 0; "
                             "setsid sleep 1000 & echo $! > left"));
    launch.workDir = m_home->path("");
    launch.logDir = at("log");
    launch.destroyWhenFinished = false;
    QVERIFY(!start(launch, factsWithDriver()));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QVERIFY(exists("stopped") && exists("term"));
    const qint64 left = fileText(at("left")).trimmed().toLongLong();
    QTRY_COMPARE_WITH_TIMEOUT(alive(), QList<qint64>{left}, limitMs);
}

} // namespace tst_hooks

RANKDECK_TEST(tst_hooks, HooksTest)
#include "tst_hooks.moc"
