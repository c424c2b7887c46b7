#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "launch/text/commandline.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QProcess>
#include <QStandardPaths>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_adopt
{

using namespace rankdeck;

/// Runs of ranks that were started outside Rankdeck.
class AdoptTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup()
    {
        m_directory.clear();
        killProcessesOf(*m_home);
        for (const auto &process : m_outside)
            process->waitForFinished();
        m_outside.clear();
    }
    void theRanksOfALauncherAreWatched();
    void stoppingEndsTheWatchingAlone();
    void theRanksSurviveTheDeathOfTheirWatchers();
    void killEndsAllThatWasAdopted();
    void whoAsksForAKillIsNotKilledByIt();
    void aKillAsksOnATerminal();
    void aRankIsKilledOnRequestAlone();
    void aRankIsWatchedAlone();
    void ranksThatOutliveTheirLauncherAreWatchedOn();
    void theVerdictNamesTheRankWithATraceback();
    void theLogBehindTeeIsFound();
    void ranksOfTorchrunAreWatched();
    void theLogThatARankOpensIsItsOwn();
    void whatCannotBeWatchedIsToldInASentence();
    void aProcessIsFoundByName();

private:
    QString path(const char *name) const { return m_home->path(name); }
    /// Starts a shell script outside Rankdeck; its output goes to outside.log.
    QProcess &startOutside(const QString &script, const QString &log = u"outside.log"_s)
    {
        m_outside.push_back(std::make_unique<QProcess>());
        QProcess &process = *m_outside.back();
        process.setStandardOutputFile(m_home->path(qPrintable(log)), QIODevice::Append);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(m_home->path(""));
        process.start(u"bash"_s, {u"-c"_s, script});
        process.waitForStarted();
        return process;
    }
    Outcome adopt(qint64 pid) const { return ctl({u"adopt"_s, QString::number(pid), u"--detach"_s}); }
    void watch(const QProcess &process, int running)
    {
        const Outcome outcome = adopt(process.processId());
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto found = findRun(QString::fromUtf8(outcome.out.trimmed()));
        QVERIFY(found);
        m_directory = *found;
        QTRY_COMPARE_WITH_TIMEOUT(count(RankPhase::Running), running, programLimitMs);
    }
    int count(RankPhase phase) const
    {
        const RunState now = state();
        int found = 0;
        for (std::size_t at = 0; at < now.ranks.size(); ++at)
            found += now.plan->processes[at].role == Role::Worker && now.ranks[at].phase == phase &&
                     now.ranks[at].pid > 0;
        return found;
    }
    int indexOf(int rank) const
    {
        const RunState now = state();
        for (std::size_t at = 0; at < now.plan->processes.size(); ++at) {
            if (now.plan->processes[at].role == Role::Worker && now.plan->processes[at].rank.value == rank)
                return int(at);
        }
        return -1;
    }
    pid_t pidOfRank(int at) const { return rank(indexOf(at)); }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(static_cast<pid_t>(pid));
        return process && process->state != 'Z';
    }

    std::vector<std::unique_ptr<QProcess>> m_outside;
    const QString m_twoRanks =
        u"for i in 0 1; do echo \"[rank$i]: step 1\"; RANK=$i LOCAL_RANK=$i sleep 1000 & done; wait"_s;
};

