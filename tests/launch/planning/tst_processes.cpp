#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/planning/planners.h"
#include "launch/spec/launchspec.h"
#include "support/goldenplan.h"
#include "support/testmain.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_processes
{

using namespace rankdeck;

class ProcessesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansAreAsRecorded_data();
    void plansAreAsRecorded();
    void theFlatFormIsStartProcesses();
    void theFlatFormIsRefusedInItsOwnWords_data();
    void theFlatFormIsRefusedInItsOwnWords();
    void noRankTableIsNeeded();
    void ranksCountOnFromThePreviousNodes();
    void threadsAreOneOnlyWhereNobodySaid();
    void theLocalRankStandsInArguments();
    void aRanksOwnVariablesWin();
    void theErrorFileIsAlwaysRankdecks();
    void streamsThatAreNotRedirectedGoToTheRunDirectory();
    void wrongUseIsRefused_data();
    void wrongUseIsRefused();

private:
    static HostFacts facts()
    {
        HostFacts facts;
        facts.hostName = u"box"_s;
        facts.currentDirectory = u"/home/user"_s;
        return facts;
    }
    static Result<LaunchPlan> planOf(const QString &line, const HostFacts &host = facts())
    {
        const auto spec = launcherCommandLine(u"processes"_s)->parse(line.split(' '_L1));
        return spec ? planProcesses(*spec, host) : Result<LaunchPlan>(spec.error());
    }
    static LaunchPlan made(const QString &line, const HostFacts &host = facts())
    {
        const auto plan = planOf(line, host);
        if (!plan)
            qWarning("%s", qPrintable(plan.error().sentence()));
        return plan ? *plan : LaunchPlan();
    }
};

void ProcessesTest::plansAreAsRecorded_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("processes_two_ranks") << "--nproc 2 -- python3 train.py --rank ${local_rank}";
    QTest::newRow("processes_second_node")
        << "--nproc 2 --nnodes 2 --node-rank 1 --master-addr 10.0.0.1 --master-port 29501 --role trainer "
           "--redirects 0:1,1:2 --tee 1:2 --log-dir log --grace 5 --name lesson --env K=v -- ./train";
    QTest::newRow("processes_restarts")
        << "--nproc 2 --nnodes 2 --max-restarts 3 --redirects 0:3,1:2 --log-dir log -- ./train";
}

void ProcessesTest::plansAreAsRecorded()
{
    QFETCH(QString, line);
    compareWithGolden(made(line), QString::fromUtf8(QTest::currentDataTag()));
}

void ProcessesTest::theFlatFormIsStartProcesses()
{
    const auto flat = processesSpecFromJson(
        R"({"name": "trainer", "entrypoint": ["python3", "train.py"], "log_dir": "out", "redirects": {"1": 2},
            "tee": "1", "args": {"0": ["--lr", 0.5, true], "1": []},
            "envs": {"0": {"SEED": "1"}, "1": {}}, "grace": 7})");
    QVERIFY2(flat, qPrintable(flat.error().sentence()));
    const auto nested = processesSpecFromJson(
        R"({"name": "trainer", "command": ["python3", "train.py"], "log_dir": "out", "grace": 7,
            "processes": {"redirects": {"1": 2}, "tee": "1", "args": {"0": ["--lr", "0.5", "True"], "1": []},
                          "envs": {"0": {"SEED": "1"}, "1": {}}}})");
    QVERIFY(nested);
    QCOMPARE(*flat, *nested);
    const auto program = processesSpecFromJson(R"({"entrypoint": "./a b", "args": {"0": ["x"]}})");
    QVERIFY(program);
    QCOMPARE(program->command, QStringList{u"./a b"_s});
    const auto plan = planProcesses(*flat, facts());
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    compareWithGolden(*plan, u"processes_flat_form"_s);
}

