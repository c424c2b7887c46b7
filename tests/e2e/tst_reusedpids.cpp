#include "launch/plan/launchplan.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/ownmachine.h"
#include "support/testmain.h"

#include <QProcess>

#include <unistd.h>

namespace tst_reusedpids
{

using namespace rankdeck;

/// Strangers get the pids of ranks, launchers and supervisors that have just ended: the kernel is told in a
/// namespace of processes which pid comes next. Nobody takes them for what they are not, or ends them.
class ReusedPidsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aStrangerIsNoAdoptedRank_data();
    void aStrangerIsNoAdoptedRank();
    void aStrangerIsNoAdoptedLauncher();
    void aStrangerOutlivesAnAdoptedRunThatWasLost();
    void aStrangerIsNoWrappedRank();
    void aStrangerIsNoRankOfALostRun();
    void aStrangerIsNoSupervisor();

private:
    QString path(const char *name) const { return m_home->path(name); }
    QProcess &startOutside(const QString &script);
    /// Starts a command outside Rankdeck with this pid, which somebody has had.
    void startStranger(qint64 pid, const QString &command);
    void watch(const QProcess &launcher);
    int indexOf(int rank) const;
    int running() const;
    pid_t pidOfRank(int number) const { return rank(indexOf(number)); }
    static bool isAlive(qint64 pid);
    /// The process with this pid runs this program.
    static bool isStranger(qint64 pid);
    static bool canChoosePids() { return QFile(nextPid).open(QIODevice::WriteOnly); }
    void killWatchers() const;

    static constexpr QLatin1String nextPid{"/proc/sys/kernel/ns_last_pid"};
    /// A shell function that starts a command with the pid of its first argument.
    const QString m_become =
        u"become() { pid=$1; shift; while :; do echo $((pid - 1)) >%1; \"$@\" & [ $! = $pid ] && return; "
        "kill -9 $!; wait $! 2>/dev/null; done; }\n"_s.arg(nextPid);
    const QString m_twoRanks = u"for i in 0 1; do RANK=$i LOCAL_RANK=$i sleep 1000 & done; wait"_s;
    std::vector<std::unique_ptr<QProcess>> m_outside;
};

void ReusedPidsTest::init()
{
    if (!hasOwnMachine() || !canChoosePids())
        QSKIP("a namespace of processes takes root, and pids are chosen by the kernel's ns_last_pid");
    makeHome();
}

void ReusedPidsTest::cleanup()
{
    m_directory.clear();
    if (m_home)
        killProcessesOf(*m_home);
    for (const auto &process : m_outside) {
        process->kill();
        process->waitForFinished();
    }
    m_outside.clear();
}

QProcess &ReusedPidsTest::startOutside(const QString &script)
{
    m_outside.push_back(std::make_unique<QProcess>());
    QProcess &process = *m_outside.back();
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(u"bash"_s, {u"-c"_s, script});
    process.waitForStarted();
    return process;
}

void ReusedPidsTest::startStranger(qint64 pid, const QString &command)
{
    startOutside(m_become + u"become %1 %2; wait"_s.arg(pid).arg(command));
    QTRY_VERIFY_WITH_TIMEOUT(isStranger(pid), programLimitMs);
}

