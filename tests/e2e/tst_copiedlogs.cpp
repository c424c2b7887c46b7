#include "launch/plan/attempt.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/testmain.h"

#include <QCryptographicHash>
#include <QDir>

#include <algorithm>

#include <unistd.h>

namespace tst_copiedlogs
{

using namespace rankdeck;

/// On a busy machine a thread goes on for a while after SIGSTOP was sent.
static bool allThreadsStand(pid_t pid)
{
    const QStringList threads =
        QDir(u"/proc/%1/task"_s.arg(pid)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::all_of(threads.begin(), threads.end(), [](const QString &thread) {
        const auto read = readProcess(thread.toInt());
        return read && read->state == 'T';
    });
}

/// Logs of nodes that see nothing of this machine's file systems, read in the run directory all the same.
class CopiedLogsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void logsGrowHereWhileTheyAreWritten();
    void aLaunchEndsWhenAllIsCopied();
    void whatARankSaysOfItsErrorIsCopied();
    void eachAttemptHasItsCopies();
    void aFolderForLogsMayBeShared_data();
    void aFolderForLogsMayBeShared();
    void aLostNodeLeavesWhatHasCome();
    void whatALostNodeHadNotSentIsFetched();
    void withoutMirrorsOnlyWhatIsLookedAtIsCopied();
    void theLogOfARankThatFailsIsCopied();
    void theLogsOfHooksAreCopied();
    void theLogOfAHookThatFailsIsShown();

private:
    QStringList launch(const QStringList &options, const QString &script) const;
    /// Launches ranks that stay until `gate` is there, and waits until all run.
    bool startRanks(const QStringList &options, const QString &script);
    bool open(const char *gate) const
    {
        QFile file(path(gate));
        return file.open(QIODevice::WriteOnly);
    }
    /// What rankdeckctl prints of a rank's log.
    QByteArray logOf(const char *rank) const
    {
        return ctl({u"logs"_s, QFileInfo(m_directory).fileName(), u"--rank"_s, QString::fromLatin1(rank)})
            .out;
    }
    RunState state() const { return RunReader(m_directory).open().value(); }
    QList<QByteArray> logs() const;
    QString path(const char *name) const { return m_remote->home().path(name); }

    std::unique_ptr<RemoteRun> m_remote;
    QString m_directory;
};

void CopiedLogsTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    if (geteuid() != 0)
        QSKIP("only root may give a node a file system of its own");
    m_remote = std::make_unique<RemoteRun>();
    QVERIFY(m_remote->startSsh());
    QVERIFY(m_remote->standApart());
}

void CopiedLogsTest::cleanup()
{
    m_remote.reset();
}

QStringList CopiedLogsTest::launch(const QStringList &options, const QString &script) const
{
    QStringList arguments{u"processes"_s};
    arguments << m_remote->nodeOptions() << u"--work-dir"_s << m_remote->home().path(QString())
              << u"--grace"_s << u"2"_s << u"--nproc"_s << u"2"_s << u"--master-port"_s
              << QString::number(freePort()) << options << u"sh"_s << u"-c"_s << script;
    return arguments;
}

QList<QByteArray> CopiedLogsTest::logs() const
{
    QList<QByteArray> texts;
    const RunState run = state();
    for (const ProcessPlan &process : run.plan->processes)
        texts << fileText(process.logFile);
    return texts;
}

void CopiedLogsTest::logsGrowHereWhileTheyAreWritten()
{
    const QString gate = path("gate");
    const Outcome outcome =
        ctl(launch({u"--detach"_s}, u"echo $RANK begins; while ! test -e %1; do sleep 0.05; "
                                    "done; echo $RANK ends"_s.arg(gate)));
    QVERIFY2(outcome.code == 0, outcome.err);
    m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed());
    QTRY_COMPARE_WITH_TIMEOUT(
        logs(), (QList<QByteArray>{"0 begins\n", "1 begins\n", "2 begins\n", "3 begins\n"}), programLimitMs);
    const RunState live = state();
    QVERIFY(isLive(live.phase));
    for (const ProcessPlan &process : live.plan->processes) {
        QVERIFY(process.logFile.startsWith(m_directory + '/'_L1));
        QVERIFY(!process.copiedFrom.value(0).isEmpty());
    }
    QFile file(gate);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(logs(), (QList<QByteArray>{"0 begins\n0 ends\n", "1 begins\n1 ends\n", "2 begins\n2 ends\n",
                                        "3 begins\n3 ends\n"}));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

