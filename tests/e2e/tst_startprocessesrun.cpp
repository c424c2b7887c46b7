#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <memory>

namespace tst_startprocessesrun
{

using namespace rankdeck;

using Json = nlohmann::json;

/// rankdeckctl processes in place of torch's start_processes and torchrun, with real processes.
class StartProcessesRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { killProcessesOf(*m_home); }
    void theDocumentationsFirstExampleRuns();
    void theDocumentationsProgramExampleRuns();
    void aFunctionOfAModuleIsFoundInTheWorkDir();
    void whatAFunctionReturnsIsKept_data();
    void whatAFunctionReturnsIsKept();
    void anExceptionIsTheCause();
    void aFunctionThatIsNotThereIsTheCause();
    void eachAttemptHasItsOwnReturnValue();
    void unknownKeysAreNamedOrRefused();
    void waitEndsWhenTheTimeIsUp();
    void waitTellsHowEachRankEnded();
    void reportTellsTheSame();
    void aWrongTimeIsRefused_data();
    void aWrongTimeIsRefused();
    void theCodeIsThatOfARankThatEndedByItself();
    void theCodeIsThatOfTheRankThatTheVerdictNames();
    void variablesOfTorchrunAreItsOptions();
    void aStandaloneLaunchFindsAPort();
    void ranksAreCounted();
    void consoleAloneIsOneOption();
    void prefixesAndFilterAreTorchs();
    void aSignalEndsTheRanks_data();
    void aSignalEndsTheRanks();
    void aSignalThatIsIgnoredStaysSo();
    void anUnknownSignalIsNamed();
    void ranksEndWithACommandThatIsKilled();
    void aDetachedRunOutlivesItsCommand();
    void anInnerLauncherPassesTheCauseUp();

private:
    QString write(const char *name, const QByteArray &text) const
    {
        QFile file(m_home->path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("the file cannot be written");
        return file.fileName();
    }
    /// A SPEC.json of start_processes with these keys.
    Outcome start(const QByteArray &keys) const
    {
        const QByteArray text = R"({"standalone": true, )" + keys + '}';
        return ctl({u"processes"_s, write("spec.json", text)}, m_home->path());
    }
    static QStringList launch(const QString &options, const QByteArray &script)
    {
        return QStringList{u"processes"_s, u"--standalone"_s} + options.split(' '_L1, Qt::SkipEmptyParts) +
               QStringList{u"--"_s, u"sh"_s, u"-c"_s, QString::fromUtf8(script)};
    }
    static Json results(const QStringList &options = {})
    {
        const Outcome waited = ctl(QStringList{u"wait"_s, u"last"_s} + options + QStringList{u"--json"_s});
        return Json::parse(waited.out.toStdString(), nullptr, false);
    }
    static QByteArray textOf(const Json &json) { return QByteArray::fromStdString(json.dump()); }
    static RunState lastRun()
    {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state ? *state : RunState();
    }
    QList<qint64> leftovers() const { return processesOf(m_home->path("state")); }
    /// Starts a launch of two ranks that only wait; returns when both run.
    void startWaiting(QProcess &process, const QString &options = {})
    {
        process.start(buildPath("bin/rankdeckctl"),
                      launch(u"--nproc 2 "_s + options, "echo ready; exec sleep 60"));
        const auto runs = [] {
            const RunState run = lastRun();
            return run.plan && run.count(RankPhase::Running) == 2;
        };
        QTRY_VERIFY_WITH_TIMEOUT(runs(), 20000);
    }

    std::unique_ptr<TestHome> m_home;
};

void StartProcessesRunTest::init()
{
    m_home = std::make_unique<TestHome>();
    for (const char *variable :
         {"PET_NPROC_PER_NODE", "PET_NNODES", "TORCHELASTIC_SIGNALS_TO_HANDLE", "TORCHELASTIC_ERROR_FILE",
          "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", "OMP_NUM_THREADS"})
        qunsetenv(variable);
}

/// "runs two trainers": torch.distributed.elastic.multiprocessing, examples.
void StartProcessesRunTest::theDocumentationsFirstExampleRuns()
{
    write("train.py", "import os\n"
                      "def trainer(a, b, c):\n"
                      "    print(os.environ['LOCAL_RANK'], a, b, c)\n"
                      "    return a + b + c\n");
    const Outcome outcome = start(R"("name": "trainer", "entrypoint": "train.py:trainer",
        "args": {"0": [1, 2, 3], "1": [4, 5, 6]}, "envs": {"0": {"LOCAL_RANK": 0}, "1": {"LOCAL_RANK": 1}},
        "log_dir": "foobar", "start_method": "spawn")");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(fileText(m_home->path("foobar/0/stdout.log")), QByteArray("0 1 2 3\n"));
    QCOMPARE(fileText(m_home->path("foobar/1/stdout.log")), QByteArray("1 4 5 6\n"));
    const Json told = results();
    QCOMPARE(textOf(told["processes"][0]["return_value"]), textOf(6));
    QCOMPARE(textOf(told["processes"][1]["return_value"]), textOf(15));
    QTRY_VERIFY(leftovers().isEmpty());
}

void StartProcessesRunTest::theDocumentationsProgramExampleRuns()
{
    const Outcome outcome = start(R"("name": "trainer", "entrypoint": "echo", "log_dir": "foobar",
        "args": {"0": [1, 2, 3], "1": [[1, 2, 3]]}, "redirects": 1)");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(fileText(m_home->path("foobar/0/stdout.log")), QByteArray("1 2 3\n"));
    QCOMPARE(fileText(m_home->path("foobar/1/stdout.log")), QByteArray("[1, 2, 3]\n"));
    QVERIFY(!results()["processes"][0].contains("return_value"));
}

void StartProcessesRunTest::aFunctionOfAModuleIsFoundInTheWorkDir()
{
    QVERIFY(QDir().mkpath(m_home->path("work/pkg")));
    write("work/pkg/__init__.py", "");
    write("work/pkg/train.py", "class Trainer:\n"
                               "    @staticmethod\n"
                               "    def run(options):\n"
                               "        import sys\n"
                               "        return [options, sys.argv]\n");
    const Outcome outcome = start(R"("entrypoint": "pkg.train:Trainer.run", "work_dir": "work",
        "args": {"0": [{"b": [1, null], "a": "ü"}]})");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json expected = Json::parse(R"([{"b": [1, null], "a": "ü"}, ["pkg.train"]])");
    QVERIFY(results()["processes"][0]["return_value"] == expected);
}

void StartProcessesRunTest::whatAFunctionReturnsIsKept_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char *body, const char *value, const char *problem = "") {
        QTest::newRow(body) << QByteArray(body) << QByteArray(value) << QByteArray(problem);
    };
    row("pass", "null");
    row("return 12345678901234567", "12345678901234567");
    row("return (1, 'a')", R"([1, "a"])");
    row("import sys; sys.exit()", "null");
    row("import array; return array.array('d', [0.5])", "[0.5]");
    row("return {1, 2}", "null", "TypeError: set has no form in JSON");
    row("return float('nan')", "null", "ValueError");
}