void ReusedPidsTest::watch(const QProcess &launcher)
{
    const Outcome outcome =
        ctl({u"adopt"_s, QString::number(launcher.processId()), u"--detach"_s, u"--quiet"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto found = findRun(u"last"_s);
    QVERIFY(found);
    m_directory = *found;
    QTRY_COMPARE_WITH_TIMEOUT(running(), 2, programLimitMs);
}

int ReusedPidsTest::indexOf(int rank) const
{
    const RunState now = state();
    for (std::size_t at = 0; at < now.plan->processes.size(); ++at) {
        if (now.plan->processes[at].role == Role::Worker && now.plan->processes[at].rank.value == rank)
            return int(at);
    }
    return -1;
}

int ReusedPidsTest::running() const
{
    const RunState now = state();
    int found = 0;
    for (std::size_t at = 0; at < now.ranks.size(); ++at)
        found += now.plan->processes[at].role == Role::Worker && now.ranks[at].phase == RankPhase::Running &&
                 now.ranks[at].pid > 0;
    return found;
}

bool ReusedPidsTest::isAlive(qint64 pid)
{
    const auto process = readProcess(static_cast<pid_t>(pid));
    return process && process->state != 'Z';
}

bool ReusedPidsTest::isStranger(qint64 pid)
{
    return isAlive(pid) && fileText(u"/proc/%1/cmdline"_s.arg(pid)).contains("stranger");
}

/// Keeper, guardian, supervisor and agent at once: nobody is left who could write how the run ended.
void ReusedPidsTest::killWatchers() const
{
    const auto record = readRunRecord(m_directory);
    QVERIFY(record && record->supervisor && record->guardian);
    const auto supervisor = static_cast<pid_t>(record->supervisor->pid);
    const auto guardian = static_cast<pid_t>(record->guardian->pid);
    QList<pid_t> all{readProcess(guardian)->parent, guardian, supervisor};
    for (const ProcessInfo &process : descendants(supervisor)) {
        if (isRankdeck(process))
            all << process.pid;
    }
    for (const pid_t pid : all)
        QVERIFY(::kill(pid, SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(std::none_of(all.begin(), all.end(), isAlive), programLimitMs);
}

void ReusedPidsTest::aStrangerIsNoAdoptedRank_data()
{
    QTest::addColumn<QString>("variables");
    QTest::newRow("another program") << QString();
    // It is not below the launcher.
    QTest::newRow("a rank of somebody else") << u"RANK=1 LOCAL_RANK=1"_s;
}

void ReusedPidsTest::aStrangerIsNoAdoptedRank()
{
    QFETCH(QString, variables);
    const QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher);
    const pid_t other = pidOfRank(0);
    const pid_t pid = pidOfRank(1);
    QVERIFY(::kill(pid, SIGKILL) == 0);
    startStranger(pid, u"env %1 bash -c 'exec -a stranger sleep 1000'"_s.arg(variables));
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(1))].phase, RankPhase::Unknown,
                              programLimitMs);
    QCOMPARE(running(), 1);
    const Outcome sent = ctl({u"signal"_s, m_directory, u"TERM"_s, u"--rank"_s, u"1"_s});
    QVERIFY2(sent.code != 0, sent.err.constData());
    ctl({u"stop"_s, m_directory, u"--rank"_s, u"1"_s, u"--kill"_s, u"--yes"_s});
    QVERIFY(isStranger(pid));
    const Outcome refused = ctl({u"stop"_s, m_directory, u"--kill"_s});
    QVERIFY2(!refused.err.contains("stranger"), refused.err.constData());
    const Outcome killed = ctl({u"stop"_s, m_directory, u"--kill"_s, u"--yes"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(other), programLimitMs);
    QVERIFY(isStranger(pid));
}

void ReusedPidsTest::aStrangerIsNoAdoptedLauncher()
{
    QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher);
    const qint64 pid = launcher.processId();
    const pid_t rank = pidOfRank(0);
    launcher.kill();
    QVERIFY(launcher.waitForFinished());
    startStranger(pid, u"bash -c 'exec -a stranger bash -c \"sleep 1000; true\"'"_s);
    QTRY_VERIFY_WITH_TIMEOUT(descendants(pid_t(pid)).size() == 1, programLimitMs);
    const pid_t below = descendants(pid_t(pid)).front().pid;
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.front().status, programLimitMs);
    QCOMPARE(running(), 2);
    const Outcome refused = ctl({u"stop"_s, m_directory, u"--kill"_s});
    QVERIFY2(refused.err.contains("kills 2 processes"), refused.err.constData());
    const Outcome killed = ctl({u"stop"_s, m_directory, u"--kill"_s, u"--yes"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(rank), programLimitMs);
    QVERIFY(isStranger(pid) && isAlive(below));
}

