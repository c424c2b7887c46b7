#include "run/processtree.h"
#include "run/unixsignals.h"
#include "run/workergroup.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <memory>

#include <unistd.h>

using namespace rankdeck;

/// Small shell scripts stand in for ranks; this program is the agent.
class WorkerGroupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { becomeSubreaper(); }
    void init();
    void everyWorkerRunsInASessionOfItsOwnWithItsVariables();
    void exitCodesAndSignalsAreTold();
    void bothStreamsGoToTheLogInOrder();
    void standardInputIsEmpty();
    void aWorkerThatIgnoresSigtermIsKilledAfterTheGrace();
    void aStoppedWorkerIsTornDown();
    void grandchildrenInSessionsOfTheirOwnAreSwept();
    void aChildLeftByASuccessfulWorkerIsSwept();
    void withoutDestroyingAChildIsLeftAlone();
    void aMissingProgramStartsNothingFurther();
    void aProgramThatCannotBeLoadedEndsThoseBesideIt();
    void theScratchDirectoryIsSharedAndRemoved();
    void workersOfOtherNodesAreLeftAlone();

private:
    /// A worker that runs `script` in a shell.
    void add(const QString &script, const char *node = "here")
    {
        ProcessPlan process;
        process.node = QString::fromLatin1(node);
        process.rank = Rank(static_cast<int>(m_plan.processes.size()));
        process.argv = {QStringLiteral("sh"), QStringLiteral("-c"), script};
        process.workDir = m_home->path();
        process.logFile = m_home->filePath(QStringLiteral("log%1").arg(process.rank.value));
        process.setVariables = {{QStringLiteral("RANK_ID"), QString::number(process.rank.value)}};
        m_plan.processes.push_back(process);
    }
    void start()
    {
        m_group = std::make_unique<WorkerGroup>(m_plan, QStringLiteral("here"));
        connect(m_group.get(), &WorkerGroup::happened, this,
                [this](const RunEvent &event) { m_events << event; });
        connect(m_group.get(), &WorkerGroup::done, this, [this] { m_done = true; });
        connect(m_signals.get(), &UnixSignals::received, m_group.get(), &WorkerGroup::childEnded);
        m_group->start();
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return m_done; }, 20000);
    }
    QByteArray log(int index) const
    {
        QFile file(m_home->filePath(QStringLiteral("log%1").arg(index)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool waitForLog(int index, const char *text)
    {
        return QTest::qWaitFor([&] { return log(index).contains(text); }, 10000);
    }
    QList<RunEvent> events(RunEvent::Kind kind) const
    {
        QList<RunEvent> found;
        for (const RunEvent &event : m_events) {
            if (event.kind == kind)
                found << event;
        }
        return found;
    }
    static bool nothingIsLeft() { return descendants(getpid()).empty(); }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<UnixSignals> m_signals =
        std::make_unique<UnixSignals>(std::initializer_list<int>{SIGCHLD});
    std::unique_ptr<WorkerGroup> m_group;
    LaunchPlan m_plan;
    QList<RunEvent> m_events;
    bool m_done = false;
};

void WorkerGroupTest::init()
{
    m_group.reset();
    m_home = std::make_unique<QTemporaryDir>();
    m_plan = {};
    m_plan.graceSeconds = 10;
    m_events.clear();
    m_done = false;
}

void WorkerGroupTest::everyWorkerRunsInASessionOfItsOwnWithItsVariables()
{
    for (int rank = 0; rank < 3; ++rank)
        add(QStringLiteral("echo rank $RANK_ID pid $$ session $(cut -d' ' -f6 /proc/$$/stat)"));
    start();
    QVERIFY(waitForEnd());
    const QList<RunEvent> started = events(RunEvent::Kind::ProcessStarted);
    QCOMPARE(started.size(), 3);
    for (const RunEvent &event : started) {
        const QByteArray expected = "rank " + QByteArray::number(event.process) + " pid " +
                                    QByteArray::number(event.pid) + " session " +
                                    QByteArray::number(event.pid) + '\n';
        QCOMPARE(log(event.process), expected);
    }
}

void WorkerGroupTest::exitCodesAndSignalsAreTold()
{
    add(QStringLiteral("exit 7"));
    add(QStringLiteral("kill -SEGV $$"));
    add(QStringLiteral("exit 0"));
    start();
    QVERIFY(waitForEnd());
    QMap<int, ExitStatus> statuses;
    for (const RunEvent &event : events(RunEvent::Kind::ProcessExited))
        statuses.insert(event.process, *event.status);
    QVERIFY((statuses[0] == ExitStatus{ExitStatus::Kind::Exited, 7}));
    QVERIFY((statuses[1] == ExitStatus{ExitStatus::Kind::Signalled, SIGSEGV}));
    QVERIFY(statuses[2].isSuccess());
}

void WorkerGroupTest::bothStreamsGoToTheLogInOrder()
{
    add(QStringLiteral("echo one; echo two >&2; echo three"));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(log(0), QByteArray("one\ntwo\nthree\n"));
}

void WorkerGroupTest::standardInputIsEmpty()
{
    add(QStringLiteral("read line && echo got $line || echo nothing"));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(log(0), QByteArray("nothing\n"));
}

void WorkerGroupTest::aWorkerThatIgnoresSigtermIsKilledAfterTheGrace()
{
    m_plan.graceSeconds = 1;
    add(QStringLiteral("trap '' TERM; echo ready; while :; do sleep 100; done"));
    start();
    QVERIFY(waitForLog(0, "ready"));
    QElapsedTimer elapsed;
    elapsed.start();
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(elapsed.elapsed() >= 1000);
    QVERIFY((*events(RunEvent::Kind::ProcessExited).first().status ==
             ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::aStoppedWorkerIsTornDown()
{
    add(QStringLiteral("echo ready; kill -STOP $$; sleep 100"));
    start();
    QVERIFY(waitForLog(0, "ready"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY((*events(RunEvent::Kind::ProcessExited).first().status ==
             ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}));
}

void WorkerGroupTest::grandchildrenInSessionsOfTheirOwnAreSwept()
{
    add(QStringLiteral("(setsid sh -c 'trap \"\" HUP; echo child; sleep 1000' &) ; echo ready; sleep 1000"));
    start();
    QVERIFY(waitForLog(0, "ready"));
    QVERIFY(waitForLog(0, "child"));
    m_group->tearDown();
    QVERIFY(waitForEnd());
    QVERIFY(nothingIsLeft());
    QVERIFY(!events(RunEvent::Kind::Swept).isEmpty());
}

void WorkerGroupTest::aChildLeftByASuccessfulWorkerIsSwept()
{
    add(QStringLiteral("setsid sleep 1000 & exit 0"));
    start();
    QVERIFY(waitForEnd());
    QVERIFY(events(RunEvent::Kind::ProcessExited).first().status->isSuccess());
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::withoutDestroyingAChildIsLeftAlone()
{
    m_plan.destroyWhenFinished = false;
    add(QStringLiteral("sleep 1000 & echo $!; exit 0"));
    start();
    QVERIFY(waitForEnd());
    const auto child = static_cast<pid_t>(log(0).trimmed().toInt());
    QVERIFY(child > 0);
    QVERIFY(readProcess(child));
    QVERIFY(events(RunEvent::Kind::Note).last().text.contains(QStringLiteral("(pid %1) goes on").arg(child)));
    QCOMPARE(::kill(child, SIGKILL), 0);
    QTRY_VERIFY(readProcess(child)->state == 'Z');
    listStrays({});
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::aMissingProgramStartsNothingFurther()
{
    add(QStringLiteral("sleep 1000"));
    add(QStringLiteral("true"));
    m_plan.processes[1].argv = {QStringLiteral("no-such-program")};
    add(QStringLiteral("sleep 1000"));
    start();
    QVERIFY(waitForEnd());
    const QList<RunEvent> notStarted = events(RunEvent::Kind::ProcessNotStarted);
    QCOMPARE(notStarted.size(), 1);
    QCOMPARE(notStarted.first().process, 1);
    QVERIFY((*notStarted.first().status == ExitStatus{ExitStatus::Kind::NotStarted, ENOENT}));
    QCOMPARE(events(RunEvent::Kind::ProcessStarted).size(), 1);
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::aProgramThatCannotBeLoadedEndsThoseBesideIt()
{
    // It may be executed, so only the attempt shows that its interpreter is missing, when others start
    // already.
    QFile script(m_home->filePath(QStringLiteral("script")));
    QVERIFY(script.open(QIODevice::WriteOnly) && script.write("#!/no/such/interpreter\n") > 0);
    script.close();
    QVERIFY(script.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    for (int rank = 0; rank < 4; ++rank)
        add(QStringLiteral("sleep 60"));
    m_plan.processes[1].argv = {script.fileName()};
    start();
    QVERIFY(waitForEnd());
    const QList<RunEvent> notStarted = events(RunEvent::Kind::ProcessNotStarted);
    QCOMPARE(notStarted.size(), 1);
    QCOMPARE(notStarted.first().process, 1);
    QVERIFY2(notStarted.first().text.contains(script.fileName()), qPrintable(notStarted.first().text));
    QCOMPARE(events(RunEvent::Kind::ProcessExited).size(), events(RunEvent::Kind::ProcessStarted).size());
    QVERIFY(events(RunEvent::Kind::Swept).isEmpty());
    QVERIFY(nothingIsLeft());
}

void WorkerGroupTest::theScratchDirectoryIsSharedAndRemoved()
{
    m_plan.scratch =
        ScratchDirectory{QStringLiteral("CACHE"), {QStringLiteral("/no/such/place"), m_home->path()}};
    add(QStringLiteral("touch $CACHE/x; echo $CACHE"));
    add(QStringLiteral("echo $CACHE"));
    start();
    QVERIFY(waitForEnd());
    const QString path = QString::fromUtf8(log(0).trimmed());
    QVERIFY(path.startsWith(m_home->path()));
    QCOMPARE(log(1), log(0));
    QVERIFY(!QDir(path).exists());
}

void WorkerGroupTest::workersOfOtherNodesAreLeftAlone()
{
    add(QStringLiteral("echo here"));
    add(QStringLiteral("echo there"), "there");
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(events(RunEvent::Kind::ProcessStarted).size(), 1);
}

QTEST_GUILESS_MAIN(WorkerGroupTest)
#include "tst_workergroup.moc"