void StartProcessesRunTest::whatAFunctionReturnsIsKept()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, problem);
    write("f.py", "def f():\n    " + body + '\n');
    const Outcome outcome = start(R"("entrypoint": "f:f", "args": {"0": []})");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json rank = results()["processes"][0];
    QVERIFY(rank["return_value"] == Json::parse(value.toStdString()));
    if (problem.isEmpty())
        QVERIFY(rank["return_problem"].is_null());
    else
        QVERIFY(rank["return_problem"].get<std::string>().find(problem.toStdString()) != std::string::npos);
}

void StartProcessesRunTest::anExceptionIsTheCause()
{
    write("f.py", "import os, time\n"
                  "def f(number):\n"
                  "    if number == 1:\n"
                  "        raise RuntimeError('boom')\n"
                  "    time.sleep(60)\n");
    const Outcome outcome = start(R"("entrypoint": "f:f", "args": {"0": [0], "1": [1]}, "grace": 20)");
    QVERIFY2(outcome.code == 1, outcome.err.constData());
    QVERIFY2(outcome.err.contains("Rank 1 failed first: RuntimeError: boom"), outcome.err.constData());
    const Json told = results();
    QCOMPARE(textOf(told["exit_code"]), textOf(1));
    QCOMPARE(textOf(told["processes"][0]["ended_by_rankdeck"]), textOf(true));
    QVERIFY(told["processes"][0]["failure"].is_null());
    QCOMPARE(textOf(told["processes"][1]["failure"]["message"]), textOf("RuntimeError: boom"));
    QVERIFY(told["processes"][1]["error_file"].is_string());
    QVERIFY(told["processes"][1]["return_value"].is_null());
}

