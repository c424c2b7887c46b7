#include "base/fields.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/plan/attempt.h"
#include "launch/plan/recorderfiles.h"
#include "launch/spec/launchspec.h"
#include "support/goldenplan.h"
#include "support/testmain.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_commonplan
{

using namespace rankdeck;

class CommonPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansAreAsRecorded_data();
    void plansAreAsRecorded();
    void variablesWinInOrder();
    void aVariableThatIsTakenAwayReachesNoProcess();
    void aRankThatTheLaunchDoesNotHaveIsNamed();
    void condaComesFirstInThePaths();
    void theInterpreterIsTheEnvironments();
    void anEnvironmentWithoutPythonIsRefused();
    void thePlatformsDefaultEnvironmentIsTakenAndTold();
    void anUnknownEnvironmentListsTheOthers();
    void ranksAreBoundToCpus();
    void limitsReachEveryProcess();
    void terminalsAreForTheRanksThatAreNamed();
    void timeoutsOfTheSessionAreToldOf();
    void aWrongPatternForPromptsIsRefused_data();
    void aWrongPatternForPromptsIsRefused();
    void wrappersStandBeforeTheCommand();
    void wrongWrappersAreRefused();
    void recordersAreOnWhereTorchIs();
    void whatTheUserSaysOfTheRecordersIsKept();
    void torchIsFoundWhereThePythonOfTheLaunchIs();
    void aWrongListOfVisibleDevicesIsRefusedWhereverItStands_data();
    void aWrongListOfVisibleDevicesIsRefusedWhereverItStands();

private:
    static LaunchSpec spec(int nproc = 2)
    {
        LaunchSpec spec = processesDefaults();
        spec.command = QStringList{QStringLiteral("python3"), QStringLiteral("train.py")};
        spec.processes.nproc = nproc;
        return spec;
    }
    static HostFacts facts()
    {
        HostFacts facts;
        facts.hostName = QStringLiteral("box");
        facts.currentDirectory = QStringLiteral("/w");
        facts.cpus = {0, 1, 2, 3};
        facts.environment.insert(QStringLiteral("PATH"), QStringLiteral("/bin"));
        facts.condaEnvironments = {
            {QStringLiteral("base"), QStringLiteral("/conda"), {}},
            {QStringLiteral("ms"), QStringLiteral("/conda/envs/ms"), {QStringLiteral("python3")}}};
        return facts;
    }
    static Result<LaunchPlan> plan(const LaunchSpec &spec, const HostFacts &facts)
    {
        return planLaunch(spec, {}, {}, facts);
    }
    static QString variable(const Result<LaunchPlan> &plan, int process, const char *name)
    {
        return plan->processes.at(static_cast<std::size_t>(process)).setVariables.value(QLatin1String(name));
    }
};

void CommonPlanTest::plansAreAsRecorded_data()
{
    QTest::addColumn<QString>("launcher");
    QTest::addColumn<QString>("options");
    QTest::newRow("common_processes_conda")
        << "processes"
        << "--nproc=2 --conda-env=ms --env=A=1 --rank-env=1:A=2 --unset-env=HOME python3 train.py";
    QTest::newRow("common_processes_limits")
        << "processes"
        << "--nproc=2 --bind-core=True --nice=5 --memory-limit=64G --open-files=65536 --umask=027 ./train";
    QTest::newRow("common_msrun")
        << "msrun"
        << "--worker_num=2 --local_worker_num=2 --bind_core=True --conda-env=ms "
           "--rank-env=0:GLOG_v=1 --unset-env=PYTHONPATH --nice=-1 --grace=9 python3 train.py";
}

void CommonPlanTest::plansAreAsRecorded()
{
    QFETCH(QString, launcher);
    QFETCH(QString, options);
    HostFacts host = facts();
    host.addresses = {QStringLiteral("127.0.0.1")};
    const auto spec = launcherCommandLine(launcher)->parse(options.split(QLatin1Char(' ')));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto made = plan(*spec, host);
    QVERIFY2(made, qPrintable(made.error().sentence()));
    compareWithGolden(*made, QString::fromUtf8(QTest::currentDataTag()));
}

