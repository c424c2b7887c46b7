#include "run/record/logindex.h"
#include "run/record/runstate.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <memory>

namespace tst_rankdeckctl
{

using namespace rankdeck;

/// rankdeckctl as a user runs it, with the demo's script as the training program.
class RankdeckctlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void eightRanksRunAndNameThemselvesInTheirLogs();
    void aSharedTableRunsEightRanks();
    void theFirstFailedRankGivesTheExitCode();
    void aSignalGives128AndItsNumber();
    void everyLineIsPrintedWholeWithItsRank();
    void quietPrintsNoLines();
    void anInterruptStopsTheRunInOrder();
    void aDetachedRunIsWaitedFor();
    void aStoppedRunEndsAndSaysSo();
    void aKilledRunEndsAtOnce();
    void withoutDestroyingTheOthersGoOn();
    void aSharedLogDirectorySaysWhoseItsLogsAre();
    void logsCanBeChosenCutAndFollowed();
    void attachPrintsWhatThereIs();
    void planStartsNothing();
    void listIsReadableByMachines();
    void anEarlierRunsLogsAreNeverOverwritten();
    void aPythonScriptRunsInADirectoryThatIsMade();
    void theScratchDirectoryIsGoneAfterwards();
    void anInitialisingTableIsWaitedForUntilTheLimit();
    void badInputIsOneSentenceAndExitCode2_data();
    void badInputIsOneSentenceAndExitCode2();
    void uglyOutputIsPassedOn();
    void convertPrintsTheV10Table();
    void initPrintsExportsOrSaysThatThereIsNoTable();
    void helpNamesEveryCommandOfTheUsers();

private:
    QStringList launch(const QStringList &options, const QStringList &command) const
    {
        return QStringList{u"davincirun"_s, u"--rank-table"_s, demoTable(), u"--log-dir"_s, logDir()} +
               options + command;
    }
    QString logDir() const { return m_home->path("logs"); }
    QStringList logs() const { return QDir(logDir()).entryList({u"*.txt"_s}, QDir::Files, QDir::Name); }
    QByteArray log(int rank) const
    {
        const QStringList names =
            QDir(logDir()).entryList({u"*-proc-rank-%1-device-%1.txt"_s.arg(rank)}, QDir::Files);
        return names.size() == 1 ? fileText(logDir() + '/'_L1 + names.first()) : QByteArray();
    }
    QList<qint64> leftovers() const { return processesOf(m_home->path("state")); }
    static RunState lastRun()
    {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state ? *state : RunState();
    }

    std::unique_ptr<TestHome> m_home;
};

void RankdeckctlTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void RankdeckctlTest::eightRanksRunAndNameThemselvesInTheirLogs()
{
    const Outcome outcome = ctl(launch({}, train({u"--steps"_s, u"50"_s, u"--rate"_s, u"0"_s})));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(logs().size(), 8);
    for (int rank = 0; rank < 8; ++rank)
        QVERIFY2(log(rank).contains("rank " + QByteArray::number(rank) + " of 8"),
                 log(rank).left(300).constData());
    QCOMPARE(lastRun().phase, RunPhase::Succeeded);
    QTRY_VERIFY(leftovers().isEmpty());
}

void RankdeckctlTest::aSharedTableRunsEightRanks()
{
    const QString table = sharedData("ranktables/047.json");
    if (table.isEmpty())
        QSKIP("shared data: ranktables/047.json is not on this machine");
    const Outcome outcome =
        ctl(QStringList{u"davincirun"_s, u"--rank-table"_s, table, u"--log-dir"_s, logDir()} +
            train({u"--steps"_s, u"50"_s}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(logs().size(), 8);
    for (int rank = 0; rank < 8; ++rank)
        QVERIFY(log(rank).contains("rank " + QByteArray::number(rank) + " of 8"));
}

void RankdeckctlTest::theFirstFailedRankGivesTheExitCode()
{
    const Outcome outcome =
        ctl(launch({u"--quiet"_s}, train({u"--fail-rank"_s, u"3"_s, u"--fail-step"_s, u"10"_s,
                                          u"--exit-code"_s, u"3"_s, u"--rate"_s, u"50"_s, u"--child"_s})));
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("Rank 3 failed first: ") && outcome.err.contains("\nexit code 3\n"),
             outcome.err.constData());
    QVERIFY(outcome.err.contains("Traceback (most recent call last)"));
    QTRY_VERIFY(leftovers().isEmpty());
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Failed);
    QVERIFY(run.failure.has_value());
    QCOMPARE(run.failure->rank, Rank(3));
    QCOMPARE(run.ranks[3].phase, RankPhase::Failed);
    QCOMPARE(run.count(RankPhase::Failed), 1);
}

