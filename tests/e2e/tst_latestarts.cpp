#include "run/record/runrecord.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QProcess>

#include <csignal>

namespace tst_latestarts
{

using namespace rankdeck;

/// A supervisor that stands still before it has claimed its run, as on an overloaded machine.
class LateStartsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aRunWhoseSupervisorStandsStillIsNotLost();
    void killEndsItBeforeItBegins();
    void stopLetsItComeAndEndsIt();
    void afterItWasGivenUpNothingStarts();

private:
    void startStanding(bool isKnown);
    RunPhase phase() const
    {
        const auto record = readRunRecord(m_directory);
        return record ? currentPhase(*record) : RunPhase::Succeeded;
    }
    bool hasStartedRanks() const { return QFile::exists(m_home->path() + u"/mark"_s); }

    std::unique_ptr<QProcess> m_supervisor;
};

void LateStartsTest::init()
{
    makeHome();
    // A run that ended, to begin anew.
    const QString script = u"touch %1/mark; test ! -e %1/again || exec sleep 1000"_s;
    const Outcome ran =
        ctl({u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s, QString::number(freePort()), u"--"_s,
             u"sh"_s, u"-c"_s, script.arg(m_home->path())});
    QVERIFY2(ran.code == 0, ran.err.constData());
    m_directory = findRun(u"last"_s).value();
    QVERIFY(hasStartedRanks());
    QVERIFY(QFile::remove(m_home->path() + u"/mark"_s));
    QFile again(m_home->path() + u"/again"_s);
    QVERIFY(again.open(QIODevice::WriteOnly));
    RunRecord record = readRunRecord(m_directory).value();
    record.phase = RunPhase::Starting;
    record.supervisor.reset();
    record.guardian.reset();
    record.tiedTo.reset(); // The command has ended since.
    record.ended = {};
    record.created = QDateTime::currentDateTimeUtc().addSecs(-60);
    for (const char *name : {"/journal.jsonl", "/claim.json"})
        QVERIFY(QFile::remove(m_directory + QLatin1String(name)));
    QVERIFY(!writeRunRecord(m_directory, record));
}

void LateStartsTest::cleanup()
{
    if (m_supervisor)
        kill(static_cast<pid_t>(m_supervisor->processId()), SIGCONT);
    endRun();
    m_supervisor.reset();
}

/// @param isKnown whether the launch could still say which process it has started.
void LateStartsTest::startStanding(bool isKnown)
{
    m_supervisor = std::make_unique<QProcess>();
    m_supervisor->start(u"sh"_s, {u"-c"_s, u"kill -STOP $$; exec \"$@\""_s, u"sh"_s,
                                  buildPath("bin/rankdeckctl"), u"supervise"_s, m_directory});
    QVERIFY(m_supervisor->waitForStarted());
    const qint64 pid = m_supervisor->processId();
    QTRY_COMPARE_WITH_TIMEOUT(readProcess(static_cast<pid_t>(pid)).value().state, 'T', programLimitMs);
    markLive(m_directory, isKnown ? std::optional(supervisorIdOf(pid)) : std::nullopt);
}

void LateStartsTest::aRunWhoseSupervisorStandsStillIsNotLost()
{
    startStanding(true);
    QCOMPARE(phase(), RunPhase::Starting);
    QVERIFY(ctl({u"list"_s}).out.contains("starting"));
    QVERIFY(!claimOf(m_directory));
    kill(static_cast<pid_t>(m_supervisor->processId()), SIGCONT);
    const auto isUp = [this] {
        return state().count(RankPhase::Running) == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isUp() || m_supervisor->state() == QProcess::NotRunning, programLimitMs);
    QVERIFY2(isUp(), fileText(journalPath(m_directory)) + m_supervisor->readAllStandardError());
}

void LateStartsTest::killEndsItBeforeItBegins()
{
    startStanding(true);
    const Outcome killed = ctl({u"stop"_s, m_directory, u"--kill"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QTRY_COMPARE_WITH_TIMEOUT(m_supervisor->state(), QProcess::NotRunning, programLimitMs);
    QCOMPARE(phase(), RunPhase::Stopped);
    QVERIFY(ctl({u"list"_s}).out.contains(" stopped "));
    QVERIFY(!hasStartedRanks());
}

void LateStartsTest::stopLetsItComeAndEndsIt()
{
    startStanding(true);
    const Outcome stopped = ctl({u"stop"_s, m_directory});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QTRY_COMPARE_WITH_TIMEOUT(m_supervisor->state(), QProcess::NotRunning, programLimitMs);
    QCOMPARE(phase(), RunPhase::Stopped);
}

void LateStartsTest::afterItWasGivenUpNothingStarts()
{
    startStanding(false);
    QVERIFY(ctl({u"list"_s}).out.contains("lost"));
    QVERIFY(claimOf(m_directory) && !claimOf(m_directory)->supervisor);
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--kill"_s}).code, 0);
    kill(static_cast<pid_t>(m_supervisor->processId()), SIGCONT);
    QTRY_COMPARE_WITH_TIMEOUT(m_supervisor->state(), QProcess::NotRunning, programLimitMs);
    QVERIFY(m_supervisor->readAllStandardError().contains("given up"));
    QCOMPARE(phase(), RunPhase::Lost);
    QVERIFY(!hasStartedRanks());
}

} // namespace tst_latestarts

RANKDECK_TEST(tst_latestarts, LateStartsTest)
#include "tst_latestarts.moc"