void CommonPlanTest::variablesWinInOrder()
{
    LaunchSpec wanted = spec();
    const QString name = QStringLiteral("A");
    wanted.common.envFiles = {QStringLiteral("one"), QStringLiteral("two")};
    HostFacts host = facts();
    host.environment.insert(name, QStringLiteral("inherited"));
    host.envFiles = {{QStringLiteral("one"), {{name, QStringLiteral("first file")}}},
                     {QStringLiteral("two"), {{name, QStringLiteral("second file")}}}};
    QCOMPARE(variable(plan(wanted, host), 0, "A"), QStringLiteral("second file"));
    wanted.environment.insert(name, QStringLiteral("option"));
    QCOMPARE(variable(plan(wanted, host), 0, "A"), QStringLiteral("option"));
    wanted.common.rankEnvironment[1].insert(name, QStringLiteral("rank's"));
    QCOMPARE(variable(plan(wanted, host), 0, "A"), QStringLiteral("option"));
    QCOMPARE(variable(plan(wanted, host), 1, "A"), QStringLiteral("rank's"));
}

void CommonPlanTest::aVariableThatIsTakenAwayReachesNoProcess()
{
    LaunchSpec wanted = spec();
    wanted.common.unsetVariables = {QStringLiteral("HOME"), QStringLiteral("MASTER_PORT"),
                                    QStringLiteral("KEPT")};
    wanted.common.rankEnvironment[1].insert(QStringLiteral("KEPT"), QStringLiteral("1"));
    const auto made = plan(wanted, facts());
    QVERIFY2(made, qPrintable(made.error().sentence()));
    for (const ProcessPlan &process : made->processes) {
        QVERIFY(process.removeVariables.contains(QStringLiteral("HOME")));
        QVERIFY(!process.setVariables.contains(QStringLiteral("MASTER_PORT")));
        QCOMPARE(process.removeVariables.contains(QStringLiteral("KEPT")), process.rank.value == 0);
    }
    QCOMPARE(variable(made, 1, "KEPT"), QStringLiteral("1"));
}

void CommonPlanTest::aRankThatTheLaunchDoesNotHaveIsNamed()
{
    LaunchSpec wanted = spec();
    wanted.processes.nnodes = 2;
    wanted.common.rankEnvironment[3].insert(QStringLiteral("A"), QStringLiteral("another node's"));
    QVERIFY(plan(wanted, facts()));
    wanted.common.rankEnvironment[4].insert(QStringLiteral("A"), QStringLiteral("nobody's"));
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, QStringLiteral("--rank-env"));
    QVERIFY(made.error().what.contains(QStringLiteral("rank 4")));
}

void CommonPlanTest::condaComesFirstInThePaths()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = QStringLiteral("ms");
    wanted.common.rankEnvironment[1].insert(QStringLiteral("LD_LIBRARY_PATH"), QStringLiteral("/driver"));
    const auto made = plan(wanted, facts());
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(variable(made, 0, "PATH"), QStringLiteral("/conda/envs/ms/bin:/bin"));
    QCOMPARE(variable(made, 0, "LD_LIBRARY_PATH"), QStringLiteral("/conda/envs/ms/lib"));
    QCOMPARE(variable(made, 1, "LD_LIBRARY_PATH"), QStringLiteral("/conda/envs/ms/lib:/driver"));
    QCOMPARE(variable(made, 0, "CONDA_PREFIX"), QStringLiteral("/conda/envs/ms"));
    QVERIFY(textsOf(made->notes).filter(QStringLiteral("conda")).isEmpty());
}

void CommonPlanTest::theInterpreterIsTheEnvironments()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = QStringLiteral("/conda/envs/ms");
    QCOMPARE(plan(wanted, facts())->processes.front().argv.first(),
             QStringLiteral("/conda/envs/ms/bin/python3"));
    wanted.command = QStringList{QStringLiteral("/usr/bin/python3")};
    QCOMPARE(plan(wanted, facts())->processes.front().argv.first(), QStringLiteral("/usr/bin/python3"));
}

void CommonPlanTest::anEnvironmentWithoutPythonIsRefused()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = QStringLiteral("base");
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, QStringLiteral("--conda-env"));
    wanted.command = QStringList{QStringLiteral("./train")};
    QVERIFY(plan(wanted, facts()));
}