void RankdeckctlTest::aSignalGives128AndItsNumber()
{
    const Outcome outcome = ctl(launch({u"--quiet"_s}, train({u"--signal-rank"_s, u"5"_s, u"--signal"_s,
                                                              u"SEGV"_s, u"--signal-step"_s, u"2"_s})));
    QCOMPARE(outcome.code, 128 + SIGSEGV);
    QVERIFY2(outcome.err.contains("Rank 5 failed first: ended by signal 11 (SIGSEGV)"),
             outcome.err.constData());
}

void RankdeckctlTest::everyLineIsPrintedWholeWithItsRank()
{
    const QStringList command{u"sh"_s, u"-c"_s,
                              u"i=0; while [ $i -lt 2000 ]; do echo rank $RANK_ID line $i; i=$((i+1)); "
                              "done; printf 'rank %s end' $RANK_ID"_s};
    const Outcome outcome = ctl(launch({}, command));
    QCOMPARE(outcome.code, 0);
    QMap<QByteArray, int> counts;
    for (const QByteArray &line : linesOf(outcome.out)) {
        const auto at = line.indexOf("): ");
        const QByteArray rank = line.mid(at + 3).split(' ').value(1);
        QVERIFY2(line.startsWith("proc-rank-" + rank + "-device-" + rank + " (pid: "), line.constData());
        ++counts[rank];
    }
    QCOMPARE(counts.size(), 8);
    for (const int count : std::as_const(counts))
        QCOMPARE(count, 2001);
}

void RankdeckctlTest::quietPrintsNoLines()
{
    const Outcome outcome = ctl(launch({u"--quiet"_s}, {u"echo"_s, u"x"_s}));
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.out.isEmpty());
    QCOMPARE(log(0), QByteArray("x\n"));
}

void RankdeckctlTest::anInterruptStopsTheRunInOrder()
{
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"),
                  launch({}, {u"sh"_s, u"-c"_s,
                              u"trap 'echo going; exit 0' TERM; echo up; while :; do sleep 0.05; done"_s}));
    QByteArray printed;
    QTRY_VERIFY_WITH_TIMEOUT((printed += process.readAllStandardOutput()).count("): up\n") == 8, 20000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(outcome.code, 128 + SIGINT);
    QCOMPARE((printed + outcome.out).count("): going\n"), 8);
    QTRY_VERIFY(leftovers().isEmpty());
    QCOMPARE(lastRun().phase, RunPhase::Stopped);
}

void RankdeckctlTest::aDetachedRunIsWaitedFor()
{
    const Outcome detached = ctl(launch({u"--detach"_s}, {u"sh"_s, u"-c"_s, u"sleep 1; exit $RANK_ID"_s}));
    QCOMPARE(detached.code, 0);
    const QString name = QString::fromUtf8(detached.out.trimmed());
    QVERIFY(!name.isEmpty() && !name.contains('\n'_L1));
    const Outcome waited = ctl({u"wait"_s, name});
    // All fail within the same second; whichever was seen first gives the code.
    QVERIFY2(waited.code >= 1 && waited.code <= 7, QByteArray::number(waited.code).constData());
    QCOMPARE(lastRun().exitCode, waited.code);
}

void RankdeckctlTest::aStoppedRunEndsAndSaysSo()
{
    const Outcome detached = ctl(launch({u"--detach"_s}, {u"sleep"_s, u"1000"_s}));
    const QString name = QString::fromUtf8(detached.out.trimmed());
    const Outcome stopped = ctl({u"stop"_s, name});
    QVERIFY2(stopped.code == 0, stopped.err.constData());
    QVERIFY(stopped.err.contains("stopped"));
    QTRY_VERIFY(leftovers().isEmpty());
    QCOMPARE(ctl({u"wait"_s, name}).code, 128 + SIGTERM);
}

void RankdeckctlTest::aKilledRunEndsAtOnce()
{
    const Outcome detached = ctl(launch({u"--detach"_s, u"--grace"_s, u"600"_s},
                                        train({u"--ignore-sigterm"_s, u"--steps"_s, u"100000"_s})));
    const QString name = QString::fromUtf8(detached.out.trimmed());
    QTRY_VERIFY_WITH_TIMEOUT(log(7).contains("step: 1/"), 20000);
    const Outcome killed = ctl({u"stop"_s, name, u"--kill"_s});
    QVERIFY2(killed.code == 0, killed.err.constData());
    QTRY_VERIFY(leftovers().isEmpty());
    QVERIFY((*lastRun().ranks[0].status == ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}));
}