void AdoptTest::theRanksOfALauncherAreWatched()
{
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    RunState now = state();
    QCOMPARE(now.plan->launcher, u"adopt"_s);
    QCOMPARE(now.ranks.front().pid, launcher.processId());
    QCOMPARE(now.plan->processes.front().logFile, path("outside.log"));
    QTRY_COMPARE_WITH_TIMEOUT(logOf(indexOf(1)), QByteArray("step 1\n"), programLimitMs);
    // Its end is seen, but nobody can tell how it ended.
    QVERIFY(::kill(pidOfRank(1), SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(count(RankPhase::Unknown), 1, programLimitMs);
    QCOMPARE(state().phase, RunPhase::Running);
    QVERIFY(::kill(pidOfRank(0), SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Unknown, programLimitMs);
    now = state();
    QVERIFY(!now.failure);
    QCOMPARE(now.exitCode, 1);
    QCOMPARE(now.ranks.front().status->kind, ExitStatus::Kind::Unknown);
    const Outcome list = ctl({u"list"_s, u"--json"_s});
    QVERIFY2(list.out.contains("\"unknown\""), list.out.constData());
}

void AdoptTest::stoppingEndsTheWatchingAlone()
{
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const pid_t rank = pidOfRank(0);
    const Outcome one = ctl({u"stop"_s, m_directory, u"--rank"_s, u"0"_s});
    QCOMPARE(one.code, 2);
    QVERIFY2(one.err.contains("did not start these ranks"), one.err.constData());
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QVERIFY2(stopped.err.contains("The ranks go on"), stopped.err.constData());
    QCOMPARE(state().phase, RunPhase::Stopped);
    QCOMPARE(count(RankPhase::Unknown), 2);
    QVERIFY(isAlive(rank));
    QVERIFY(isAlive(launcher.processId()));
}

void AdoptTest::theRanksSurviveTheDeathOfTheirWatchers()
{
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const pid_t rank = pidOfRank(0);
    const auto record = readRunRecord(m_directory);
    QVERIFY(record && record->supervisor);
    QVERIFY(::kill(static_cast<pid_t>(record->supervisor->pid), SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Lost, programLimitMs);
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QVERIFY2(stopped.err.contains("had ended already"), stopped.err.constData());
    QVERIFY(isAlive(rank));
    QVERIFY(isAlive(launcher.processId()));
}

void AdoptTest::killEndsAllThatWasAdopted()
{
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const pid_t rank = pidOfRank(0);
    const qint64 pid = launcher.processId();
    const Outcome refused = ctl({u"stop"_s, m_directory, u"--kill"_s});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("kills 3 processes that Rankdeck did not start"), refused.err.constData());
    QVERIFY2(refused.err.contains(QByteArray::number(rank) + "  sleep 1000"), refused.err.constData());
    QVERIFY(isAlive(rank) && isAlive(pid));
    const Outcome killed = ctl({u"stop"_s, m_directory, u"--kill"_s, u"--yes"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(rank) && !isAlive(pid), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

/// The command is given in a shell below what was adopted.
void AdoptTest::whoAsksForAKillIsNotKilledByIt()
{
    const QString stop = joinCommandLine({buildPath("bin/rankdeckctl"), u"stop"_s, u"last"_s, u"--kill"_s});
    const QProcess &launcher = startOutside(
        u"RANK=0 LOCAL_RANK=0 sleep 1000 & while [ ! -e go ]; do sleep 0.1; done; "
        "%1 >listed 2>&1; %1 --rank 0 --yes; %1 --yes; echo $? >killed; exec sleep 1000"_s.arg(stop));
    watch(launcher, 1);
    const pid_t rank = pidOfRank(0);
    QVERIFY(isAlive(rank));
    QFile go(path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("killed")), programLimitMs);
    QVERIFY2(fileText(path("listed")).contains("kills one process"), fileText(path("listed")).constData());
    QVERIFY(!isAlive(rank) && isAlive(launcher.processId()));
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
}

void AdoptTest::aKillAsksOnATerminal()
{
    if (QStandardPaths::findExecutable(u"script"_s).isEmpty())
        QSKIP("script is not installed");
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const QString stop = joinCommandLine({buildPath("bin/rankdeckctl"), u"stop"_s, m_directory, u"--kill"_s});
    const auto answered = [&](const QByteArray &answer) -> Outcome {
        QProcess terminal;
        terminal.setProcessChannelMode(QProcess::MergedChannels);
        terminal.start(u"script"_s, {u"-qec"_s, stop, u"/dev/null"_s});
        QByteArray shown;
        while (!shown.contains("Kill them? [y/N] ") && terminal.waitForReadyRead(programLimitMs))
            shown += terminal.readAll();
        terminal.write(answer + '\n');
        terminal.waitForFinished(programLimitMs);
        return {terminal.exitCode(), shown + terminal.readAll(), {}};
    };
    for (const char *no : {"n", "", "what"}) {
        const Outcome kept = answered(no);
        QCOMPARE(kept.code, 1);
        QVERIFY2(kept.out.contains("kills 3 processes that Rankdeck did not start"), kept.out.constData());
        QVERIFY2(kept.out.contains("Nothing was killed."), kept.out.constData());
        QCOMPARE(count(RankPhase::Running), 2);
    }
    const Outcome killed = answered("y");
    QVERIFY2(killed.code == 0, killed.out.constData());
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(launcher.processId()), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Stopped);
}

void AdoptTest::aRankIsKilledOnRequestAlone()
{
    watch(startOutside(m_twoRanks), 2);
    const pid_t other = pidOfRank(1);
    const Outcome sent = ctl({u"signal"_s, m_directory, u"TERM"_s, u"--rank"_s, u"0"_s});
    QVERIFY2(sent.code == 0, sent.err.constData());
    QTRY_COMPARE_WITH_TIMEOUT(count(RankPhase::Unknown), 1, programLimitMs);
    QVERIFY(isAlive(other));
}

void AdoptTest::aRankIsWatchedAlone()
{
    const QProcess &outside = startOutside(u"export RANK=3 LOCAL_RANK=1; echo mine; exec sleep 1000"_s);
    QTRY_COMPARE_WITH_TIMEOUT(fileText(path("outside.log")), QByteArray("mine\n"), programLimitMs);
    watch(outside, 1);
    const RunState now = state();
    QCOMPARE(now.plan->processes.size(), 1U);
    QCOMPARE(now.plan->processes.front().rank, Rank(3));
    QCOMPARE(now.plan->processes.front().localRank, LocalRank(1));
    QCOMPARE(logOf(0), QByteArray("mine\n"));
    QVERIFY(now.notes.join(' '_L1).contains(u"adopt their launcher: process %1."_s.arg(getpid())));
    QVERIFY(::kill(rank(0), SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Unknown, programLimitMs);
}

void AdoptTest::ranksThatOutliveTheirLauncherAreWatchedOn()
{
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const pid_t rank = pidOfRank(0);
    QVERIFY(::kill(static_cast<pid_t>(launcher.processId()), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.front().status, programLimitMs);
    QCOMPARE(count(RankPhase::Running), 2);
    QCOMPARE(state().phase, RunPhase::Running);
    QVERIFY(::kill(pidOfRank(1), SIGKILL) == 0 && ::kill(rank, SIGKILL) == 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Unknown, programLimitMs);
}

void AdoptTest::theVerdictNamesTheRankWithATraceback()
{
    QFile::remove(path("go"));
    QVERIFY(::mkfifo(QFile::encodeName(path("go")).constData(), 0600) == 0);
    startOutside(u"for i in 0 1; do echo \"[rank$i]: step 1\"; RANK=$i sleep 1000 & done\n"
                 "read < go\n"
                 "echo '[rank1]: Traceback (most recent call last):'\n"
                 "echo '[rank1]:   File \"train.py\", line 7, in <module>'\n"
                 "echo '[rank1]: ValueError: bad batch'\n"
                 "kill %1 %2; wait; exit 3"_s);
    watch(*m_outside.front(), 2);
    QFile go(path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && go.write("\n") == 1);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Failed);
    QVERIFY(state().failure);
    QCOMPARE(state().failure->rank, Rank(1));
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 1 failed first: ValueError: bad batch"), report.out.constData());
}

void AdoptTest::theLogBehindTeeIsFound()
{
    const QProcess &shell = startOutside(u"bash -c 'echo begun; RANK=0 sleep 1000 & wait' | tee train.log"_s);
    QTRY_COMPARE_WITH_TIMEOUT(fileText(path("train.log")), QByteArray("begun\n"), programLimitMs);
    qint64 launcher = 0;
    for (const ProcessInfo &process : descendants(static_cast<pid_t>(shell.processId()))) {
        if (process.name == "bash"_L1)
            launcher = process.pid;
    }
    const Outcome outcome = adopt(launcher);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    m_directory = *findRun(QString::fromUtf8(outcome.out.trimmed()));
    QCOMPARE(state().plan->processes.front().logFile, path("train.log"));
}

void AdoptTest::ranksOfTorchrunAreWatched()
{
    QProcess help;
    help.start(u"torchrun"_s, {u"--help"_s});
    if (!help.waitForFinished() || help.exitCode() != 0)
        QSKIP("no torchrun that works is installed");
    QFile script(path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, time\n"
                 "rank = os.environ['RANK']\n"
                 "print('step', rank, flush=True)\n"
                 "while not os.path.exists('go'):\n"
                 "    time.sleep(0.05)\n"
                 "if rank == '1':\n"
                 "    raise ValueError('bad batch')\n"
                 "time.sleep(1000)\n");
    script.close();
    // torch 1.13 knows neither 0 nor 3 for these with Python 3.11.
    watch(startOutside(u"exec torchrun --standalone --nproc_per_node 2 --redirects 1 --tee 2 train.py"_s), 2);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(indexOf(1)), QByteArray("step 1\n"), programLimitMs);
    QFile go(path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Failed, programLimitMs);
    // torchrun tells the exit code, which the run has too.
    QCOMPARE(state().ranks[std::size_t(indexOf(1))].status->text(), u"exit code 1"_s);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 1 failed first: ValueError: bad batch"), report.out.constData());
}

void AdoptTest::theLogThatARankOpensIsItsOwn()
{
    QDir().mkpath(path("logs"));
    watch(
        startOutside(
            u"for i in 0 1; do RANK=$i bash -c 'exec 7>logs/rank_$RANK.log 8>other.bin; echo own $RANK >&7; "
            "sleep 1000' | cat & done; wait"_s),
        2);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(indexOf(1)), QByteArray("own 1\n"), programLimitMs);
    QCOMPARE(state().plan->processes[std::size_t(indexOf(0))].logFile, path("logs/rank_0.log"));
}

void AdoptTest::whatCannotBeWatchedIsToldInASentence()
{
    constexpr uid_t nobody = 65534;
    QProcess others;
    others.setChildProcessModifier([] {
        if (setuid(nobody) != 0)
            _exit(1);
    });
    if (geteuid() == 0) {
        others.start(u"sleep"_s, {u"1000"_s});
        QVERIFY(others.waitForStarted());
    }
    Outcome outcome = adopt(geteuid() == 0 ? others.processId() : 1);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("the process belongs to "), outcome.err.constData());
    others.kill();
    others.waitForFinished();

    QProcess gone;
    gone.start(u"true"_s);
    QVERIFY(gone.waitForStarted());
    const qint64 pid = gone.processId();
    QVERIFY(gone.waitForFinished());
    outcome = adopt(pid);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("there is no such process any more"), outcome.err.constData());

    for (const auto &[above, why] : std::initializer_list<std::pair<qint64, const char *>>{
             {1, "above all processes of this machine"}, {getpid(), "the process is above this command"}}) {
        outcome = adopt(above);
        QCOMPARE(outcome.code, 2);
        // Somebody else's process 1 is refused as such.
        QVERIFY2(outcome.err.contains(geteuid() == 0 || above != 1 ? why : "the process belongs to "),
                 outcome.err.constData());
    }

    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher, 2);
    const QString name = QFileInfo(m_directory).fileName();
    outcome = adopt(launcher.processId());
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("watches this process already"), outcome.err.constData());
    const auto record = readRunRecord(m_directory);
    QVERIFY(record && record->supervisor);
    outcome = adopt(record->supervisor->pid);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("the process is one of Rankdeck's own"), outcome.err.constData());

    launch({}, {u"sleep"_s, u"1000"_s});
    outcome = adopt(rank(0));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("the process belongs to the run "), outcome.err.constData());
    endRun();

    // A shell in which somebody has launched.
    const QString waits =
        joinCommandLine({buildPath("bin/rankdeckctl"), u"processes"_s, u"--"_s, u"sleep"_s, u"1000"_s});
    const QProcess &launching = startOutside(waits + u"; true"_s, u"launching.log"_s);
    QTRY_VERIFY_WITH_TIMEOUT(fileText(path("launching.log")).contains("(1 process)"), programLimitMs);
    outcome = adopt(launching.processId());
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("Rankdeck runs below the process, as process "), outcome.err.constData());

    outcome = ctl({u"adopt"_s, u"train.py"_s});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("is not a pid"), outcome.err.constData());
}

