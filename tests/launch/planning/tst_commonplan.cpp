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
    void recordersAreCalledAsTheTorchThatIsThereDoes_data();
    void recordersAreCalledAsTheTorchThatIsThereDoes();
    void whatTheUserSaysOfTheRecordersIsKept();
    void torchIsFoundWhereThePythonOfTheLaunchIs();
    void torchOfAnotherRootIsThatRoots();
    void aWrongListOfVisibleDevicesIsRefusedWhereverItStands_data();
    void aWrongListOfVisibleDevicesIsRefusedWhereverItStands();

private:
    static LaunchSpec spec(int nproc = 2)
    {
        LaunchSpec spec = processesDefaults();
        spec.command = QStringList{u"python3"_s, u"train.py"_s};
        spec.processes.nproc = nproc;
        return spec;
    }
    static HostFacts facts()
    {
        HostFacts facts;
        facts.hostName = u"box"_s;
        facts.currentDirectory = u"/w"_s;
        facts.cpus = {0, 1, 2, 3};
        facts.environment.insert(u"PATH"_s, u"/bin"_s);
        facts.condaEnvironments = {{u"base"_s, u"/conda"_s, {}},
                                   {u"ms"_s, u"/conda/envs/ms"_s, {u"python3"_s}}};
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
    host.addresses = {u"127.0.0.1"_s};
    const auto spec = launcherCommandLine(launcher)->parse(options.split(' '_L1));
    QVERIFY2(spec, qPrintable(spec.error().sentence()));
    const auto made = plan(*spec, host);
    QVERIFY2(made, qPrintable(made.error().sentence()));
    compareWithGolden(*made, QString::fromUtf8(QTest::currentDataTag()));
}

void CommonPlanTest::variablesWinInOrder()
{
    LaunchSpec wanted = spec();
    const QString name = u"A"_s;
    wanted.common.envFiles = {u"one"_s, u"two"_s};
    HostFacts host = facts();
    host.environment.insert(name, u"inherited"_s);
    host.envFiles = {{u"one"_s, {{name, u"first file"_s}}}, {u"two"_s, {{name, u"second file"_s}}}};
    QCOMPARE(variable(plan(wanted, host), 0, "A"), u"second file"_s);
    wanted.environment.insert(name, u"option"_s);
    QCOMPARE(variable(plan(wanted, host), 0, "A"), u"option"_s);
    wanted.common.rankEnvironment[1].insert(name, u"rank's"_s);
    QCOMPARE(variable(plan(wanted, host), 0, "A"), u"option"_s);
    QCOMPARE(variable(plan(wanted, host), 1, "A"), u"rank's"_s);
}

void CommonPlanTest::aVariableThatIsTakenAwayReachesNoProcess()
{
    LaunchSpec wanted = spec();
    wanted.common.unsetVariables = {u"HOME"_s, u"MASTER_PORT"_s, u"KEPT"_s};
    wanted.common.rankEnvironment[1].insert(u"KEPT"_s, u"1"_s);
    const auto made = plan(wanted, facts());
    QVERIFY2(made, qPrintable(made.error().sentence()));
    for (const ProcessPlan &process : made->processes) {
        QVERIFY(process.removeVariables.contains(u"HOME"_s));
        QVERIFY(!process.setVariables.contains(u"MASTER_PORT"_s));
        QCOMPARE(process.removeVariables.contains(u"KEPT"_s), process.rank.value == 0);
    }
    QCOMPARE(variable(made, 1, "KEPT"), u"1"_s);
}

void CommonPlanTest::aRankThatTheLaunchDoesNotHaveIsNamed()
{
    LaunchSpec wanted = spec();
    wanted.processes.nnodes = 2;
    wanted.common.rankEnvironment[3].insert(u"A"_s, u"another node's"_s);
    QVERIFY(plan(wanted, facts()));
    wanted.common.rankEnvironment[4].insert(u"A"_s, u"nobody's"_s);
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, u"--rank-env"_s);
    QVERIFY(made.error().what.contains(u"rank 4"_s));
}