void RankdeckctlTest::withoutDestroyingTheOthersGoOn()
{
    const Outcome outcome = ctl(
        launch({u"--no-destroy"_s, u"--quiet"_s},
               {u"sh"_s, u"-c"_s, u"[ $RANK_ID = 2 ] && { sleep 1000 & exit 4; }; sleep 1; echo whole"_s}));
    QCOMPARE(outcome.code, 4);
    QCOMPARE(lastRun().count(RankPhase::Exited), 7);
    QCOMPARE(log(6), QByteArray("whole\n"));
    // What rank 2 left goes on as well; only the launch's own programs are gone.
    QTRY_COMPARE(leftovers().size(), 1);
    QCOMPARE(::kill(static_cast<pid_t>(leftovers().first()), SIGKILL), 0);
    QTRY_VERIFY(leftovers().isEmpty());
}

void RankdeckctlTest::aSharedLogDirectorySaysWhoseItsLogsAre()
{
    for (const char *words : {"first run", "second run"})
        QCOMPARE(ctl(launch({u"--quiet"_s}, {u"echo"_s, QString::fromLatin1(words)})).code, 0);
    const QList<IndexedRun> runs = indexedRuns(logDir());
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[1].name, lastRun().name);
    QCOMPARE(runs[1].launcher, u"davincirun"_s);
    for (int run = 0; run < 2; ++run) {
        QCOMPARE(runs[run].logs.size(), 8);
        for (const QString &log : runs[run].logs)
            QCOMPARE(fileText(logDir() + '/'_L1 + log),
                     QByteArray(run == 0 ? "first run\n" : "second run\n"));
    }
    const Outcome opened = ctl({u"open"_s, logDir()});
    QVERIFY2(opened.out.contains((runs[1].name + u", "_s + runs[0].name).toUtf8()) ||
                 opened.err.contains((runs[1].name + u", "_s + runs[0].name).toUtf8()),
             (opened.out + opened.err).constData());
}

void RankdeckctlTest::logsCanBeChosenCutAndFollowed()
{
    ctl(launch({u"--quiet"_s}, {u"sh"_s, u"-c"_s, u"for i in 1 2 3; do echo $RANK_ID.$i; done"_s}));
    const QString last = u"last"_s;
    QCOMPARE(ctl({u"logs"_s, last, u"--rank"_s, u"5"_s}).out, QByteArray("5.1\n5.2\n5.3\n"));
    QCOMPARE(ctl({u"logs"_s, last, u"--rank"_s, u"5"_s, u"--tail"_s, u"1"_s}).out, QByteArray("5.3\n"));
    QCOMPARE(linesOf(ctl({u"logs"_s, last}).out).size(), 24);
    QCOMPARE(ctl({u"logs"_s, last, u"--rank"_s, u"8"_s}).code, 2);

    const QByteArray name =
        ctl(launch({u"--detach"_s}, {u"sh"_s, u"-c"_s, u"echo first; sleep 1; echo second"_s})).out.trimmed();
    const Outcome followed = ctl({u"logs"_s, QString::fromUtf8(name), u"--rank"_s, u"0"_s, u"--follow"_s});
    QCOMPARE(followed.out, QByteArray("first\nsecond\n"));
}

void RankdeckctlTest::attachPrintsWhatThereIs()
{
    ctl(launch({u"--quiet"_s}, {u"sh"_s, u"-c"_s, u"printf 'a\\nb\\n'; exit 6"_s}));
    const Outcome attached = ctl({u"attach"_s, u"last"_s, u"--tail"_s, u"1"_s});
    QCOMPARE(attached.code, 6);
    QVERIFY(attached.out.contains("): b\n"));
    QVERIFY(!attached.out.contains("): a\n"));
}

