#include "base/json.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/saidsentences.h"
#include "support/testmain.h"

#include <QStandardPaths>

#include <csignal>

#include <sys/stat.h>

namespace tst_stalls
{

using namespace rankdeck;

/// Ranks that fall silent while the others go on, and what they do then, with real processes.
class StallsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void aRankThatFallsSilentIsToldOfEverywhere();
    void aRunThatIsStoppedWhileItStandsStillIsReportedAsThat();
    void aRankThatCompilesIsNotStalled();
    void stacksAreKeptWithTheRun();
    void pythonTellsItsStacksAtASignal();
    void whereThereIsNoToolThatIsSaid();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    /// Each prints a line every fifth of a second, but not while a file of its number is in $QUIET; its step
    /// is that of all others, as where ranks wait for each other.
    static QStringList training()
    {
        return {u"sh"_s, u"-c"_s,
                u"while :; do [ -e \"$QUIET/$RANK\" ] || echo \"step $(($(date +%s) % "
                "1000000))/1000000 loss: 1\"; sleep 0.2; done"_s};
    }
    static nlohmann::json parsed(const QByteArray &text)
    {
        return nlohmann::json::parse(text.toStdString(), nullptr, false);
    }
};

void StallsTest::aRankThatFallsSilentIsToldOfEverywhere()
{
    launch({u"--stall-after"_s, u"2"_s, u"--env"_s, u"QUIET="_s + m_home->path(".")}, training());
    QFile quiet(m_home->path("3"));
    QProcess attached;
    attached.start(buildPath("bin/rankdeckctl"), {u"attach"_s, m_directory, u"--tail"_s, u"0"_s});
    QVERIFY(attached.waitForStarted());
    QProcess waiting;
    waiting.start(buildPath("bin/rankdeckctl"), {u"wait"_s, m_directory});
    QVERIFY(waiting.waitForStarted());
    // It has a rhythm once it has said some steps.
    const QString log = state().plan->processes.at(3).logFile;
    QTRY_VERIFY_WITH_TIMEOUT(fileText(log).count('\n') > 30, programLimitMs);
    QVERIFY(events<events::Stalled>().isEmpty());
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(quiet.open(QIODevice::WriteOnly));

    QTRY_VERIFY_WITH_TIMEOUT(state().stall, programLimitMs);
    const RunState stalled = state();
    const QString sentence = stalled.stall->sentence;
    QVERIFY2(sentence.startsWith(u"No output from rank 3 since "_s), qPrintable(sentence));
    QCOMPARE(stalled.stall->silentSince.keys(), QList<int>{3});
    const qint64 since = stalled.silentSince(3).toMSecsSinceEpoch();
    QVERIFY(since > before - 5000 && since < QDateTime::currentMSecsSinceEpoch());
    QVERIFY(stalled.notes.contains(sentence));
    QCOMPARE(events<events::Stalled>().size(), 1);

    QTRY_VERIFY_WITH_TIMEOUT(ctl({u"list"_s}).out.contains(sentence.toUtf8()), programLimitMs);
    const auto listed = parsed(ctl({u"list"_s, u"--json"_s}).out);
    QCOMPARE(QString::fromStdString(listed["runs"][0]["remark"].get<std::string>()), sentence);
    QByteArray told;
    QTRY_VERIFY_WITH_TIMEOUT((told += attached.readAllStandardError()).contains(sentence.toUtf8()),
                             programLimitMs);

    QVERIFY(quiet.remove());
    QTRY_VERIFY_WITH_TIMEOUT(!state().stall, programLimitMs);
    QVERIFY(state().notes.contains(u"Rank 3 continues."_s));
    verifySaid(m_directory);
    QTRY_VERIFY_WITH_TIMEOUT(!ctl({u"list"_s}).out.contains("silent since"), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT((told += attached.readAllStandardError()).contains("Rank 3 continues."),
                             programLimitMs);
    attached.kill();
    attached.waitForFinished();

    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT(
        (said += waiting.readAllStandardError()).contains("No rank is stalled any more."), programLimitMs);
    QVERIFY2(said.contains(sentence.toUtf8()), said.constData());
    waiting.kill();
    waiting.waitForFinished();

    // An old run still has it.
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--kill"_s}).code, 0);
    QVERIFY(state().notes.contains(sentence));
    QVERIFY(!state().stall);
}

void StallsTest::aRunThatIsStoppedWhileItStandsStillIsReportedAsThat()
{
    launch({u"--stall-after"_s, u"2"_s, u"--env"_s, u"QUIET="_s + m_home->path(".")}, training());
    const QString log = state().plan->processes.at(3).logFile;
    QTRY_VERIFY_WITH_TIMEOUT(fileText(log).count('\n') > 30, programLimitMs);
    QFile quiet(m_home->path("3"));
    QVERIFY(quiet.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(state().stall && state().stall->named == "3"_L1, programLimitMs);
    for (const char *when : {"live", "stopped"}) {
        const Outcome report = ctl({u"report"_s, m_directory});
        QVERIFY2(report.out.startsWith("Rank 3 hung at step "), (when + report.out).constData());
        QCOMPARE(parsed(ctl({u"report"_s, m_directory, u"--json"_s}).out).value("rule", ""), "stalled");
        if (!state().isLiveNow())
            continue;
        QCOMPARE(ctl({u"stop"_s, m_directory}).code, 0);
        // Its supervisor has judged it: a list needs no reader before.
        const Outcome list = ctl({u"list"_s});
        QVERIFY2(list.out.contains("Rank 3 hung at step "), list.out.constData());
    }
}

void StallsTest::aRankThatCompilesIsNotStalled()
{
    // Rank 1 says that it compiles, for longer than the others would be let be silent; rank 2 only falls
    // silent a moment later, and is what the test waits for.
    const QString script =
        u"i=0; while :; do i=$((i+1)); echo \"step $i/100000 loss: 1\"; sleep 0.2; "
        "if [ $i -eq 20 ] && [ $RANK -eq 1 ]; then echo 'Start compiling graph'; exec sleep 1000; fi; "
        "if [ $i -eq 25 ] && [ $RANK -eq 2 ]; then exec sleep 1000; fi; done"_s;
    launch({u"--stall-after"_s, u"3"_s}, {u"sh"_s, u"-c"_s, script});
    QTRY_VERIFY_WITH_TIMEOUT(state().stall, programLimitMs);
    QCOMPARE(state().stall->silentSince.keys(), QList<int>{2});
}

void StallsTest::stacksAreKeptWithTheRun()
{
    const QString tool = QStandardPaths::findExecutable(u"eu-stack"_s);
    if (tool.isEmpty())
        QSKIP("eu-stack is not installed");
    launch({}, {u"sleep"_s, u"1000"_s});
    const Outcome dumped = ctl({u"dump"_s, m_directory, u"--rank"_s, u"1,3"_s});
    if (dumped.err.contains("may not inspect the process"))
        QSKIP("this place permits no ptrace");
    QVERIFY2(dumped.code == 0, dumped.err.constData());
    // Both sleep, so they stand together.
    QVERIFY2(dumped.out.startsWith("== ranks 1,3: "), dumped.out.constData());
    QVERIFY2(dumped.out.contains("nanosleep"), dumped.out.constData());
    QCOMPARE(state().count(RankPhase::Running), ranks);
    const RunState run = state();
    QCOMPARE(run.dumps.size(), 2);
    QVERIFY(run.notes.contains(u"Stacks of ranks 1,3 requested."_s));
    for (const StackDump &dump : run.dumps) {
        const QString path = m_directory + '/'_L1 + dump.file;
        struct stat info {
        };
        QCOMPARE(::stat(QFile::encodeName(path).constData(), &info), 0);
        QCOMPARE(info.st_mode & 0777, 0600U);
        QVERIFY(fileText(path).contains("nanosleep"));
    }
    const Outcome all = ctl({u"dump"_s, m_directory, u"--json"_s});
    const auto list = parsed(all.out).at("processes");
    QCOMPARE(list.size(), std::size_t(ranks));
    QCOMPARE(list[3]["rank"].get<int>(), 3);
    QVERIFY(QFile::exists(QString::fromStdString(list[3]["file"].get<std::string>())));

    const QString bundle = m_home->path("bundle.tar.gz");
    QCOMPARE(ctl({u"report"_s, m_directory, u"--bundle"_s, bundle}).code, 0);
    QProcess tar;
    tar.start(u"tar"_s, {u"tzf"_s, bundle});
    QVERIFY(outcomeOf(tar).out.contains("-rank-3.txt"));
}

void StallsTest::pythonTellsItsStacksAtASignal()
{
    // No tool is in the agent's PATH, only Python and a shell.
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    QProcess realPath;
    realPath.start(python, {u"-c"_s, u"import sys; print(sys.executable)"_s});
    const QString executable = QString::fromLocal8Bit(outcomeOf(realPath).out).trimmed();
    QVERIFY(QFile::exists(executable));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_home->path("none").toLocal8Bit());
    launch({u"--dump-signal"_s, u"USR1"_s},
           {executable, u"-c"_s,
            u"import faulthandler, os, signal, time\n"
            "faulthandler.register(signal.SIGUSR1)\n"
            "def all_reduce(): time.sleep(1000)\n"
            "def load_data(): time.sleep(1000)\n"
            "print('ready', flush=True)\n"
            "load_data() if os.environ['RANK'] == '2' else all_reduce()\n"_s});
    qputenv("PATH", path);
    const RunState started = state();
    for (const ProcessPlan &process : started.plan->processes)
        QTRY_VERIFY_WITH_TIMEOUT(fileText(process.logFile).contains("ready"), programLimitMs);
    const Outcome dumped = ctl({u"dump"_s, m_directory});
    QVERIFY2(dumped.code == 0, dumped.err.constData());
    const QByteArray out = dumped.out;
    QVERIFY2(out.startsWith("== rank 2: load_data"), out.constData());
    QVERIFY2(out.contains("== ranks 0-1,3: all_reduce"), out.constData());
    QVERIFY2(out.contains("SIGUSR1 (faulthandler)"), out.constData());
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void StallsTest::whereThereIsNoToolThatIsSaid()
{
    const QString sleep = QStandardPaths::findExecutable(u"sleep"_s);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_home->path("none").toLocal8Bit());
    launch({u"--dump-signal"_s, u"USR1"_s}, {sleep, u"1000"_s});
    qputenv("PATH", path);
    const Outcome dumped = ctl({u"dump"_s, m_directory, u"--rank"_s, u"0"_s});
    QCOMPARE(dumped.code, 1);
    QCOMPARE(linesOf(dumped.err).size(), 1);
    QVERIFY2(dumped.err.contains("No stacks of rank 0: neither py-spy nor gdb nor eu-stack"),
             dumped.err.constData());
    // It would have ended it.
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void StallsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no run") << QStringList{u"dump"_s, u"nothing"_s} << QByteArray("unknown run");
    QTest::newRow("no number") << QStringList{u"processes"_s, u"--stall-after"_s, u"soon"_s, u"true"_s}
                               << QByteArray("--stall-after");
    QTest::newRow("too little") << QStringList{u"processes"_s, u"--stall-after"_s, u"-1"_s, u"true"_s}
                                << QByteArray("--stall-after");
    QTest::newRow("a deadly signal") << QStringList{u"processes"_s, u"--dump-signal"_s, u"KILL"_s, u"true"_s}
                                     << QByteArray("is not a signal for stacks");
}

void StallsTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    const Outcome outcome = ctl(arguments);
    QCOMPARE(outcome.code, 2);
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains(words), outcome.err.constData());
}

} // namespace tst_stalls

RANKDECK_TEST(tst_stalls, StallsTest)
#include "tst_stalls.moc"