void StartProcessesRunTest::aFunctionThatIsNotThereIsTheCause()
{
    write("f.py", "");
    Outcome outcome = start(R"("entrypoint": "f:f", "args": {"0": []})");
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("AttributeError: module 'f' has no attribute 'f'"),
             outcome.err.constData());
    outcome = start(R"("entrypoint": "missing.py:f", "args": {"0": []})");
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("FileNotFoundError"), outcome.err.constData());
    const Outcome check = ctl({u"preflight"_s, u"processes"_s, m_home->path("spec.json")}, m_home->path());
    QVERIFY2(check.out.contains("missing.py: the script does not exist"), check.out.constData());
}

void StartProcessesRunTest::eachAttemptHasItsOwnReturnValue()
{
    write("f.py", "import os\n"
                  "def f():\n"
                  "    if os.environ['TORCHELASTIC_RESTART_COUNT'] == '0':\n"
                  "        raise RuntimeError('once')\n"
                  "    return 'twice'\n");
    const Outcome outcome = start(R"("entrypoint": "f:f", "args": {"0": []}, "max_restarts": 1)");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const Json rank = results()["processes"][0];
    QCOMPARE(textOf(rank["return_value"]), textOf("twice"));
    QVERIFY(rank["return_file"].get<std::string>().find("/attempt_1/rank-0.return.json") !=
            std::string::npos);
}

void StartProcessesRunTest::unknownKeysAreNamedOrRefused()
{
    const Outcome named = start(R"("entrypoint": "true", "comment": "mine")");
    QVERIFY2(named.code == 0, named.err.constData());
    QVERIFY2(named.err.contains("note: \"comment\" is omitted"), named.err.constData());
    verifyOneSentence(start(R"("entrypoint": "true", "arg": {"0": []})"),
                      "arg: unknown option. Write \"args\".");
    verifyOneSentence(start(R"("entrypoint": "true", "args": {})"), "args: no local ranks given");
}

void StartProcessesRunTest::waitEndsWhenTheTimeIsUp()
{
    QProcess process;
    startWaiting(process);
    const QStringList wait{u"wait"_s, u"last"_s, u"--timeout"_s};
    const Outcome text = ctl(wait + QStringList{u"0.1"_s});
    QCOMPARE(text.code, 124);
    QCOMPARE(text.out, QByteArray());
    const Outcome json = ctl(wait + QStringList{u"0"_s, u"--json"_s});
    QCOMPARE(json.code, 124);
    const Json told = Json::parse(json.out.toStdString(), nullptr, false);
    QCOMPARE(textOf(told["ended"]), textOf(false));
    QVERIFY(told["exit_code"].is_null());
    QCOMPARE(textOf(told["processes"][1]["state"]), textOf("running"));
    QVERIFY(told["processes"][1]["exit_code"].is_null());
    QCOMPARE(lastRun().count(RankPhase::Running), 2);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
    QCOMPARE(ctl(wait + QStringList{u"30"_s}).code, 143);
    QVERIFY(process.waitForFinished());
}