void CommonPlanTest::condaComesFirstInThePaths()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = u"ms"_s;
    wanted.common.rankEnvironment[1].insert(u"LD_LIBRARY_PATH"_s, u"/driver"_s);
    const auto made = plan(wanted, facts());
    QVERIFY2(made, qPrintable(made.error().sentence()));
    QCOMPARE(variable(made, 0, "PATH"), u"/conda/envs/ms/bin:/bin"_s);
    QCOMPARE(variable(made, 0, "LD_LIBRARY_PATH"), u"/conda/envs/ms/lib"_s);
    QCOMPARE(variable(made, 1, "LD_LIBRARY_PATH"), u"/conda/envs/ms/lib:/driver"_s);
    QCOMPARE(variable(made, 0, "CONDA_PREFIX"), u"/conda/envs/ms"_s);
    QVERIFY(textsOf(made->notes).filter(u"conda"_s).isEmpty());
}

void CommonPlanTest::theInterpreterIsTheEnvironments()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = u"/conda/envs/ms"_s;
    QCOMPARE(plan(wanted, facts())->processes.front().argv.first(), u"/conda/envs/ms/bin/python3"_s);
    wanted.command = QStringList{u"/usr/bin/python3"_s};
    QCOMPARE(plan(wanted, facts())->processes.front().argv.first(), u"/usr/bin/python3"_s);
}

void CommonPlanTest::anEnvironmentWithoutPythonIsRefused()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = u"base"_s;
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, u"--conda-env"_s);
    wanted.command = QStringList{u"./train"_s};
    QVERIFY(plan(wanted, facts()));
}

void CommonPlanTest::thePlatformsDefaultEnvironmentIsTakenAndTold()
{
    HostFacts host = facts();
    host.environment.insert(u"DEFAULT_CONDA_ENV_NAME"_s, u"ms"_s);
    LaunchSpec wanted = spec();
    QVERIFY(!variable(plan(wanted, host), 0, "PATH").contains(u"conda"_s));
    host.environment.insert(u"ANACONDA_DIR"_s, u"/conda"_s);
    const auto made = plan(wanted, host);
    QVERIFY(variable(made, 0, "PATH").startsWith(u"/conda/envs/ms/bin:"_s));
    QCOMPARE(textsOf(made->notes).filter(u"DEFAULT_CONDA_ENV_NAME"_s).size(), 1);
    wanted.common.unsetVariables = {u"DEFAULT_CONDA_ENV_NAME"_s};
    QVERIFY(!variable(plan(wanted, host), 0, "PATH").contains(u"conda"_s));
}

void CommonPlanTest::anUnknownEnvironmentListsTheOthers()
{
    LaunchSpec wanted = spec();
    wanted.common.condaEnv = u"pytorch"_s;
    const auto made = plan(wanted, facts());
    QVERIFY(!made);
    QCOMPARE(made.error().where, u"--conda-env"_s);
    QVERIFY(made.error().mend.contains(u"base (/conda), ms (/conda/envs/ms)"_s));
}

void CommonPlanTest::ranksAreBoundToCpus()
{
    LaunchSpec wanted = spec();
    wanted.common.bindCore = u"True"_s;
    auto made = plan(wanted, facts());
    QCOMPARE(made->processes.at(1).cpus, QList<int>({2, 3}));
    wanted.common.bindCore = u"{\"device1\":[\"1-2\"]}"_s;
    made = plan(wanted, facts());
    QVERIFY(made->processes.at(0).cpus.isEmpty());
    QCOMPARE(made->processes.at(1).cpus, QList<int>({1, 2}));
    QCOMPARE(textsOf(made->notes).filter(u"--bind-core"_s).size(), 1);
    wanted.common.bindCore = u"{\"device1\":[\"1-9\"]}"_s;
    QCOMPARE(plan(wanted, facts()).error().where, u"--bind-core"_s);
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
    QCOMPARE(plan(wanted, facts()).error().where, u"--nice"_s);
}