void CopiedLogsTest::aLaunchEndsWhenAllIsCopied()
{
    const Outcome outcome = ctl(launch({u"--quiet"_s}, u"seq -f \"$RANK %.0f of many lines\" 400000"_s));
    QVERIFY2(outcome.code == 0, outcome.err);
    m_directory = *findRun(u"last"_s);
    const QList<QByteArray> texts = logs();
    for (qsizetype rank = 0; rank < texts.size(); ++rank) {
        QProcess seq;
        seq.start(u"seq"_s, {u"-f"_s, u"%1 %.0f of many lines"_s.arg(rank), u"400000"_s});
        const QByteArray whole = outcomeOf(seq).out;
        QVERIFY(whole.size() > 8'000'000);
        QVERIFY(QCryptographicHash::hash(texts[rank], QCryptographicHash::Sha1) ==
                QCryptographicHash::hash(whole, QCryptographicHash::Sha1));
    }
}

void CopiedLogsTest::whatARankSaysOfItsErrorIsCopied()
{
    const Outcome outcome =
        ctl(launch({}, u"test $RANK = 3 || exec sleep 1000; echo '{\"message\": {\"message\": \"ValueError: "
                       "odd\", \"extraInfo\": {\"py_callstack\": \"Traceback of it\", \"timestamp\": "
                       "\"1700000000\"}}}' > $TORCHELASTIC_ERROR_FILE; exit 1"_s));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("ValueError: odd"), outcome.err);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

void CopiedLogsTest::eachAttemptHasItsCopies()
{
    // None fails before all have printed: it would end the others.
    const QString script = u"n=$TORCHELASTIC_RESTART_COUNT; echo attempt $n; : > %1/printed.$n.$RANK; "
                           "while test $(ls %1/printed.$n.* | wc -l) -lt 4; do sleep 0.05; done; "
                           "test $n = 1"_s.arg(m_remote->home().path(QString()));
    const Outcome outcome = ctl(launch({u"--max-restarts"_s, u"1"_s, u"--log-dir"_s, path("apart")}, script));
    QVERIFY2(outcome.code == 0, outcome.err);
    m_directory = *findRun(u"last"_s);
    const RunState run = state();
    QCOMPARE(run.attempt, 1);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const LaunchPlan plan = forAttempt(*run.recordedPlan, attempt);
        for (const ProcessPlan &process : plan.processes)
            QCOMPARE(fileText(process.logFile), "attempt " + QByteArray::number(attempt) + '\n');
    }
}

void CopiedLogsTest::aFolderForLogsMayBeShared_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isShared");
    QTest::newRow("shared") << u"shared"_s << true;
    QTest::newRow("each node's own") << u"apart"_s << false;
}

void CopiedLogsTest::aFolderForLogsMayBeShared()
{
    QFETCH(QString, folder);
    QFETCH(bool, isShared);
    const QString logDir = m_remote->home().path(folder);
    const Outcome outcome = ctl(launch({u"--log-dir"_s, logDir}, u"echo I am $RANK"_s));
    QVERIFY2(outcome.code == 0, outcome.err);
    m_directory = *findRun(u"last"_s);
    QCOMPARE(logs(), (QList<QByteArray>{"I am 0\n", "I am 1\n", "I am 2\n", "I am 3\n"}));
    const RunState run = state();
    for (const ProcessPlan &process : run.plan->processes) {
        QCOMPARE(process.logFile.startsWith(logDir + '/'_L1), isShared);
        QCOMPARE(process.copiedFrom.value(0).startsWith(logDir + '/'_L1), !isShared);
    }
    // What was laid there to find out has gone.
    const QStringList left = QDir(logDir).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(left, QStringList());
}