void StartProcessesRunTest::waitTellsHowEachRankEnded()
{
    const QString logs = m_home->path("out");
    const Outcome outcome =
        ctl(launch(u"--nproc 3 --log-dir %1"_s.arg(logs),
                   "[ $RANK = 0 ] && exit; [ $RANK = 1 ] && exec sleep 60\n"
                   "echo '{\"message\": {\"message\": \"E: x\", \"extraInfo\": {\"timestamp\": \"5\"}}}' "
                   "> $TORCHELASTIC_ERROR_FILE; exit 7"));
    QCOMPARE(outcome.code, 7);
    const Json told = results({u"--timeout"_s, u"60"_s});
    QCOMPARE(textOf(told["state"]), textOf("failed"));
    QCOMPARE(textOf(told["ended"]), textOf(true));
    QCOMPARE(textOf(told["exit_code"]), textOf(7));
    const Json &ranks = told["processes"];
    QCOMPARE(textOf(ranks[0]["exit_code"]), textOf(0));
    QCOMPARE(textOf(ranks[0]["stdout"]), textOf((logs + u"/0/stdout.log"_s).toStdString()));
    QCOMPARE(textOf(ranks[0]["stderr"]), textOf((logs + u"/0/stderr.log"_s).toStdString()));
    QVERIFY(ranks[0]["error_file"].is_null());
    QCOMPARE(textOf(ranks[1]["signal"]), textOf("SIGTERM"));
    QCOMPARE(textOf(ranks[1]["ended_by_rankdeck"]), textOf(true));
    QVERIFY(ranks[1]["failure"].is_null());
    QCOMPARE(textOf(ranks[2]["exit_code"]), textOf(7));
    QCOMPARE(textOf(ranks[2]["error_file"]), textOf((logs + u"/2/error.json"_s).toStdString()));
    QCOMPARE(textOf(ranks[2]["failure"]["message"]), textOf("E: x"));
    QCOMPARE(textOf(ranks[2]["failure"]["timestamp"]), textOf(5.0));
}

void StartProcessesRunTest::reportTellsTheSame()
{
    QCOMPARE(ctl(launch({}, "exit 2")).code, 2); // As for unusable input.
    const Outcome report = ctl({u"report"_s, u"last"_s, u"--json"_s});
    const Json told = Json::parse(report.out.toStdString(), nullptr, false);
    Json wanted = results();
    wanted.erase("schema"); // The report has its own.
    QVERIFY(told["results"] == wanted);
    QCOMPARE(textOf(told["results"]["processes"][0]["failure"]["message"]), textOf("exit code 2"));
}

void StartProcessesRunTest::aWrongTimeIsRefused_data()
{
    QTest::addColumn<QString>("time");
    for (const char *time : {"x", "-1", "nan", "1e12"})
        QTest::newRow(time) << QString::fromLatin1(time);
}

void StartProcessesRunTest::aWrongTimeIsRefused()
{
    QFETCH(QString, time);
    QCOMPARE(ctl(launch({}, "true")).code, 0);
    verifyOneSentence(ctl({u"wait"_s, u"last"_s, u"--timeout"_s, time}), "--timeout");
}

/// Rank 1's file is older, but Rankdeck ended it: 143 would say that somebody had stopped the run.
void StartProcessesRunTest::theCodeIsThatOfARankThatEndedByItself()
{
    const QByteArray script =
        "if [ $RANK = 1 ]; then\n"
        "  echo '{\"message\": {\"message\": \"E: early\", \"extraInfo\": {\"timestamp\": \"5\"}}}' "
        "> $TORCHELASTIC_ERROR_FILE; touch READY; exec sleep 60\n"
        "fi\n"
        "until [ -e READY ]; do sleep 0.05; done; exit 4";
    const Outcome outcome =
        ctl(launch(u"--nproc 2"_s, QByteArray(script).replace("READY", m_home->path("ready").toUtf8())));
    QVERIFY2(outcome.err.contains("Rank 1 failed first: E: early"), outcome.err.constData());
    QCOMPARE(outcome.code, 4);
    QCOMPARE(ctl({u"wait"_s, u"last"_s}).code, 4);
}