void CommonPlanTest::thePlatformsDefaultEnvironmentIsTakenAndTold()
{
    HostFacts host = facts();
    host.environment.insert(QStringLiteral("DEFAULT_CONDA_ENV_NAME"), QStringLiteral("ms"));
    LaunchSpec wanted = spec();
    QVERIFY(!variable(plan(wanted, host), 0, "PATH").contains(QStringLiteral("conda")));
    host.environment.insert(QStringLiteral("ANACONDA_DIR"), QStringLiteral("/conda"));
    const auto made = plan(wanted, host);
    QVERIFY(variable(made, 0, "PATH").startsWith(QStringLiteral("/conda/envs/ms/bin:")));
    QCOMPARE(textsOf(made->notes).filter(QStringLiteral("DEFAULT_CONDA_ENV_NAME")).size(), 1);
    wanted.common.unsetVariables = {QStringLiteral("DEFAULT_CONDA_ENV_NAME")};
    QVERIFY(!variable(plan(wanted, host), 0, "PATH").contains(QStringLiteral("conda")));
}

void CommonPlanTest::anUnknownEnvironmentListsTheOthers()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = QStringLiteral("pytorch");
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, QStringLiteral("--conda-env"));
    QVERIFY(made.error().mend.contains(QStringLiteral("base (/conda), ms (/conda/envs/ms)")));
}

void CommonPlanTest::ranksAreBoundToCpus()
{
    LaunchSpec wanted = spec();
    wanted.common.bindCore = QStringLiteral("True");
    auto made = plan(wanted, facts());
    QCOMPARE(made->processes.at(1).cpus, QList<int>({2, 3}));
    wanted.common.bindCore = QStringLiteral("{\"device1\":[\"1-2\"]}");
    made = plan(wanted, facts());
    QVERIFY(made->processes.at(0).cpus.isEmpty());
    QCOMPARE(made->processes.at(1).cpus, QList<int>({1, 2}));
    QCOMPARE(textsOf(made->notes).filter(QStringLiteral("--bind-core")).size(), 1);
    wanted.common.bindCore = QStringLiteral("{\"device1\":[\"1-9\"]}");
    QCOMPARE(plan(wanted, facts()).error().where, QStringLiteral("--bind-core"));
}

void CommonPlanTest::limitsReachEveryProcess()
{
    LaunchSpec wanted = spec();
    wanted.common.nice = 5;
    wanted.common.memoryLimitMiB = 2048;
    wanted.common.openFiles = 64;
    wanted.common.umask = 0;
    const auto made = plan(wanted, facts());
    for (const ProcessPlan &process : made->processes) {
        QCOMPARE(process.nice, 5);
        QCOMPARE(process.memoryLimitMiB, 2048);
        QCOMPARE(process.openFiles, 64);
        QCOMPARE(process.umask, 0);
    }
    wanted.common.nice = 20;
    QCOMPARE(plan(wanted, facts()).error().where, QStringLiteral("--nice"));
}

void CommonPlanTest::terminalsAreForTheRanksThatAreNamed()
{
    const QString term = QStringLiteral("TERM");
    LaunchSpec wanted = spec();
    QVERIFY(!plan(wanted, facts())->processes.front().hasTerminal);
    wanted.common.terminals = QStringLiteral("1");
    const auto one = plan(wanted, facts());
    QVERIFY(one);
    for (const ProcessPlan &process : one->processes) {
        const bool isNamed = process.rank.value == 1;
        QCOMPARE(process.hasTerminal, isNamed);
        QCOMPARE(process.setVariables.value(term), isNamed ? QStringLiteral("xterm-256color") : QString());
        // One stream cannot go to two files.
        QVERIFY(!isNamed || process.stderrFile.isEmpty());
    }
    wanted.common.terminals = QStringLiteral("all");
    wanted.environment.insert(term, QStringLiteral("dumb"));
    const auto all = plan(wanted, facts());
    QVERIFY(all);
    for (const ProcessPlan &process : all->processes) {
        QVERIFY(process.hasTerminal);
        QCOMPARE(process.setVariables.value(term), QStringLiteral("dumb"));
    }
    for (const char *wrong : {"some", "", "0-", "99"}) {
        wanted.common.terminals = QString::fromLatin1(wrong);
        QCOMPARE(plan(wanted, facts()).error().where, QStringLiteral("--tty"));
    }
}