void CopiedLogsTest::aLostNodeLeavesWhatHasCome()
{
    QVERIFY(startRanks({}, u"echo up; exec sleep 1000"_s));
    QTRY_COMPARE_WITH_TIMEOUT(logs(), (QList<QByteArray>{"up\n", "up\n", "up\n", "up\n"}), programLimitMs);
    const RunState live = state();
    const auto agent = readProcess(static_cast<pid_t>(live.ranks[3].pid))->parent;
    QCOMPARE(::kill(agent, SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(logs(), (QList<QByteArray>{"up\n", "up\n", "up\n", "up\n"}));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

bool CopiedLogsTest::startRanks(const QStringList &options, const QString &script)
{
    const Outcome outcome = ctl(launch(QStringList{u"--detach"_s} + options, script));
    m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed());
    return outcome.code == 0 &&
           QTest::qWaitFor([this] { return state().count(RankPhase::Running) == 4; }, programLimitMs);
}

void CopiedLogsTest::whatALostNodeHadNotSentIsFetched()
{
    QVERIFY(startRanks({}, u"echo up; while ! test -e %1; do sleep 0.05; done; echo more; exec "
                           "sleep 1000"_s.arg(path("gate"))));
    QTRY_COMPARE_WITH_TIMEOUT(logs(), (QList<QByteArray>{"up\n", "up\n", "up\n", "up\n"}), programLimitMs);
    const RunState live = state();
    const auto agent = readProcess(static_cast<pid_t>(live.ranks[3].pid))->parent;
    const auto guardian = readProcess(agent)->parent;  // It has a stopped agent go on …
    const auto keeper = readProcess(guardian)->parent; // … and this has a stopped guardian go on.
    for (const pid_t pid : {keeper, guardian, agent}) {
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        QTRY_VERIFY_WITH_TIMEOUT(allThreadsStand(pid), programLimitMs);
    }
    QVERIFY(open("gate"));
    const QString onNode =
        QString(live.plan->processes[3].copiedFrom[0]).replace(path("state"), path("nodes/state"));
    QTRY_COMPARE_WITH_TIMEOUT(fileText(onNode), "up\nmore\n", programLimitMs);
    QCOMPARE(::kill(agent, SIGKILL), 0);
    for (const pid_t pid : {guardian, keeper})
        QCOMPARE(::kill(pid, SIGCONT), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(logs()[3], "up\n");
    QCOMPARE(logOf("3"), "up\nmore\n");
    QCOMPARE(logs()[3], "up\nmore\n");
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

void CopiedLogsTest::withoutMirrorsOnlyWhatIsLookedAtIsCopied()
{
    QVERIFY(startRanks({u"--no-mirror"_s},
                       u"echo up; while ! test -e %1; do sleep 0.05; done; echo more"_s.arg(path("gate"))));
    QTRY_COMPARE_WITH_TIMEOUT(logOf("3"), "up\n", programLimitMs);
    QProcess follower;
    follower.start(buildPath("bin/rankdeckctl"),
                   {u"logs"_s, QFileInfo(m_directory).fileName(), u"--rank"_s, u"2"_s, u"--follow"_s});
    QTRY_COMPARE_WITH_TIMEOUT(logs()[2], "up\n", programLimitMs);
    QVERIFY(open("gate"));
    QTRY_VERIFY_WITH_TIMEOUT(!isLive(state().phase), programLimitMs);
    QCOMPARE(outcomeOf(follower).out, "up\nmore\n");
    QCOMPARE(logs(), (QList<QByteArray>{"", "", "up\nmore\n", "up\n"}));
    QCOMPARE(logOf("0"), "up\nmore\n");
    QCOMPARE(logOf("3"), "up\nmore\n");
    QCOMPARE(logs(), (QList<QByteArray>{"up\nmore\n", "", "up\nmore\n", "up\nmore\n"}));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
}

void CopiedLogsTest::theLogOfARankThatFailsIsCopied()
{
    const Outcome outcome =
        ctl(launch({u"--no-mirror"_s, u"--quiet"_s},
                   u"test $RANK = 1 || exec sleep 1000; echo 'Traceback (most recent call "
                   "last):'; echo 'ValueError: odd'; exit 3"_s));
    QVERIFY2(outcome.code == 3, outcome.err);
    m_directory = *findRun(u"last"_s);
    QCOMPARE(logs()[1], "Traceback (most recent call last):\nValueError: odd\n");
    QVERIFY2(outcome.err.contains("ValueError: odd"), outcome.err);
}

void CopiedLogsTest::theLogsOfHooksAreCopied()
{
    const Outcome outcome = ctl(launch(
        {u"--no-mirror"_s, u"--quiet"_s, u"--before"_s, u"echo mounts"_s, u"--after"_s, u"echo unmounts"_s},
        u"true"_s));
    QVERIFY2(outcome.code == 0, outcome.err);
    m_directory = *findRun(u"last"_s);
    for (const char *node : {"node0", "node1"}) {
        const QString folder = m_directory + "/logs/"_L1 + QLatin1String(node);
        QCOMPARE(fileText(folder + "/before.log"_L1), "$ echo mounts\nmounts\n");
        QCOMPARE(fileText(folder + "/after.log"_L1), "$ echo unmounts\nunmounts\n");
    }
}

void CopiedLogsTest::theLogOfAHookThatFailsIsShown()
{
    QFile script(path("mounts.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("echo no such share\nexit 7\n");
    script.close();
    const Outcome outcome =
        ctl(launch({u"--quiet"_s, u"--before"_s, u"sh "_s + script.fileName()}, u"true"_s));
    QVERIFY2(outcome.code != 0, outcome.err);
    QVERIFY2(outcome.err.contains("no such share"), outcome.err);
}

} // namespace tst_copiedlogs

RANKDECK_TEST(tst_copiedlogs, CopiedLogsTest)
#include "tst_copiedlogs.moc"
