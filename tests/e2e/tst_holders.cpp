#include "run/record/journal.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <csignal>
#include <memory>

#include <unistd.h>

namespace tst_holders
{

using namespace rankdeck;

/// Who holds the devices or the port of a launch is named before it, and what is ours can be stopped for it.
/// A script stands in for npu-smi, which also says that there are NPUs.
class HoldersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whereThereAreNoNpusNobodyHoldsOne();
    void aLiveRunOnTheSameDevicesIsNamed();
    void aLiveRunOnOtherDevicesIsNot();
    void theHoldersAreStoppedWhenAsked();
    void theHolderOfThePortIsNamedAndStopped();
    void aStrangerOnThePortIsNamed();
    void aStrangerOnAPortOfHcclIsNamed();
    void othersOnTheDevicesAreNamed();
    void anNpuSmiThatFailsStopsNothing();
    void whatALostRunLeftIsNamedAndEnded();
    void aStrangerWithARecordedPidIsLeftAlone();
    void endedRunsLeaveNoMark();

private:
    /// npu-smi prints this from now on.
    void installNpuSmi(const QByteArray &script)
    {
        QVERIFY(QDir().mkpath(m_home->path("bin")));
        QFile file(m_home->path("bin/npu-smi"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + script) > 0);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PATH", m_home->path("bin").toLocal8Bit() + ':' + m_path);
    }
    static QStringList launch(const QStringList &options, const QString &script, quint16 port = freePort())
    {
        return QStringList{u"processes"_s, u"--nproc=2"_s, u"--grace=1"_s, u"--master-port=%1"_s.arg(port)} +
               options + QStringList{u"--"_s, u"sh"_s, u"-c"_s, script};
    }
    /// A run that goes on until it is stopped. Returns its name.
    QString startHolder(const QStringList &options = {}, const QString &script = u"sleep 1000"_s,
                        quint16 port = freePort())
    {
        const Outcome outcome = ctl(launch(options + QStringList{u"--detach"_s}, script, port));
        const QString name = QString::fromUtf8(outcome.out).trimmed();
        const auto bothRun = [&] {
            const auto directory = findRun(name);
            const auto state = directory ? RunReader(*directory).open() : Result<RunState>(Error{});
            return state && state->count(RankPhase::Running) == 2;
        };
        return QTest::qWaitFor(bothRun, 20000) ? name : QString();
    }
    static RunState stateOf(const QString &name)
    {
        const auto state = RunReader(*findRun(name)).open();
        return state ? *state : RunState();
    }
    /// As when all that watches over a run is lost, and a rank is not.
    RunState makeLost(const QString &name);

    std::unique_ptr<TestHome> m_home;
    QByteArray m_path = qgetenv("PATH");
    QList<qint64> m_adopted; ///< What stands for ranks of lost runs.
};

void HoldersTest::init()
{
    qputenv("PATH", m_path);
    m_home = std::make_unique<TestHome>();
}

void HoldersTest::cleanup()
{
    killProcessesOf(*m_home);
    QTRY_VERIFY(processesOf(m_home->path("state")).isEmpty());
}

void HoldersTest::whereThereAreNoNpusNobodyHoldsOne()
{
    if (QFile::exists(u"/dev/davinci0"_s))
        QSKIP("this machine has NPUs");
    const QString holder = startHolder();
    QVERIFY(!holder.isEmpty());
    const Outcome outcome = ctl(launch({}, u"true"_s));
    QCOMPARE(outcome.code, 0);
    QVERIFY2(!outcome.err.contains(" is live"), outcome.err.constData());
}

void HoldersTest::aLiveRunOnTheSameDevicesIsNamed()
{
    installNpuSmi("true\n");
    const QString holder = startHolder();
    QVERIFY(!holder.isEmpty());
    const Outcome outcome = ctl(launch({}, u"true"_s));
    QCOMPARE(outcome.code, 0);
    const QByteArray sentence = "warning: The run " + holder.toUtf8() +
                                " is live. It uses devices 0-1. To stop it: rankdeckctl stop " +
                                holder.toUtf8();
    QVERIFY2(outcome.err.contains(sentence), outcome.err.constData());
    QCOMPARE(stateOf(holder).phase, RunPhase::Running);
}