void CommonPlanTest::timeoutsOfTheSessionAreToldOf()
{
    using Whom = WaitingTimeout::Whom;
    LaunchSpec asked = spec();
    QVERIFY(plan(asked, facts())->timeouts.empty()); // Nobody is debugged.
    asked.common.terminals = QStringLiteral("1");
    asked.environment.insert(QStringLiteral("HCCL_EXEC_TIMEOUT"), QStringLiteral("600"));
    HostFacts host = facts();
    host.environment.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("0"));
    host.environment.insert(QStringLiteral("ACL_DEVICE_SYNC_TIMEOUT"), QStringLiteral("soon"));
    const auto planned = plan(asked, host);
    QVERIFY(planned);
    const std::vector<WaitingTimeout> expected{
        {QStringLiteral("HCCL_EXEC_TIMEOUT"), 600, Whom::InCollective},
        {QStringLiteral("HCCL_EVENT_TIMEOUT"), 1868, Whom::InCollective}};
    QVERIFY(planned->timeouts == expected);
    QVERIFY2(textsOf(planned->notes)
                 .constLast()
                 .contains(QStringLiteral(
                     "give up after HCCL_EXEC_TIMEOUT (600 s) in a collective, HCCL_EVENT_TIMEOUT")),
             qPrintable(textsOf(planned->notes).constLast()));
    QVERIFY2(textsOf(planned->notes)
                 .constLast()
                 .endsWith(QStringLiteral(
                     "launch with --env HCCL_EXEC_TIMEOUT=17340 --env HCCL_EVENT_TIMEOUT=17400.")),
             qPrintable(textsOf(planned->notes).constLast()));
    const auto again = launchPlanFromJson(toJson(*planned));
    QVERIFY(again && again->timeouts == expected);
    // One rank keeps nobody waiting.
    LaunchSpec alone = spec(1);
    alone.common.terminals = QStringLiteral("all");
    QVERIFY(plan(alone, facts())->timeouts.empty());
}

void CommonPlanTest::aWrongPatternForPromptsIsRefused_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("problem");
    QTest::newRow("no pattern") << QStringLiteral("(") << QStringLiteral("is not a regular expression");
    QTest::newRow("matches nothing") << QStringLiteral("x*") << QStringLiteral("matches an empty line");
}

void CommonPlanTest::aWrongPatternForPromptsIsRefused()
{
    QFETCH(QString, pattern);
    QFETCH(QString, problem);
    LaunchSpec asked = spec();
    asked.common.promptPattern = pattern;
    const auto planned = plan(asked, facts());
    QVERIFY(!planned);
    QVERIFY2(planned.error().sentence().contains(problem), qPrintable(planned.error().sentence()));
    asked.common.promptPattern = QStringLiteral("\\(mydbg\\) ");
    QCOMPARE(plan(asked, facts())->promptPattern, asked.common.promptPattern);
}

void CommonPlanTest::wrappersStandBeforeTheCommand()
{
    LaunchSpec wanted = spec();
    const QStringList own = plan(wanted, facts())->processes.front().argv;
    wanted.common.wrappers = {QStringLiteral("0:gdb"), QStringLiteral("1:strace -o \"{output} {rank}\" -f")};
    const auto wrapped = plan(wanted, facts());
    QVERIFY2(wrapped, qPrintable(wrapped.error().sentence()));
    const ProcessPlan &debugged = wrapped->processes[0];
    QCOMPARE(debugged.argv, (QStringList{QStringLiteral("gdb"), QStringLiteral("--args")} + own));
    QCOMPARE(debugged.ownCommand(), own);
    QVERIFY(debugged.hasTerminal);
    const ProcessPlan &traced = wrapped->processes[1];
    QCOMPARE(traced.argv.mid(0, 4),
             (QStringList{QStringLiteral("strace"), QStringLiteral("-o"),
                          QStringLiteral("{run}/wrap/rank-1 1"), QStringLiteral("-f")}));
    QVERIFY(!traced.hasTerminal);
    QVERIFY(traced.makeDirectories.contains(QStringLiteral("{run}/wrap")));
    QVERIFY(
        textsOf(wrapped->notes).contains(QStringLiteral("Rank 0 gets a terminal, which its wrapper needs.")));
    const LaunchPlan placed = withRunDirectory(*wrapped, QStringLiteral("/runs/a"));
    QCOMPARE(placed.processes[1].argv[2], QStringLiteral("/runs/a/wrap/rank-1 1"));
    QCOMPARE(*launchPlanFromJson(toJson(CompactPlan{*wrapped})), *wrapped);
}