void AdoptTest::aProcessIsFoundByName()
{
    const auto byName = [](const QString &name) {
        return ctl({u"adopt"_s, u"--name"_s, name, u"--detach"_s});
    };
    const QString unique = u"train-%1.sh"_s.arg(getpid());
    QFile script(path(qPrintable(unique)));
    QVERIFY(script.open(QIODevice::WriteOnly) && script.write(m_twoRanks.toUtf8()) > 0);
    script.close();
    Outcome outcome = byName(unique);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("no process of yours"), outcome.err.constData());
    const QProcess &first = startOutside(u"exec bash "_s + unique);
    outcome = byName(unique);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    m_directory = *findRun(QString::fromUtf8(outcome.out.trimmed()));
    QCOMPARE(state().plan->adopted->pid, first.processId());
    QCOMPARE(state().spec->command, QStringList({u"bash"_s, unique}));
    const QProcess &second = startOutside(u"exec bash "_s + unique);
    QTRY_VERIFY_WITH_TIMEOUT(byName(unique).err.contains("2 processes match"), programLimitMs);
    outcome = byName(unique);
    QVERIFY2(outcome.err.contains(QByteArray::number(second.processId())), outcome.err.constData());
    // Ranks have a launcher, which is named too.
    const QString number = u"10%1"_s.arg(getpid());
    const QProcess &launcher = startOutside(u"n=%1; sleep 10$n & sleep 10$n & wait"_s.arg(getpid()));
    QTRY_VERIFY_WITH_TIMEOUT(
        byName(number).err.contains("started them all: " + QByteArray::number(launcher.processId())),
        programLimitMs);
}

} // namespace tst_adopt

RANKDECK_TEST(tst_adopt, AdoptTest)
#include "tst_adopt.moc"