void HoldersTest::aLiveRunOnOtherDevicesIsNot()
{
    installNpuSmi("true\n");
    const QString holder = startHolder({u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=4,5"_s});
    QVERIFY(!holder.isEmpty());
    Outcome outcome = ctl(launch({}, u"true"_s));
    QVERIFY2(!outcome.err.contains(" is live"), outcome.err.constData());
    outcome = ctl(launch({u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=5,6"_s}, u"true"_s));
    QVERIFY2(outcome.err.contains(holder.toUtf8() + " is live. It uses device 5."), outcome.err.constData());
    // A rank that has ended holds nothing any more.
    QCOMPARE(ctl({u"stop"_s, holder, u"--rank=1"_s}).code, 0);
    outcome = ctl(launch({u"--env"_s, u"ASCEND_RT_VISIBLE_DEVICES=5,6"_s}, u"true"_s));
    QVERIFY2(!outcome.err.contains(" is live"), outcome.err.constData());
}

void HoldersTest::theHoldersAreStoppedWhenAsked()
{
    installNpuSmi("true\n");
    const QString holder = startHolder();
    const QString other = startHolder({u"--stop-holders"_s}); // Ends the first one.
    QVERIFY(!holder.isEmpty() && !other.isEmpty());
    QCOMPARE(stateOf(holder).phase, RunPhase::Stopped);
    QCOMPARE(stateOf(other).phase, RunPhase::Running);
}

void HoldersTest::theHolderOfThePortIsNamedAndStopped()
{
    const quint16 port = freePort();
    const QString listen = u"[ $RANK = 1 ] && exec sleep 1000; exec python3 -c 'import socket, time\n"
                           "s = socket.socket(); s.bind((\"127.0.0.1\", %1)); s.listen()\n"
                           "print(\"listening\", flush=True); time.sleep(1000)'"_s.arg(port);
    const QString holder = startHolder({}, listen, port);
    QVERIFY(!holder.isEmpty());
    const QString log = stateOf(holder).plan->processes[0].logFile;
    QTRY_VERIFY_WITH_TIMEOUT(fileText(log).contains("listening"), 20000);
    Outcome outcome = ctl(launch({}, u"true"_s, port));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("Stop the run " + holder.toUtf8()), outcome.err.constData());
    outcome = ctl(launch({u"--stop-holders"_s}, u"true"_s, port));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(stateOf(holder).phase, RunPhase::Stopped);
}

void HoldersTest::aStrangerOnThePortIsNamed()
{
    QTcpServer stranger;
    QVERIFY(stranger.listen(QHostAddress::LocalHost));
    const Outcome outcome = ctl(launch({u"--stop-holders"_s}, u"true"_s, stranger.serverPort()));
    QCOMPARE(outcome.code, 2);
    const QByteArray pid = "(pid " + QByteArray::number(getpid()) + ')';
    QVERIFY2(outcome.err.contains("End test_e2e " + pid + ", which listens there"), outcome.err.constData());
}

void HoldersTest::aStrangerOnAPortOfHcclIsNamed()
{
    QTcpServer stranger;
    QVERIFY(stranger.listen(QHostAddress::LocalHost));
    const QString base = u"HCCL_IF_BASE_PORT=%1"_s.arg(stranger.serverPort() - 1);
    const Outcome outcome = ctl(launch({u"--env"_s, base}, u"true"_s, freePort()));
    QCOMPARE(outcome.code, 0);
    const QByteArray told = "(pid " + QByteArray::number(getpid()) + ')';
    const QByteArray port = "listens on port " + QByteArray::number(stranger.serverPort());
    QVERIFY2(outcome.err.contains(told) && outcome.err.contains(port), outcome.err.constData());
}

void HoldersTest::othersOnTheDevicesAreNamed()
{
    installNpuSmi("cat <<END\n"
                  "| NPU     Chip  | Process id | Process name | Process memory(MB) |\n"
                  "| 1       0     | " +
                  QByteArray::number(getpid()) +
                  " | python3 | 100 |\n"
                  "| 2       0     | 99999999 | elsewhere | 100 |\n"
                  "END\n");
    const Outcome outcome = ctl(launch({u"--stop-holders"_s}, u"true"_s));
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("warning: python3 (pid " + QByteArray::number(getpid()) + ", 100 MB) of "),
             outcome.err.constData());
    QVERIFY(outcome.err.contains(" uses device 1."));
    QVERIFY(!outcome.err.contains("elsewhere"));
}

void HoldersTest::anNpuSmiThatFailsStopsNothing()
{
    installNpuSmi("echo 'dcmi module initialize failed. ret is -8005'; exit 1\n");
    const Outcome outcome = ctl(launch({}, u"true"_s));
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("the users of the NPUs are unknown: dcmi module"), outcome.err.constData());
}

/// The run's own processes are ended; one that this test starts stands for rank 1 of it, with its session,
/// its variables and its time, and the record and the journal are rewritten as if nobody had ended it.
RunState HoldersTest::makeLost(const QString &name)
{
    const QString directory = *findRun(name);
    auto record = *readRunRecord(directory);
    ctl({u"stop"_s, name, u"--kill"_s});
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const ProcessPlan &plan = record.plan.processes[1];
    for (auto it = plan.setVariables.begin(); it != plan.setVariables.end(); ++it)
        environment.insert(it.key(), it.value());
    QProcess rank;
    rank.setProcessEnvironment(environment);
    rank.setProgram(u"sleep"_s);
    rank.setArguments({u"1000"_s});
    rank.setChildProcessModifier([] { setsid(); });
    qint64 pid = 0;
    if (!rank.startDetached(&pid))
        return {};
    m_adopted << pid;
    record.phase = RunPhase::Running;
    record.ended = {};
    record.supervisor->pid = 99999999;
    record.guardian.reset();
    writeRunRecord(directory, record);
    QFile::remove(journalPath(directory));
    Journal(directory).append(RunEvent::now(events::ProcessStarted{1, pid}));
    markLive(directory);
    return *RunReader(directory).open();
}

void HoldersTest::whatALostRunLeftIsNamedAndEnded()
{
    installNpuSmi("true\n");
    const QString holder = startHolder();
    QVERIFY(!holder.isEmpty());
    const RunState lost = makeLost(holder);
    QCOMPARE(lost.phase, RunPhase::Lost);
    const QByteArray pid = QByteArray::number(m_adopted.constLast());
    Outcome outcome = ctl(launch({}, u"true"_s));
    QVERIFY2(outcome.err.contains("lost its supervisor, but these processes remain: sleep (pid " + pid),
             outcome.err.constData());
    QVERIFY(readProcess(static_cast<pid_t>(m_adopted.constLast())));
    outcome = ctl({u"stop"_s, holder});
    QVERIFY2(outcome.code == 0 && outcome.err.contains("sleep (pid " + pid), outcome.err.constData());
    const auto left = readProcess(static_cast<pid_t>(m_adopted.constLast()));
    QVERIFY(!left || left->state == 'Z');
    outcome = ctl(launch({}, u"true"_s));
    QVERIFY2(!outcome.err.contains("lost its supervisor"), outcome.err.constData());
}

void HoldersTest::aStrangerWithARecordedPidIsLeftAlone()
{
    installNpuSmi("true\n");
    const QString holder = startHolder();
    makeLost(holder);
    QProcess stranger; // A session of its own and the recorded pid, but not the rank's variables.
    stranger.setChildProcessModifier([] { setsid(); });
    stranger.start(u"sleep"_s, {u"1000"_s});
    QVERIFY(stranger.waitForStarted());
    Journal(*findRun(holder)).append(RunEvent::now(events::ProcessStarted{0, stranger.processId()}));
    const Outcome outcome = ctl({u"stop"_s, holder});
    QCOMPARE(outcome.code, 0);
    QVERIFY(!outcome.err.contains("(pid " + QByteArray::number(stranger.processId())));
    QCOMPARE(stranger.state(), QProcess::Running);
    stranger.kill();
    QVERIFY(stranger.waitForFinished());
}

void HoldersTest::endedRunsLeaveNoMark()
{
    QCOMPARE(ctl(launch({}, u"exit 3"_s)).code, 3);
    QTRY_VERIFY(markedRuns().isEmpty());
}

} // namespace tst_holders

RANKDECK_TEST(tst_holders, HoldersTest)
#include "tst_holders.moc"