void CommonPlanTest::wrongWrappersAreRefused()
{
    LaunchSpec wanted = spec();
    for (const char *wrong : {"gdb", "0:", "0: ", ":gdb", "x:gdb", "99:gdb", "0:'gdb", "0:''"}) {
        wanted.common.wrappers = {QLatin1String(wrong)};
        const auto refused = plan(wanted, facts());
        QVERIFY2(!refused, wrong);
        QCOMPARE(refused.error().where, QStringLiteral("--wrap"));
    }
    wanted.common.wrappers = {QStringLiteral("all:gdb"), QStringLiteral("1:strace")};
    QVERIFY(plan(wanted, facts()).error().sentence().contains(QStringLiteral("rank 1 has two wrappers")));
}

void CommonPlanTest::recordersAreOnWhereTorchIs()
{
    HostFacts here = facts();
    const auto planned = [&](const QString &option) {
        LaunchSpec wanted = spec();
        wanted.common.flightRecorder = option;
        wanted.common.stallAfterSeconds = 900;
        return planNode(wanted, {}, {}, here).value();
    };
    QVERIFY(!hasRecorders(planned(QStringLiteral("auto"))));
    QVERIFY(hasRecorders(planned(QStringLiteral("on"))));
    here.hasTorch = true;
    QVERIFY(!hasRecorders(planned(QStringLiteral("off"))));
    const LaunchPlan plan = planned(QStringLiteral("auto"));
    QVERIFY(hasRecorders(plan));
    const auto &set = plan.processes[1].setVariables;
    QCOMPARE(set[QStringLiteral("TORCH_HCCL_TRACE_BUFFER_SIZE")], QStringLiteral("2000"));
    QCOMPARE(set[QStringLiteral("TORCH_HCCL_HEARTBEAT_TIMEOUT_SEC")], QStringLiteral("1800"));
    for (auto its = set.cbegin(); its != set.cend(); ++its)
        QVERIFY2(!its->contains(QStringLiteral("/tmp")), qPrintable(its.key()));

    const auto prefixes = recorderPrefixes(withRunDirectory(plan, QStringLiteral("/r")), plan.thisNode, {});
    QCOMPARE(prefixes.size(), std::size_t(2));
    QCOMPARE(prefixes[0].pipe, QStringLiteral("/r/flight-recorder/hccl_trace_rank_"));
    QCOMPARE(prefixes[0].dump, prefixes[0].pipe);
    QCOMPARE(recorderFolder(QStringLiteral("/r"), plan, 0), QStringLiteral("/r/flight-recorder"));

    // Each attempt has a folder of its own.
    LaunchSpec restarted = spec();
    restarted.processes.maxRestarts = 2;
    const LaunchPlan second = forAttempt(planNode(restarted, {}, {}, here).value(), 1);
    QCOMPARE(second.processes[0].setVariables[QStringLiteral("TORCH_FR_DUMP_TEMP_FILE")],
             QStringLiteral("{run}/flight-recorder/attempt_1/comm_lib_trace_rank_"));
    QCOMPARE(recorderFolder(QStringLiteral("/r"), second, 1), QStringLiteral("/r/flight-recorder/attempt_1"));
}

void CommonPlanTest::whatTheUserSaysOfTheRecordersIsKept()
{
    HostFacts here = facts();
    here.hasTorch = true;
    here.environment.insert(QStringLiteral("TORCH_HCCL_TRACE_BUFFER_SIZE"), QStringLiteral("50"));
    LaunchSpec wanted = spec();
    wanted.environment.insert(QStringLiteral("TORCH_HCCL_DEBUG_INFO_PIPE_FILE"), QStringLiteral("/mine_"));
    wanted.common.unsetVariables << QStringLiteral("TORCH_FR_BUFFER_SIZE");
    const LaunchPlan plan = planNode(wanted, {}, {}, here).value();
    const auto &set = plan.processes[0].setVariables;
    QVERIFY(!set.contains(QStringLiteral("TORCH_HCCL_TRACE_BUFFER_SIZE")));
    QVERIFY(!set.contains(QStringLiteral("TORCH_FR_BUFFER_SIZE")));
    QCOMPARE(set[QStringLiteral("TORCH_HCCL_DEBUG_INFO_PIPE_FILE")], QStringLiteral("/mine_"));
    QVERIFY2(textsOf(plan.notes)
                 .contains(QStringLiteral("The flight recorder keeps variables that are already set: "
                                          "TORCH_HCCL_DEBUG_INFO_PIPE_FILE=/mine_, "
                                          "TORCH_HCCL_TRACE_BUFFER_SIZE=50.")),
             qPrintable(textsOf(plan.notes).join(QLatin1Char('\n'))));
    const auto prefixes =
        recorderPrefixes(withRunDirectory(plan, QStringLiteral("/r")), plan.thisNode, here.environment);
    QCOMPARE(prefixes.at(0).pipe, QStringLiteral("/mine_"));

    wanted.common.flightRecorder = QStringLiteral("perhaps");
    const auto refused = planNode(wanted, {}, {}, here);
    QVERIFY(!refused);
    QCOMPARE(refused.error().where, QStringLiteral("--flight-recorder"));
}