void CommonPlanTest::terminalsAreForTheRanksThatAreNamed()
{
    const QString term = u"TERM"_s;
    LaunchSpec wanted = spec();
    QVERIFY(!plan(wanted, facts())->processes.front().hasTerminal);
    wanted.common.terminals = u"1"_s;
    const auto one = plan(wanted, facts());
    QVERIFY(one);
    for (const ProcessPlan &process : one->processes) {
        const bool isNamed = process.rank.value == 1;
        QCOMPARE(process.hasTerminal, isNamed);
        QCOMPARE(process.setVariables.value(term), isNamed ? u"xterm-256color"_s : QString());
        // One stream cannot go to two files.
        QVERIFY(!isNamed || process.stderrFile.isEmpty());
    }
    wanted.common.terminals = u"all"_s;
    wanted.environment.insert(term, u"dumb"_s);
    const auto all = plan(wanted, facts());
    QVERIFY(all);
    for (const ProcessPlan &process : all->processes) {
        QVERIFY(process.hasTerminal);
        QCOMPARE(process.setVariables.value(term), u"dumb"_s);
    }
    for (const char *wrong : {"some", "", "0-", "99"}) {
        wanted.common.terminals = QString::fromLatin1(wrong);
        QCOMPARE(plan(wanted, facts()).error().where, u"--tty"_s);
    }
}

void CommonPlanTest::timeoutsOfTheSessionAreToldOf()
{
    using Whom = WaitingTimeout::Whom;
    LaunchSpec asked = spec();
    QVERIFY(plan(asked, facts())->timeouts.empty()); // Nobody is debugged.
    asked.common.terminals = u"1"_s;
    asked.environment.insert(u"HCCL_EXEC_TIMEOUT"_s, u"600"_s);
    HostFacts host = facts();
    host.environment.insert(u"HCCL_CONNECT_TIMEOUT"_s, u"0"_s);
    host.environment.insert(u"ACL_DEVICE_SYNC_TIMEOUT"_s, u"soon"_s);
    const auto planned = plan(asked, host);
    QVERIFY(planned);
    const std::vector<WaitingTimeout> expected{{u"HCCL_EXEC_TIMEOUT"_s, 600, Whom::InCollective},
                                               {u"HCCL_EVENT_TIMEOUT"_s, 1868, Whom::InCollective}};
    QVERIFY(planned->timeouts == expected);
    QVERIFY2(textsOf(planned->notes)
                 .constLast()
                 .contains(u"give up after HCCL_EXEC_TIMEOUT (600 s) in a collective, HCCL_EVENT_TIMEOUT"_s),
             qPrintable(textsOf(planned->notes).constLast()));
    QVERIFY2(textsOf(planned->notes)
                 .constLast()
                 .endsWith(u"launch with --env HCCL_EXEC_TIMEOUT=17340 --env HCCL_EVENT_TIMEOUT=17400."_s),
             qPrintable(textsOf(planned->notes).constLast()));
    const auto again = launchPlanFromJson(toJson(*planned));
    QVERIFY(again && again->timeouts == expected);
    // One rank keeps nobody waiting.
    LaunchSpec alone = spec(1);
    alone.common.terminals = u"all"_s;
    QVERIFY(plan(alone, facts())->timeouts.empty());
}

void CommonPlanTest::aWrongPatternForPromptsIsRefused_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("problem");
    QTest::newRow("no pattern") << u"("_s << u"is not a regular expression"_s;
    QTest::newRow("matches nothing") << u"x*"_s << u"matches an empty line"_s;
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
    asked.common.promptPattern = u"\\(mydbg\\) "_s;
    QCOMPARE(plan(asked, facts())->promptPattern, asked.common.promptPattern);
}

