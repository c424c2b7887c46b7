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

    static QStringList shell(const QString &script) { return {u"sh"_s, u"-c"_s, script}; }
    /// A script that makes `file` and then waits to be ended, in a shell and in a session of its own.
    QString waiting(const char *file) const
    {
        return u"setsid sleep 1000 & touch %1; while :; do sleep 0.05; done"_s.arg(at(file));
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
        facts.slogdPath = script("slogd", u"(setsid sh -c 'echo $$ > daemon.new; mv daemon.new daemon; "
                                          "trap \"touch term; exit\" TERM; while :; do sleep 0.02; "
                                          "done' &)\nexit 1\n"_s);
        facts.stopScriptPath = script("stop.sh", u"[ -e term ] && touch early; touch stopped\n"_s);
        return facts;
    }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    bool hasEnded() const { return !isLive(state().phase); }
    QByteArray text(const QString &name) const { return fileText(m_directory + '/'_L1 + name); }
    bool hasNote(const char *part) const
    {
        const QStringList notes = state().notes;
        return std::any_of(notes.begin(), notes.end(),
                           [&](const QString &note) { return note.contains(QLatin1String(part)); });
    }
    QList<qint64> alive() const { return processesOf(m_home->path("state")); }
    pid_t pidOf(const QString &role) const
    {
        if (role == "supervisor"_L1)
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
    LaunchSpec launch = spec(u"echo rank >> order"_s);
    launch.common.before = {shell(u"echo one >> order; echo said by one"_s),
                            shell(u"echo two >> order; echo said by two >&2"_s)};
    launch.common.after = {shell(u"echo three >> order; echo said by three"_s),
                           shell(u"echo four >> order"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
    QCOMPARE(fileText(at("order")), QByteArray("one\ntwo\nrank\nrank\nthree\nfour\n"));
    const QByteArray before = text(u"logs/before.log"_s);
    QVERIFY2(before.indexOf("said by one\n$ ") < before.indexOf("\nsaid by two\n"), before.constData());
    QVERIFY(text(u"logs/after.log"_s).contains("\nsaid by three\n"));
    QVERIFY(hasNote("Before the launch: sh -c 'echo one"));
    QVERIFY(hasNote("After the launch: sh -c 'echo four"));
    QTRY_VERIFY(alive().isEmpty());
}

void HooksTest::hooksHaveTheLaunchsEnvironmentAndPlace()
{
    LaunchSpec launch = spec(u"exit 0"_s);
    launch.environment = {{u"MINE"_s, u"x y"_s}};
    launch.common.before = {shell(u"pwd -P; echo \"$MINE|$WORLD_SIZE|${RANK-none}|$RANKDECK_HOOK\""_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    const QList<QByteArray> lines = linesOf(text(u"logs/before.log"_s));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(QString::fromUtf8(lines[1]), QFileInfo(at("")).canonicalFilePath());
    QCOMPARE(lines[2], QByteArray("x y|2|none|before"));
}

void HooksTest::aFailingHookBeforeStartsNothing()
{
    LaunchSpec launch = spec(u"touch started"_s);
    launch.common.before = {shell(u"echo the store is not there; exit 3"_s), shell(u"touch second"_s)};
    launch.common.after = {shell(u"touch after"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    const RunState run = state();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.count(RankPhase::Waiting), 2);
    QVERIFY(!exists("started") && !exists("second") && exists("after"));
    QVERIFY(run.failure);
    QCOMPARE(run.failure->rank, Failure::noRank);
    QVERIFY2(run.failure->reason.text().contains("the store is not there"_L1) &&
                 run.failure->reason.text().contains("exit code 3"_L1),
             qPrintable(run.failure->reason));
    QVERIFY(!run.failure->reason.isPlain());
    verifySaid(m_directory);
    QCOMPARE(run.failure->logTail.last(), u"the store is not there"_s);
    QCOMPARE(run.failure->logFile, m_directory + u"/logs/before.log"_s);
    const Outcome waited = ctl({u"wait"_s, u"last"_s});
    QCOMPARE(waited.code, 3);
}

void HooksTest::aStopEndsTheHookBeforeTheLaunch()
{
    LaunchSpec launch = spec(u"touch started"_s);
    launch.common.before = {shell(waiting("ready")), shell(u"touch second"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(!state().failure);
    QVERIFY(!exists("started") && !exists("second"));
}

void HooksTest::aHookThatIgnoresAStopIsKilledAfterTheGrace()
{
    LaunchSpec launch = spec(u"touch started"_s);
    launch.graceSeconds = 1;
    launch.common.before = {shell(u"trap '' TERM; "_s + waiting("ready"))};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(hasNote("A command was ended (SIGKILL)"));
}

void HooksTest::hooksAfterRunWhenARankFailedAndChangeNoExitCode()
{
    LaunchSpec launch = spec(u"[ $RANK = 0 ] && exit 4; sleep 1000"_s);
    launch.common.after = {shell(u"touch first; exit 5"_s), shell(u"touch second"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().exitCode, 4);
    QCOMPARE(state().failure->rank, Rank(0));
    QVERIFY(exists("first") && exists("second"));
    QVERIFY(hasNote("A command after the launch failed (exit code 5): sh -c 'touch first; exit 5'."));
}

void HooksTest::hooksAfterHaveTheGraceWhenTheRunIsStopped()
{
    LaunchSpec launch = spec(u"touch rank$RANK; sleep 1000"_s);
    launch.graceSeconds = 1;
    launch.common.after = {shell(u"touch first"_s), shell(waiting("second")), shell(u"touch third"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("rank0") && exists("rank1"), longMs);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QVERIFY(exists("first") && exists("second") && !exists("third"));
}

void HooksTest::aKilledRunRunsNoHookAfter()
{
    LaunchSpec launch = spec(u"touch rank$RANK; sleep 1000"_s);
    launch.common.after = {shell(u"touch after"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("rank0") && exists("rank1"), longMs);
    QCOMPARE(ctl({u"stop"_s, u"--kill"_s, u"last"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QVERIFY(!exists("after"));
    QVERIFY(hasNote("are skipped"));
}

void HooksTest::theRunDirectorySaysWhatItWaitsFor()
{
    LaunchSpec launch = spec(u"exit 0"_s);
    launch.common.before = {shell(u"touch ready; while [ ! -e go ]; do sleep 0.02; done"_s)};
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
    LaunchSpec launch = spec(u"[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exit 3"_s);
    launch.processes.maxRestarts = 1;
    launch.common.before = {shell(u"echo before >> order"_s)};
    launch.common.after = {shell(u"echo after >> order"_s)};
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), longMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
    QCOMPARE(fileText(at("order")), QByteArray("before\nafter\nbefore\nafter\n"));
}

void HooksTest::aCommandIsToldThatTheRunHasEnded()
{
    LaunchSpec launch = spec(u"[ $LOCAL_RANK = 0 ] || exit 3; sleep 100"_s);
    QFile script(at("told.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("echo told; echo \"$1|$RANKDECK_RUN_STATE|$RANKDECK_RUN_EXIT_CODE|$RANKDECK_RUN_FAILED_RANK|"
                 "$RANKDECK_RUN_DIRECTORY\" > told.new; mv told.new told\n");
    script.close();
    // A shell would make something else of the argument.
    launch.environment.insert(u"RANKDECK_ON_END"_s, u"sh %1 'a $HOME;b'"_s.arg(script.fileName()));
    QVERIFY(!start(launch));
    const QString told = m_directory + u"/told"_s;
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(told), longMs);
    QCOMPARE(QString::fromUtf8(fileText(told)), u"a $HOME;b|failed|3|1|%1\n"_s.arg(m_directory));
    QCOMPARE(text(u"on-end.log"_s), QByteArray("told\n"));
    QVERIFY(hasEnded());
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
}

void HooksTest::aMissingHookIsRefused_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("before") << u"--before"_s;
    QTest::newRow("after") << u"--after"_s;
}

void HooksTest::aMissingHookIsRefused()
{
    QFETCH(QString, option);
    for (const char *command : {"./no-such-program --flag", "''"}) {
        const Outcome outcome =
            ctl({u"processes"_s, option, QString::fromLatin1(command), u"--"_s, u"true"_s});
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
    LaunchSpec launch = spec(u"exit 0"_s);
    // Nobody may wait for a hook that does not heed SIGTERM.
    const QList<QStringList> hooks{shell(u"trap '' TERM; "_s + waiting("ready")), shell(u"touch next"_s)};
    (isBefore ? launch.common.before : launch.common.after) = hooks;
    QVERIFY(!start(launch));
    QTRY_VERIFY_WITH_TIMEOUT(exists("ready"), longMs);
    QVERIFY(alive().size() >= 4); // Supervisor, agent, the hook and its child.
    QCOMPARE(::kill(pidOf(victim), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(alive().isEmpty(), limitMs);
    QVERIFY(!exists("next"));
    QCOMPARE(state().phase, victim == "agent"_L1 ? RunPhase::Failed : RunPhase::Lost);
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
    launch.command = shell(u"while [ ! -e daemon ]; do sleep 0.02; done; "_s + rankScript);
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
    launch.command = shell(u"while [ ! -e daemon ]; do sleep 0.02; done; [ $RANK_ID = 0 ] || exit 0; "
                           "setsid sleep 1000 & echo $! > left"_s);
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