void RankdeckctlTest::planStartsNothing()
{
    const Outcome outcome = ctl(QStringList{u"plan"_s} + launch({u"--json"_s}, {u"no-such-program"_s}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto plan = nlohmann::json::parse(outcome.out.toStdString());
    QCOMPARE(plan["processes"].size(), std::size_t(8));
    QCOMPARE(plan["processes"][7]["set"]["RANK_ID"].get<std::string>(), std::string("7"));
    QVERIFY(!QFile::exists(logDir()));
    QVERIFY(!QFile::exists(m_home->path("ma-home")));
    QVERIFY(RunSummaries().read().isEmpty());
}

void RankdeckctlTest::listIsReadableByMachines()
{
    const auto none = nlohmann::json::parse(ctl({u"list"_s, u"--json"_s}).out.toStdString());
    QCOMPARE(none.at("schema").get<int>(), 1);
    QVERIFY(none.at("runs").is_array() && none.at("runs").empty());
    ctl(launch({u"--name"_s, u"训练 one"_s}, {u"true"_s}));
    const auto list = nlohmann::json::parse(ctl({u"list"_s, u"--json"_s}).out.toStdString()).at("runs");
    QCOMPARE(list.size(), std::size_t(1));
    QCOMPARE(list[0]["state"].get<std::string>(), std::string("succeeded"));
    QCOMPARE(list[0]["exit_code"].get<int>(), 0);
    const QByteArray table = ctl({u"list"_s}).out;
    QVERIFY(table.contains("succeeded"));
    QVERIFY(table.contains("训练 one"));
}

void RankdeckctlTest::anEarlierRunsLogsAreNeverOverwritten()
{
    const auto run = [&](const char *word) {
        return ctl(launch({u"--quiet"_s}, {u"echo"_s, QString::fromLatin1(word)})).code;
    };
    QCOMPARE(run("first"), 0);
    const QStringList before = logs();
    QCOMPARE(run("second"), 0);
    QCOMPARE(logs().size(), 16);
    for (const QString &name : before)
        QCOMPARE(fileText(logDir() + '/'_L1 + name), QByteArray("first\n"));
    QCOMPARE(fileText(lastRun().plan->processes[0].logFile), QByteArray("second\n"));
}

void RankdeckctlTest::aPythonScriptRunsInADirectoryThatIsMade()
{
    const QString script = m_home->path("where.py");
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("import os\nprint('rank', os.environ['RANK_ID'], 'in', os.getcwd())\n");
    file.close();
    const QString folder = m_home->path("made/for/it");
    const Outcome outcome = ctl({u"davincirun"_s, u"--rank-table"_s, demoTable(), u"--work-dir"_s, folder,
                                 u"--before"_s, u"pwd"_s, script},
                                m_home->path());
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains("rank 7 in " + folder.toUtf8()), outcome.out.constData());
}

void RankdeckctlTest::theScratchDirectoryIsGoneAfterwards()
{
    const Outcome outcome = ctl(launch({u"--quiet"_s}, {u"sh"_s, u"-c"_s,
                                                        u"touch $MS_COMPILER_CACHE_PATH/kernel && "
                                                        "echo $MS_COMPILER_CACHE_PATH"_s}));
    QCOMPARE(outcome.code, 0);
    const QString path = QString::fromUtf8(log(0).trimmed());
    QVERIFY(!path.isEmpty());
    QVERIFY(!QFile::exists(path));
    QVERIFY(fileText(lastRun().directory + u"/journal.jsonl"_s).contains(path.toUtf8()));
}

void RankdeckctlTest::anInitialisingTableIsWaitedForUntilTheLimit()
{
    const Outcome outcome = ctl({u"davincirun"_s, u"--rank-table"_s, testData("ranktables/initializing.json"),
                                 u"--wait"_s, u"1"_s, u"true"_s});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("status is still \"initializing\""), outcome.err.constData());
}

void RankdeckctlTest::badInputIsOneSentenceAndExitCode2_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const QStringList &arguments, const char *says) {
        QTest::newRow(name) << arguments << QByteArray(says);
    };
    const QString davincirun = u"davincirun"_s;
    const QString table = u"--rank-table"_s;
    const QString program = u"true"_s;
    row("no rank table", {davincirun, table, u"/no/table.json"_s, program},
        "/no/table.json: no rank table found");
    row("malformed JSON", {davincirun, table, testData("ranktables/malformed.json"), program},
        "malformed.json:4:19");
    row("a form without servers", {davincirun, table, testData("ranktables/rank_list_2.0.json"), program},
        "version 2.0 (rank_list): it does not say which ranks run on which host");
    row("a command that does not exist", {davincirun, table, demoTable(), u"no-such-program"_s},
        "cannot run the command of rank 0: no-such-program: No such file or directory");
    row("a command that may not be executed", {davincirun, table, demoTable(), demoTable()},
        "rank_table.json: Permission denied");
    row("a log directory that cannot be written",
        {davincirun, table, demoTable(), u"--log-dir"_s, demoTable() + u"/x"_s, program},
        "cannot write to the log directory");
    row("an empty command", {davincirun, table, demoTable()}, "no command to run");
    row("a working directory that cannot be made",
        {davincirun, table, demoTable(), u"--work-dir"_s, u"/dev/null/dir"_s, program}, "/dev/null/dir");
    row("a script that is not there", {davincirun, table, demoTable(), u"/no/train.py"_s},
        "/no/train.py: the script does not exist");
    row("an unknown option", {davincirun, u"--bogus"_s, program}, "--bogus");
    row("an unknown command", {u"dance"_s}, "dance");
    row("a run that is not there", {u"wait"_s, u"nope"_s}, "nope");
    row("too many arguments", {u"list"_s, u"x"_s}, "one argument too many");
    row("a launcher that is not there", {u"plan"_s, u"mpirun"_s}, "mpirun");
}