void CommonPlanTest::wrappersStandBeforeTheCommand()
{
    LaunchSpec wanted = spec();
    const QStringList own = plan(wanted, facts())->processes.front().argv;
    wanted.common.wrappers = {u"0:gdb"_s, u"1:strace -o \"{output} {rank}\" -f"_s};
    const auto wrapped = plan(wanted, facts());
    QVERIFY2(wrapped, qPrintable(wrapped.error().sentence()));
    const ProcessPlan &debugged = wrapped->processes[0];
    QCOMPARE(debugged.argv, (QStringList{u"gdb"_s, u"--args"_s} + own));
    QCOMPARE(debugged.ownCommand(), own);
    QVERIFY(debugged.hasTerminal);
    const ProcessPlan &traced = wrapped->processes[1];
    QCOMPARE(traced.argv.mid(0, 4), (QStringList{u"strace"_s, u"-o"_s, u"{run}/wrap/rank-1 1"_s, u"-f"_s}));
    QVERIFY(!traced.hasTerminal);
    QVERIFY(traced.makeDirectories.contains(u"{run}/wrap"_s));
    QVERIFY(textsOf(wrapped->notes).contains(u"Rank 0 gets a terminal, which its wrapper needs."_s));
    const LaunchPlan placed = withRunDirectory(*wrapped, u"/runs/a"_s);
    QCOMPARE(placed.processes[1].argv[2], u"/runs/a/wrap/rank-1 1"_s);
    QCOMPARE(*launchPlanFromJson(toJson(CompactPlan{*wrapped})), *wrapped);
}

void CommonPlanTest::wrongWrappersAreRefused()
{
    LaunchSpec wanted = spec();
    for (const char *wrong : {"gdb", "0:", "0: ", ":gdb", "x:gdb", "99:gdb", "0:'gdb", "0:''"}) {
        wanted.common.wrappers = {QLatin1String(wrong)};
        const auto refused = plan(wanted, facts());
        QVERIFY2(!refused, wrong);
        QCOMPARE(refused.error().where, u"--wrap"_s);
    }
    wanted.common.wrappers = {u"all:gdb"_s, u"1:strace"_s};
    QVERIFY(plan(wanted, facts()).error().sentence().contains(u"rank 1 has two wrappers"_s));
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
    QVERIFY(!hasRecorders(planned(u"auto"_s)));
    QVERIFY(hasRecorders(planned(u"on"_s)));
    here.torch = u"2.9.0"_s;
    QVERIFY(!hasRecorders(planned(u"off"_s)));
    const LaunchPlan plan = planned(u"auto"_s);
    QVERIFY(hasRecorders(plan));
    const auto &set = plan.processes[1].setVariables;
    QCOMPARE(set[u"TORCH_HCCL_TRACE_BUFFER_SIZE"_s], u"2000"_s);
    QCOMPARE(set[u"TORCH_HCCL_HEARTBEAT_TIMEOUT_SEC"_s], u"1800"_s);
    for (auto its = set.cbegin(); its != set.cend(); ++its)
        QVERIFY2(!its->contains(u"/tmp"_s), qPrintable(its.key()));

    const auto prefixes = recorderPrefixes(withRunDirectory(plan, u"/r"_s), plan.thisNode, {});
    QCOMPARE(prefixes.size(), std::size_t(2));
    QCOMPARE(prefixes[0].pipe, u"/r/flight-recorder/hccl_trace_rank_"_s);
    QCOMPARE(prefixes[0].dump, prefixes[0].pipe);
    QCOMPARE(recorderFolder(u"/r"_s, plan, 0), u"/r/flight-recorder"_s);

    // Each attempt has a folder of its own.
    LaunchSpec restarted = spec();
    restarted.processes.maxRestarts = 2;
    const LaunchPlan second = forAttempt(planNode(restarted, {}, {}, here).value(), 1);
    QCOMPARE(second.processes[0].setVariables[u"TORCH_FR_DUMP_TEMP_FILE"_s],
             u"{run}/flight-recorder/attempt_1/comm_lib_trace_rank_"_s);
    QCOMPARE(recorderFolder(u"/r"_s, second, 1), u"/r/flight-recorder/attempt_1"_s);
}

