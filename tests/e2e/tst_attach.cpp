#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/otheruser.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QLocalServer>
#include <QLocalSocket>

#include <csignal>
#include <memory>
#include <vector>

#include <sys/stat.h>

namespace tst_attach
{

using namespace rankdeck;

/// Who watches a run, how many, and how badly.
class AttachTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<TestHome>(); }
    void cleanup() { killProcessesOf(*m_home); }
    void twentyWatchersAreToldEverything();
    void aWatcherThatIsStoppedHoldsNobodyUpAndMissesNothing();
    void aSupervisorOfAnotherVersionIsToldOf_data();
    void aSupervisorOfAnotherVersionIsToldOf();
    void anotherUsersRankdeckctlIsRefused();

private:
    static constexpr int ranks = 2;

    /// Ranks that print `lines` numbered lines once the file "go-on" is there, and end.
    void start(int lines)
    {
        const QString script = u"until [ -e %1 ]; do sleep 0.02; done; seq %2 | sed 's/^/line /'"_s.arg(
            m_home->path("go-on"), QString::number(lines));
        const Outcome launched =
            ctl({u"processes"_s, u"--nproc"_s, QString::number(ranks), u"--master-port"_s,
                 QString::number(freePort()), u"--detach"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
        QVERIFY2(launched.code == 0, launched.err.constData());
        const auto found = findRun(u"last"_s);
        QVERIFY(found);
        m_directory = *found;
        QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), ranks, 20000);
    }
    void goOn() const { QVERIFY(QFile(m_home->path("go-on")).open(QIODevice::WriteOnly)); }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    std::unique_ptr<QProcess> attach() const
    {
        auto process = std::make_unique<QProcess>();
        process->start(buildPath("bin/rankdeckctl"), {u"attach"_s, m_directory});
        return process;
    }
    /// The lines of every rank, each in its order and none missing.
    static void checkLines(const QByteArray &printed, int lines)
    {
        QMap<QByteArray, int> last;
        for (const QByteArray &line : linesOf(printed)) {
            const qsizetype text = line.indexOf("line ");
            QVERIFY2(text > 0, line.constData());
            QCOMPARE(line.mid(text + 5).toInt(), ++last[line.left(text)]);
        }
        QCOMPARE(last.values(), QList<int>(ranks, lines));
    }

    std::unique_ptr<TestHome> m_home;
    QString m_directory;
};

void AttachTest::twentyWatchersAreToldEverything()
{
    constexpr int lines = 2000;
    start(lines);
    std::vector<std::unique_ptr<QProcess>> watchers;
    for (int index = 0; index < 20; ++index)
        watchers.push_back(attach());
    for (const auto &watcher : watchers)
        QVERIFY(watcher->waitForStarted());
    goOn();
    for (const auto &watcher : watchers) {
        const Outcome outcome = outcomeOf(*watcher);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.err.contains(": succeeded."), outcome.err.constData());
        checkLines(outcome.out, lines);
    }
}

void AttachTest::aWatcherThatIsStoppedHoldsNobodyUpAndMissesNothing()
{
    constexpr int lines = 50000;
    start(lines);
    const auto watcher = attach();
    QVERIFY(watcher->waitForStarted());
    // Asked once for each answer: a process that sleeps now may run a moment later.
    QVERIFY(QTest::qWaitFor(
        [&watcher] { return fileText(u"/proc/%1/stat"_s.arg(watcher->processId())).contains(" S "); },
        20000));
    QCOMPARE(::kill(static_cast<pid_t>(watcher->processId()), SIGSTOP), 0);
    QLocalSocket mute; // It never reads.
    mute.setReadBufferSize(1);
    mute.connectToServer(readRunRecord(m_directory)->socketPath);
    QVERIFY(mute.waitForConnected());
    goOn();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Succeeded, 20000);
    QCOMPARE(watcher->state(), QProcess::Running);
    QCOMPARE(::kill(static_cast<pid_t>(watcher->processId()), SIGCONT), 0);
    const Outcome outcome = outcomeOf(*watcher);
    QCOMPARE(outcome.code, 0);
    checkLines(outcome.out, lines);
}

void AttachTest::aSupervisorOfAnotherVersionIsToldOf_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"attach", "wait", "stop"})
        QTest::newRow(command) << QString::fromLatin1(command);
}

void AttachTest::aSupervisorOfAnotherVersionIsToldOf()
{
    QFETCH(QString, command);
    RecordedRun run;
    run.startAll();
    const QString path = m_home->path("s");
    run.setSocket(path);
    QLocalServer server;
    QVERIFY(server.listen(path));
    connect(&server, &QLocalServer::newConnection, this,
            [&] { server.nextPendingConnection()->write("rankdeck-run 3\nnews\n"); });
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), {command, run.directory()});
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, 20000);
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("another version of Rankdeck"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("Use the version"), outcome.err.constData());
}

void AttachTest::anotherUsersRankdeckctlIsRefused()
{
    if (!mayBecomeOtherUser())
        QSKIP(otherUserNeedsRoot);
    start(1);
    // As open as can be; the supervisor closes its directory again, but in between somebody may look.
    for (const QString &folder : {m_home->path(""), m_home->path("state"), m_home->path("state/rankdeck"),
                                  runsDirectory(), m_home->path("rankdeck"), m_directory})
        QCOMPARE(chmod(QFile::encodeName(folder).constData(), 0777), 0);
    QProcess process;
    process.setChildProcessModifier([] {
        if (setgid(otherUserId) != 0 || setuid(otherUserId) != 0)
            _exit(254);
    });
    process.start(buildPath("bin/rankdeckctl"), {u"stop"_s, m_directory});
    const Outcome outcome = outcomeOf(process);
    if (process.error() == QProcess::FailedToStart)
        QSKIP("another user may not run the rankdeckctl of this build");
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("another user") || outcome.err.contains("no run found here"),
             outcome.err.constData());
    QCOMPARE(state().count(RankPhase::Running), ranks);
    goOn();
    QTRY_COMPARE_WITH_TIMEOUT(state().phase, RunPhase::Succeeded, 20000);
}

} // namespace tst_attach

RANKDECK_TEST(tst_attach, AttachTest)
#include "tst_attach.moc"