void ProcessesTest::theFlatFormIsRefusedInItsOwnWords_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    const auto row = [](const char *text, const char *where) {
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(where);
    };
    row(R"({"entrypoint": "x", "command": ["x"]})", "command");
    row(R"({"entrypoint": "x", "processes": {}})", "processes");
    row(R"({"entrypoint": 3})", "entrypoint");
    row(R"({"entrypoint": {"a": 1}})", "entrypoint");
    row(R"({"entrypoint": "x", "args": {"0": "no list"}})", "args");
    row(R"({"entrypoint": "x", "args": ["no map"]})", "args");
    row(R"({"entrypoint": "x", "args": {"zero": []}})", "args.zero");
    row(R"({"entrypoint": "x", "tee": 9})", "tee");
    row(R"({"entrypoint": "x", "start_method": "thread"})", "start_method");
}

void ProcessesTest::theFlatFormIsRefusedInItsOwnWords()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    const auto spec = processesSpecFromJson(text);
    QVERIFY(!spec);
    QCOMPARE(spec.error().where, where);
}

void ProcessesTest::noRankTableIsNeeded()
{
    LaunchSpec spec = processesDefaults();
    spec.command = QStringList{u"x"_s};
    QVERIFY(!needsRankTable(spec));
    const auto plan = planLaunch(spec, {}, {}, facts());
    QVERIFY(plan);
    QCOMPARE(plan->worldSize(), 1);
    QVERIFY(plan->rankTable.servers.empty());
}

void ProcessesTest::ranksCountOnFromThePreviousNodes()
{
    const LaunchPlan plan = made(u"--nproc 3 --nnodes 2 --node-rank 1 -- x"_s);
    QCOMPARE(plan.worldSize(), 6);
    QCOMPARE(plan.processes.size(), size_t(3));
    QCOMPARE(plan.processes[2].rank, Rank(5));
    QCOMPARE(plan.processes[2].localRank, LocalRank(2));
    QCOMPARE(plan.processes[2].setVariables.value(u"RANK"_s), u"5"_s);
    QCOMPARE(plan.processes[2].label(), u"proc-rank-5"_s);
}

void ProcessesTest::threadsAreOneOnlyWhereNobodySaid()
{
    const QString name = u"OMP_NUM_THREADS"_s;
    const LaunchPlan two = made(u"--nproc 2 -- x"_s);
    QCOMPARE(two.processes[0].setVariables.value(name), u"1"_s);
    QCOMPARE(two.notes.size(), 1);
    QVERIFY(!made(u"--nproc 1 -- x"_s).processes[0].setVariables.contains(name));
    HostFacts host = facts();
    host.environment.insert(name, u"4"_s);
    const LaunchPlan said = made(u"--nproc 2 -- x"_s, host);
    QVERIFY(!said.processes[0].setVariables.contains(name));
    QVERIFY(said.notes.isEmpty());
    const LaunchPlan given = made(u"--nproc 2 --env OMP_NUM_THREADS=6 -- x"_s);
    QCOMPARE(given.processes[0].setVariables.value(name), u"6"_s);
    QVERIFY(given.notes.isEmpty());
}

void ProcessesTest::theLocalRankStandsInArguments()
{
    const LaunchPlan plan = made(u"--nproc 2 -- ${local_rank} a${local_rank}b${local_rank}"_s);
    QCOMPARE(plan.processes[1].argv, (QStringList{u"${local_rank}"_s, u"a1b1"_s}));
}

void ProcessesTest::aRanksOwnVariablesWin()
{
    const auto spec = processesSpecFromJson(
        R"({"command": ["x"], "environment": {"A": "all", "B": "all"},
            "processes": {"args": {"0": ["zero"], "1": ["${local_rank}"]},
                          "envs": {"0": {}, "1": {"A": "one", "RANK": "7"}}}})");
    QVERIFY(spec);
    const auto plan = planProcesses(*spec, facts());
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const auto value = [&](size_t rank, const char *name) {
        return plan->processes[rank].setVariables.value(QLatin1String(name));
    };
    QCOMPARE(value(0, "A"), u"all"_s);
    QCOMPARE(value(1, "A"), u"one"_s);
    QCOMPARE(value(1, "B"), u"all"_s);
    QCOMPARE(value(1, "RANK"), u"7"_s);
    QCOMPARE(plan->processes[0].argv.last(), u"zero"_s);
    QCOMPARE(plan->processes[1].argv.last(), u"1"_s);
}