void CommonPlanTest::recordersAreCalledAsTheTorchThatIsThereDoes_data()
{
    QTest::addColumn<QString>("torch");
    QTest::addColumn<QStringList>("names");
    const QStringList old{u"TORCH_NCCL_TRACE_BUFFER_SIZE"_s, u"TORCH_NCCL_DEBUG_INFO_TEMP_FILE"_s};
    const QStringList renamed{u"TORCH_FR_BUFFER_SIZE"_s, u"TORCH_FR_DUMP_TEMP_FILE"_s};
    const QString oldAtTimeout = u"TORCH_NCCL_DUMP_ON_TIMEOUT"_s;
    const QString renamedAtTimeout = u"TORCH_FR_DUMP_ON_TIMEOUT"_s;
    QTest::newRow("2.7") << u"2.7.1"_s << old + QStringList{oldAtTimeout};
    QTest::newRow("2.8") << u"2.8"_s << renamed + QStringList{oldAtTimeout};
    QTest::newRow("2.14") << u"2.14.1"_s << renamed + QStringList{oldAtTimeout};
    QTest::newRow("2.15") << u"2.15.0"_s << renamed + QStringList{renamedAtTimeout};
    QTest::newRow("not known") << u"0"_s << old + renamed + QStringList{oldAtTimeout, renamedAtTimeout};
}

void CommonPlanTest::recordersAreCalledAsTheTorchThatIsThereDoes()
{
    QFETCH(QString, torch);
    QFETCH(QStringList, names);
    HostFacts here = facts();
    here.torch = torch;
    LaunchSpec wanted = spec();
    wanted.common.flightRecorder = u"auto"_s;
    const LaunchPlan plan = planNode(wanted, {}, {}, here).value();
    QStringList found;
    for (const QString &name : plan.processes[1].setVariables.keys()) {
        if (name.contains("TRACE_BUFFER"_L1) || name.startsWith("TORCH_FR_"_L1) ||
            name.contains("INFO_TEMP"_L1) || name.contains("DUMP_ON"_L1))
            found << name;
    }
    found.removeIf([](const QString &name) { return name.startsWith("TORCH_HCCL_"_L1); });
    names.sort();
    QCOMPARE(found, names);
    // A dump is awaited where the pipe's recorder writes it.
    const auto prefixes = recorderPrefixes(withRunDirectory(plan, u"/r"_s), plan.thisNode, {});
    QCOMPARE(prefixes.size(), std::size_t(2));
    QCOMPARE(prefixes[1].dump, u"/r/flight-recorder/comm_lib_trace_rank_"_s);
}

void CommonPlanTest::whatTheUserSaysOfTheRecordersIsKept()
{
    HostFacts here = facts();
    here.torch = u"0"_s;
    here.environment.insert(u"TORCH_HCCL_TRACE_BUFFER_SIZE"_s, u"50"_s);
    LaunchSpec wanted = spec();
    wanted.environment.insert(u"TORCH_HCCL_DEBUG_INFO_PIPE_FILE"_s, u"/mine_"_s);
    wanted.common.unsetVariables << u"TORCH_FR_BUFFER_SIZE"_s;
    const LaunchPlan plan = planNode(wanted, {}, {}, here).value();
    const auto &set = plan.processes[0].setVariables;
    QVERIFY(!set.contains(u"TORCH_HCCL_TRACE_BUFFER_SIZE"_s));
    QVERIFY(!set.contains(u"TORCH_FR_BUFFER_SIZE"_s));
    QCOMPARE(set[u"TORCH_HCCL_DEBUG_INFO_PIPE_FILE"_s], u"/mine_"_s);
    QVERIFY2(textsOf(plan.notes)
                 .contains(u"The flight recorder keeps variables that are already set: "
                           "TORCH_HCCL_DEBUG_INFO_PIPE_FILE=/mine_, "
                           "TORCH_HCCL_TRACE_BUFFER_SIZE=50."_s),
             qPrintable(textsOf(plan.notes).join('\n'_L1)));
    const auto prefixes = recorderPrefixes(withRunDirectory(plan, u"/r"_s), plan.thisNode, here.environment);
    QCOMPARE(prefixes.at(0).pipe, u"/mine_"_s);

    wanted.common.flightRecorder = u"perhaps"_s;
    const auto refused = planNode(wanted, {}, {}, here);
    QVERIFY(!refused);
    QCOMPARE(refused.error().where, u"--flight-recorder"_s);
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
    const QString with = makeProgram(u"with/bin/python"_s);
    const QString without = makeProgram(u"without/bin/python"_s);
    QVERIFY(QDir().mkpath(folder.filePath(u"with/lib/python3.11/site-packages/torch_npu"_s)));
    QProcessEnvironment environment;
    environment.insert(u"HOME"_s, folder.path());
    environment.insert(u"PATH"_s, folder.filePath(u"without/bin"_s));
    LaunchSpec wanted = spec();
    wanted.command = QStringList{u"train.py"_s};
    QCOMPARE(installedTorch(wanted, with, environment), u"0"_s);
    QCOMPARE(installedTorch(wanted, without, environment), QString());
    wanted.command = QStringList{with, u"train.py"_s};
    QCOMPARE(installedTorch(wanted, {}, environment), u"0"_s);

    // A virtual environment that shares the modules of what it is made from.
    const QString shared = makeProgram(u"shared/bin/python"_s);
    QFile configuration(folder.filePath(u"shared/pyvenv.cfg"_s));
    QVERIFY(configuration.open(QIODevice::WriteOnly));
    configuration.write("home = " + folder.filePath(u"with/bin"_s).toUtf8() +
                        "\ninclude-system-site-packages = true\n");
    configuration.close();
    wanted.command = QStringList{u"train.py"_s};
    QCOMPARE(installedTorch(wanted, shared, environment), u"0"_s);

    environment.insert(u"PYTHONPATH"_s, folder.filePath(u"with/lib/python3.11/site-packages"_s));
    QCOMPARE(installedTorch(wanted, without, environment), u"0"_s);
    for (const char *name : {"torch", "torch-2.9.1+cpu.dist-info", "torch_npu-2.9.0.dist-info"})
        QVERIFY(
            QDir().mkpath(folder.filePath(u"with/lib/python3.11/site-packages/"_s + QLatin1String(name))));
    QCOMPARE(installedTorch(wanted, without, environment), u"2.9.1"_s);
    // Which of two Python takes is not known.
    for (const char *name : {"torch", "torch-2.6.0.dist-info"})
        QVERIFY(
            QDir().mkpath(folder.filePath(u"without/lib/python3.11/site-packages/"_s + QLatin1String(name))));
    QCOMPARE(installedTorch(wanted, without, environment), u"0"_s);
}