void RankdeckctlTest::badInputIsOneSentenceAndExitCode2()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    QVERIFY(QDir().mkpath(m_home->path("work")));
    const Outcome outcome = ctl(arguments, m_home->path("work"));
    verifyOneSentence(outcome, says);
    // Nothing was started and nothing is left.
    QVERIFY(RunSummaries().read().isEmpty());
    QVERIFY(!QFile::exists(m_home->path("work/log")));
    QTRY_VERIFY(leftovers().isEmpty());
}

void RankdeckctlTest::uglyOutputIsPassedOn()
{
    // NUL bytes, bytes that are no UTF-8, and a line of 100 MB from one rank.
    const QString script = u"import os,sys\n"
                           "out = sys.stdout.buffer\n"
                           "if os.environ['RANK_ID'] == '0':\n"
                           "    out.write(b'a\\0b\\xff\\xfec\\n')\n"
                           "    for i in range(100): out.write(b'x' * 1000000)\n"
                           "    out.write(b'\\nend\\n')\n"
                           "else: out.write(b'quiet\\n')\n"_s;
    const Outcome outcome = ctl(launch({}, {u"python3"_s, u"-c"_s, script}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(outcome.out.contains(QByteArray("): a\0b\xff\xfe"
                                            "c\n",
                                            10)));
    QCOMPARE(outcome.out.count('x'), 100000000);
    QVERIFY(outcome.out.contains("): end\n"));
    for (const QByteArray &line : linesOf(outcome.out))
        QVERIFY(line.startsWith("proc-rank-"));
    QCOMPARE(log(0).size(), 100000000 + 12);
}

void RankdeckctlTest::convertPrintsTheV10Table()
{
    const Outcome outcome =
        ctl({u"ranktable"_s, u"convert"_s, testData("ranktables/template2_2servers.json")});
    QCOMPARE(outcome.code, 0);
    QVERIFY(nlohmann::json::parse(outcome.out.toStdString()) ==
            nlohmann::json::parse(
                fileText(testData("ranktables/template2_2servers_converted.json")).toStdString()));
    const QString target = m_home->path("out.json");
    QCOMPARE(ctl({u"ranktable"_s, u"convert"_s, demoTable(), u"-o"_s, target}).code, 0);
    QVERIFY(fileText(target).contains("server_list"));
}

void RankdeckctlTest::initPrintsExportsOrSaysThatThereIsNoTable()
{
    qputenv("RANK_TABLE_FILE", demoTable().toLocal8Bit());
    const Outcome outcome = ctl({u"ranktable"_s, u"init"_s});
    QCOMPARE(outcome.code, 0);
    const QString written = m_home->path("ma-home/rank_table/jobstart_hccl.json");
    QVERIFY(outcome.out.contains("export RANK_TABLE_FILE='" + written.toUtf8() + "'\n"));
    QVERIFY(outcome.out.contains("export RANK_SIZE='8'\n"));
    QVERIFY(QFile::exists(written));
    qputenv("RANK_TABLE_FILE", "/no/such/table.json");
    QCOMPARE(ctl({u"ranktable"_s, u"init"_s}).code, 3);
}

void RankdeckctlTest::helpNamesEveryCommandOfTheUsers()
{
    const Outcome help = ctl({u"--help"_s});
    QCOMPARE(help.code, 0);
    for (const char *command : {"davincirun", "plan", "list", "attach", "wait", "stop", "logs", "ranktable"})
        QVERIFY(help.out.contains(command));
    QVERIFY(!help.out.contains("supervise"));
    for (const char *command :
         {"attach", "delete", "import", "list", "logs", "msrun", "nodes", "plan", "stop"}) {
        const Outcome ofOne = ctl({QString::fromLatin1(command), u"--help"_s});
        QVERIFY2(ofOne.code == 0 && ofOne.out.startsWith(QByteArray("Usage: rankdeckctl ") + command),
                 command);
    }
}

} // namespace tst_rankdeckctl

RANKDECK_TEST(tst_rankdeckctl, RankdeckctlTest)
#include "tst_rankdeckctl.moc"