/// Rank 0 is seen first, and says that it waited for rank 1, which has failed with an error of its own.
void StartProcessesRunTest::theCodeIsThatOfTheRankThatTheVerdictNames()
{
    const Outcome outcome = ctl(
        launch(u"--nproc 2 --grace 20"_s,
               "if [ $RANK = 0 ]; then\n"
               "  echo 'RuntimeError: HCCL allreduce failed: EI0002 notify wait timeout, remote rank 1' >&2\n"
               "  sleep 0.2; exit 5\n"
               "fi\n"
               "trap 'echo \"ValueError: bad\" >&2; exit 6' TERM\n"
               "echo 'Traceback (most recent call last):' >&2; echo 'ValueError: bad value' >&2\n"
               "while :; do sleep 0.05; done"));
    const Outcome report = ctl({u"report"_s, u"last"_s, u"--json"_s});
    const Json told = Json::parse(report.out.toStdString(), nullptr, false);
    QCOMPARE(textOf(told["root_rank"]), textOf(1));
    QVERIFY2(outcome.code == 6, outcome.err.constData());
}

void StartProcessesRunTest::variablesOfTorchrunAreItsOptions()
{
    qputenv("PET_NPROC_PER_NODE", "3");
    const Outcome three = ctl(launch({}, "echo $WORLD_SIZE"));
    const Outcome two = ctl(launch(u"--nproc 2"_s, "echo $WORLD_SIZE"));
    qputenv("PET_NNODES", "2:20:30");
    const Outcome wrong = ctl(launch({}, "true"));
    qunsetenv("PET_NPROC_PER_NODE");
    qunsetenv("PET_NNODES");
    QCOMPARE(linesOf(three.out).size(), 3);
    QVERIFY2(three.err.contains("as torchrun does: PET_NPROC_PER_NODE"), three.err.constData());
    QCOMPARE(linesOf(two.out).size(), 2);
    verifyOneSentence(wrong, "PET_NNODES");
}

void StartProcessesRunTest::aStandaloneLaunchFindsAPort()
{
    // What torchrun would use is taken.
    const auto port = [] {
        const Outcome outcome = ctl(launch(u"--redirects 0"_s, "echo $MASTER_ADDR $MASTER_PORT"));
        return outcome.out.split(' ').value(1).toInt();
    };
    const int first = port();
    QVERIFY(first > 0);
    QVERIFY(first != 29500);
}

void StartProcessesRunTest::ranksAreCounted()
{
    qputenv("ASCEND_RT_VISIBLE_DEVICES", "0,1,2");
    const Outcome npus = ctl({u"plan"_s, u"processes"_s, u"--json"_s, u"--nproc=auto"_s, u"--"_s, u"true"_s});
    qunsetenv("ASCEND_RT_VISIBLE_DEVICES");
    QCOMPARE(Json::parse(npus.out.toStdString())["processes"].size(), std::size_t(3));
    const Outcome cpus = ctl({u"plan"_s, u"processes"_s, u"--json"_s, u"--nproc=cpu"_s, u"--"_s, u"true"_s});
    QCOMPARE(Json::parse(cpus.out.toStdString())["processes"].size(),
             std::size_t(sysconf(_SC_NPROCESSORS_ONLN)));
}

void StartProcessesRunTest::consoleAloneIsOneOption()
{
    const Outcome outcome =
        ctl(launch(u"--redirects 0 --log-dir %1"_s.arg(m_home->path("out")), "echo out; echo err >&2"));
    QCOMPARE(linesOf(outcome.out).size(), 2);
    QVERIFY(QDir(m_home->path("out/0")).isEmpty());
}

void StartProcessesRunTest::prefixesAndFilterAreTorchs()
{
    qputenv("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", "[rank${rank}]: ");
    const Outcome outcome = ctl(launch(u"--nproc 3 --local-ranks-filter 2"_s, "echo x"));
    qunsetenv("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE");
    QCOMPARE(outcome.out, QByteArray("[rank2]: x\n"));
}

void StartProcessesRunTest::aSignalEndsTheRanks_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QByteArray>("handled");
    QTest::newRow("HUP") << SIGHUP << QByteArray();
    QTest::newRow("QUIT") << SIGQUIT << QByteArray();
    QTest::newRow("USR1") << SIGUSR1 << QByteArray("SIGTERM,SIGUSR1,SIGUSR2");
}