void ProcessesTest::theErrorFileIsAlwaysRankdecks()
{
    const LaunchPlan plan = made(u"--log-dir l --env TORCHELASTIC_ERROR_FILE=/x -- x"_s);
    QCOMPARE(plan.processes[0].setVariables.value(QLatin1String(errorFileVariable)),
             u"/home/user/l/0/error.json"_s);
    QVERIFY(plan.processes[0].makeDirectories.contains(u"/home/user/l/0"_s));
    QCOMPARE(plan.emptyDirectory, u"/home/user/l"_s);
}

void ProcessesTest::streamsThatAreNotRedirectedGoToTheRunDirectory()
{
    const auto filesOf = [](const char *redirects) {
        const LaunchPlan plan = made(u"--log-dir /l --redirects %1 -- x"_s.arg(QLatin1String(redirects)));
        const ProcessPlan &process = plan.processes.at(0);
        return QStringList{process.logFile, process.stderrFile, streamsWord(process.console)};
    };
    const QString common = u"{run}/logs/rank-0.log"_s;
    const QString out = u"/l/0/stdout.log"_s;
    const QString err = u"/l/0/stderr.log"_s;
    QCOMPARE(filesOf("0"), (QStringList{common, QString(), u"ALL"_s}));
    QCOMPARE(filesOf("1"), (QStringList{out, common, u"ERR"_s}));
    QCOMPARE(filesOf("2"), (QStringList{common, err, u"OUT"_s}));
    QCOMPARE(filesOf("3"), (QStringList{out, err, u"NONE"_s}));
}

void ProcessesTest::wrongUseIsRefused_data()
{
    QTest::addColumn<QByteArray>("processes");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const char *processes, const char *where, const char *what) {
        QTest::newRow(name) << QByteArray(processes) << QString::fromLatin1(where)
                            << QString::fromLatin1(what);
    };
    row("no rank", R"({"nproc": 0})", "--nproc", "0 is out of range");
    row("too many ranks", R"({"nproc": 100000})", "--nproc", "out of range");
    row("no node", R"({"nnodes": 0})", "--nnodes", "out of range");
    row("a node beyond the last", R"({"nnodes": 2, "node_rank": 2})", "--node-rank", "2 is out of range");
    row("a node before the first", R"({"node_rank": -1})", "--node-rank", "-1 is out of range");
    row("a port that is none", R"({"master_port": 65536})", "--master-port", "65536");
    row("restarts that run back", R"({"max_restarts": -1})", "--max-restarts", "-1 is out of range");
    row("no address", R"({"master_addr": " "})", "--master-addr", "empty");
    row("args with a gap", R"({"args": {"0": [], "2": []}})", "args",
        "local rank 1 is missing, local rank 2 does not exist");
    row("fewer args than ranks", R"({"nproc": 3, "args": {"0": []}})", "args", "local rank 1, 2 is missing");
    row("envs that differ from args", R"({"args": {"0": [], "1": []}, "envs": {"0": {}}})", "envs",
        "local rank 1 is missing");
    row("envs for too many", R"({"args": {"0": []}, "envs": {"0": {}, "1": {}}})", "envs",
        "local rank 1 does not exist");
    row("a variable without a name", R"({"envs": {"0": {"A=B": "c"}}})", "envs.0", "A=B");
    row("redirects of a rank that is none", R"({"redirects": {"1": 3}})", "redirects",
        "local rank 1 does not exist");
    row("tee of a rank that is none", R"({"tee": {"-1": 3}})", "tee", "local rank -1");
}

void ProcessesTest::wrongUseIsRefused()
{
    QFETCH(QByteArray, processes);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto spec = processesSpecFromJson(R"({"command": ["x"], "processes": )" + processes + '}');
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto plan = planProcesses(*spec, facts());
    QVERIFY(!plan);
    QCOMPARE(plan.error().where, where);
    QVERIFY2(plan.error().what.contains(what), qPrintable(plan.error().what));
}

} // namespace tst_processes

RANKDECK_TEST(tst_processes, ProcessesTest)
#include "tst_processes.moc"