void CommonPlanTest::torchIsFoundWhereThePythonOfTheLaunchIs()
{
    const QTemporaryDir folder;
    const auto makeProgram = [&](const QString &name) {
        const QString path = folder.filePath(name);
        QFile file(path);
        if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
            !file.setPermissions(QFile::ReadOwner | QFile::ExeOwner))
            qFatal("no program could be made");
        return path;
    };
    const QString with = makeProgram(QStringLiteral("with/bin/python"));
    const QString without = makeProgram(QStringLiteral("without/bin/python"));
    QVERIFY(QDir().mkpath(folder.filePath(QStringLiteral("with/lib/python3.11/site-packages/torch_npu"))));
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HOME"), folder.path());
    environment.insert(QStringLiteral("PATH"), folder.filePath(QStringLiteral("without/bin")));
    LaunchSpec wanted = spec();
    wanted.command = QStringList{QStringLiteral("train.py")};
    QVERIFY(hasTorchInstalled(wanted, with, environment));
    QVERIFY(!hasTorchInstalled(wanted, without, environment));
    wanted.command = QStringList{with, QStringLiteral("train.py")};
    QVERIFY(hasTorchInstalled(wanted, {}, environment));

    // A virtual environment that shares the modules of what it is made from.
    const QString shared = makeProgram(QStringLiteral("shared/bin/python"));
    QFile configuration(folder.filePath(QStringLiteral("shared/pyvenv.cfg")));
    QVERIFY(configuration.open(QIODevice::WriteOnly));
    configuration.write("home = " + folder.filePath(QStringLiteral("with/bin")).toUtf8() +
                        "\ninclude-system-site-packages = true\n");
    configuration.close();
    wanted.command = QStringList{QStringLiteral("train.py")};
    QVERIFY(hasTorchInstalled(wanted, shared, environment));

    environment.insert(QStringLiteral("PYTHONPATH"),
                       folder.filePath(QStringLiteral("with/lib/python3.11/site-packages")));
    QVERIFY(hasTorchInstalled(wanted, without, environment));
}

void CommonPlanTest::aWrongListOfVisibleDevicesIsRefusedWhereverItStands_data()
{
    QTest::addColumn<QString>("devices");
    QTest::addColumn<bool>("isRight");
    QTest::newRow("one") << "0" << true;
    QTest::newRow("several") << "1,3,7" << true;
    QTest::newRow("none") << "" << true;
    QTest::newRow("a blank") << "1, 2,3" << false;
    QTest::newRow("a blank at the end") << "1,2 " << false;
    QTest::newRow("descending") << "3,1" << false;
    QTest::newRow("twice") << "1,1" << false;
    QTest::newRow("out of range") << "1,3,8" << false;
    QTest::newRow("a range") << "0-3" << false;
    QTest::newRow("an empty entry") << "0,,1" << false;
    QTest::newRow("a comma at the end") << "0,1," << false;
    QTest::newRow("negative") << "-1" << false;
}

void CommonPlanTest::aWrongListOfVisibleDevicesIsRefusedWhereverItStands()
{
    QFETCH(QString, devices);
    QFETCH(bool, isRight);
    const QString name = QStringLiteral("ASCEND_RT_VISIBLE_DEVICES");
    HostFacts inherited = facts();
    inherited.npuCount = 8;
    inherited.environment.insert(name, devices);
    QCOMPARE(bool(plan(spec(), inherited)), isRight);
    HostFacts host = facts();
    host.npuCount = 8;
    LaunchSpec given = spec();
    given.common.rankEnvironment[1].insert(name, devices);
    const auto made = plan(given, host);
    QCOMPARE(bool(made), isRight);
    if (!isRight)
        QCOMPARE(made.error().where, name);
}

} // namespace tst_commonplan

RANKDECK_TEST(tst_commonplan, CommonPlanTest)
#include "tst_commonplan.moc"