void ReusedPidsTest::aStrangerOutlivesAnAdoptedRunThatWasLost()
{
    QProcess &launcher = startOutside(m_twoRanks);
    watch(launcher);
    const qint64 pid = launcher.processId();
    const pid_t rank = pidOfRank(1);
    killWatchers();
    launcher.kill();
    QVERIFY(launcher.waitForFinished());
    QVERIFY(::kill(rank, SIGKILL) == 0);
    startStranger(pid, u"bash -c 'exec -a stranger sleep 1000'"_s);
    startStranger(rank, u"env RANK=1 LOCAL_RANK=1 bash -c 'exec -a stranger sleep 1000'"_s);
    ctl({u"stop"_s, m_directory, u"--kill"_s, u"--yes"_s});
    QCOMPARE(state().phase, RunPhase::Lost);
    QVERIFY(isStranger(pid) && isStranger(rank));
    // It may be adopted itself: the run of the same pid is another's.
    const Outcome adopted = ctl({u"adopt"_s, QString::number(pid), u"--detach"_s});
    QVERIFY2(adopted.code == 0, adopted.err.constData());
}

void ReusedPidsTest::aStrangerIsNoWrappedRank()
{
    const QString go = path("go");
    const QString script = m_become + u"for i in 0 1; do RANK=$i LOCAL_RANK=$i sleep 1000 & p[$i]=$!; done\n"
                                      "until [ -e %1 ]; do sleep 0.05; done\n"
                                      "kill -9 ${p[1]}; wait ${p[1]} 2>/dev/null\n"
                                      "become ${p[1]} bash -c 'exec -a stranger sleep 1000'; wait"_s.arg(go);
    const Outcome outcome =
        ctl({u"wrap"_s, u"--grace"_s, u"1"_s, u"--detach"_s, u"--"_s, u"bash"_s, u"-c"_s, script});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    m_directory = *findRun(u"last"_s);
    QTRY_COMPARE_WITH_TIMEOUT(running(), 2, programLimitMs);
    const pid_t pid = pidOfRank(1);
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(isStranger(pid), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks[std::size_t(indexOf(1))].phase, RankPhase::Unknown,
                              programLimitMs);
    QCOMPARE(running(), 1);
    const Outcome sent = ctl({u"signal"_s, m_directory, u"TERM"_s, u"--rank"_s, u"1"_s});
    QVERIFY2(sent.code != 0, sent.err.constData());
    ctl({u"stop"_s, m_directory, u"--rank"_s, u"1"_s, u"--kill"_s});
    QVERIFY(isStranger(pid));
    QCOMPARE(state().phase, RunPhase::Running);
    // It is below the command all the same.
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--kill"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(pid), programLimitMs);
}

void ReusedPidsTest::aStrangerIsNoRankOfALostRun()
{
    launch({}, {u"sleep"_s, u"1000"_s});
    const pid_t first = rank(0);
    const pid_t second = rank(1);
    killWatchers();
    QTRY_VERIFY_WITH_TIMEOUT(!isAlive(first) && !isAlive(second), programLimitMs);
    startStranger(first, u"bash -c 'exec -a stranger sleep 1000'"_s);
    startStranger(second, u"setsid bash -c 'exec -a stranger sleep 1000'"_s);
    QCOMPARE(state().count(RankPhase::Running), 0);
    const Outcome stopped = ctl({u"stop"_s, m_directory, u"--kill"_s});
    QVERIFY2(!stopped.err.contains("Ending "), stopped.err.constData());
    QVERIFY(isStranger(first) && isStranger(second));
}

void ReusedPidsTest::aStrangerIsNoSupervisor()
{
    launch({}, {u"sleep"_s, u"1000"_s});
    const qint64 pid = readRunRecord(m_directory)->supervisor->pid;
    killWatchers();
    startStranger(pid, u"bash -c 'exec -a stranger sleep 1000'"_s);
    QCOMPARE(state().phase, RunPhase::Lost);
    ctl({u"stop"_s, m_directory, u"--kill"_s});
    QVERIFY(isStranger(pid));
    const Outcome deleted = ctl({u"delete"_s, m_directory, u"--yes"_s});
    QVERIFY2(deleted.code == 0, deleted.err.constData());
    QVERIFY(isStranger(pid));
}

} // namespace tst_reusedpids

RANKDECK_TEST_ON_OWN_MACHINE(tst_reusedpids, ReusedPidsTest)
#include "tst_reusedpids.moc"