/// The host's torch says nothing of a rank in another root.
void CommonPlanTest::torchOfAnotherRootIsThatRoots()
{
    const QTemporaryDir folder;
    const auto install = [&](const QString &modules, const char *torch) {
        return QDir().mkpath(folder.filePath(modules + u"/torch"_s)) &&
               QDir().mkpath(folder.filePath(modules + '/'_L1 + QLatin1String(torch)));
    };
    QVERIFY(install(u"host"_s, "torch-2.6.0.dist-info"));
    QProcessEnvironment environment;
    environment.insert(u"PYTHONPATH"_s, folder.filePath(u"host"_s));
    environment.insert(u"PATH"_s, u"/nonexistent"_s);
    const auto torchOf = [&](const QStringList &command) {
        LaunchSpec wanted = spec();
        wanted.command = command;
        return installedTorch(wanted, {}, environment);
    };
    QCOMPARE(torchOf({u"python3"_s, u"train.py"_s}), u"2.6.0"_s);
    QCOMPARE(torchOf({u"podman"_s, u"exec"_s, u"box"_s, u"python3"_s}), u"0"_s);
    QCOMPARE(torchOf({u"/usr/bin/docker"_s, u"exec"_s, u"box"_s, u"python3"_s}), u"0"_s);
    const QString root = folder.filePath(u"root"_s);
    const QStringList enter{u"chroot"_s, u"--userspec=1:1"_s, root, u"python3"_s, u"train.py"_s};
    QCOMPARE(torchOf(enter), u"0"_s); // It is not there to be read.
    QVERIFY(QDir().mkpath(root));
    QCOMPARE(torchOf(enter), QString());
    QVERIFY(install(u"root/usr/lib/python3/dist-packages"_s, "torch-2.14.1.dist-info"));
    QCOMPARE(torchOf(enter), u"2.14.1"_s);
    QCOMPARE(torchOf({u"chroot"_s}), u"2.6.0"_s);
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
    const QString name = u"ASCEND_RT_VISIBLE_DEVICES"_s;
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