void StartProcessesRunTest::aSignalEndsTheRanks()
{
    QFETCH(int, number);
    QFETCH(QByteArray, handled);
    if (!handled.isEmpty())
        qputenv("TORCHELASTIC_SIGNALS_TO_HANDLE", handled);
    QProcess process;
    startWaiting(process);
    qunsetenv("TORCHELASTIC_SIGNALS_TO_HANDLE");
    ::kill(pid_t(process.processId()), number);
    QCOMPARE(outcomeOf(process).code, 128 + number);
    QCOMPARE(lastRun().phase, RunPhase::Stopped);
    QTRY_VERIFY(leftovers().isEmpty());
}

/// As under nohup.
void StartProcessesRunTest::aSignalThatIsIgnoredStaysSo()
{
    const auto before = signal(SIGHUP, SIG_IGN);
    QProcess process;
    startWaiting(process);
    signal(SIGHUP, before);
    ::kill(pid_t(process.processId()), SIGHUP);
    QCOMPARE(ctl({u"wait"_s, u"last"_s, u"--timeout"_s, u"0.5"_s}).code, 124);
    ::kill(pid_t(process.processId()), SIGTERM);
    QCOMPARE(outcomeOf(process).code, 128 + SIGTERM);
}

void StartProcessesRunTest::anUnknownSignalIsNamed()
{
    const Outcome outcome = ctl(launch(u"--signals-to-handle SIGTERM,SIGNONE"_s, "true"));
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("warning: SIGNONE is not a signal"), outcome.err.constData());
}

void StartProcessesRunTest::ranksEndWithACommandThatIsKilled()
{
    QProcess process;
    startWaiting(process);
    process.kill();
    QVERIFY(process.waitForFinished());
    QTRY_VERIFY_WITH_TIMEOUT(leftovers().isEmpty(), 20000);
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Stopped);
    QVERIFY(!run.notes.filter(u"The command that launched the run has ended."_s).isEmpty());
}

void StartProcessesRunTest::aDetachedRunOutlivesItsCommand()
{
    QProcess process;
    startWaiting(process, u"--detach"_s);
    QTRY_COMPARE(process.state(), QProcess::NotRunning);
    QCOMPARE(ctl({u"wait"_s, u"last"_s, u"--timeout"_s, u"0.5"_s}).code, 124);
    // A command that only watches takes nothing with it.
    QProcess watching;
    watching.start(buildPath("bin/rankdeckctl"), {u"attach"_s, u"last"_s});
    QTRY_VERIFY(watching.bytesAvailable() > 0);
    watching.kill();
    QVERIFY(watching.waitForFinished());
    QCOMPARE(ctl({u"wait"_s, u"last"_s, u"--timeout"_s, u"0.5"_s}).code, 124);
    QCOMPARE(ctl({u"stop"_s, u"last"_s}).code, 0);
}

void StartProcessesRunTest::anInnerLauncherPassesTheCauseUp()
{
    write("f.py", "def f():\n    raise ValueError('inside')\n");
    const QString inner = write(
        "inner.json", R"({"standalone": true, "entrypoint": "f:f", "args": {"0": []}, "name": "inner"})");
    const QByteArray command = buildPath("bin/rankdeckctl processes ").toUtf8() + inner.toUtf8();
    const QString logs = m_home->path("outer");
    const QString folder = m_home->path();
    const Outcome outcome =
        ctl(launch(u"--name outer --log-dir %1 --work-dir %2"_s.arg(logs, folder), command));
    QCOMPARE(outcome.code, 1);
    const Json file = Json::parse(fileText(logs + u"/0/error.json"_s).toStdString(), nullptr, false);
    QVERIFY(file.is_object());
    QCOMPARE(textOf(file["message"]["message"]), textOf("ValueError: inside"));
    QCOMPARE(textOf(file["message"]["errorCode"]), textOf(1));
    QVERIFY2(outcome.err.contains("Rank 0 failed first: ValueError: inside"), outcome.err.constData());
}

} // namespace tst_startprocessesrun

RANKDECK_TEST(tst_startprocessesrun, StartProcessesRunTest)
#include "tst_startprocessesrun.moc"
