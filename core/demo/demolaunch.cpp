#include "demo/demolaunch.h"

#include "base/program.h"
#include "launch/plan/launchplan.h"
#include "launch/text/commandline.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <QTcpServer>

namespace rankdeck
{

constexpr int hangStallSeconds = 15;
constexpr int stragglerStallSeconds = 20;
constexpr int leastStragglerStallSeconds = 3; // A busy machine makes a rank silent for a second or two.

QList<DemoEntry> demos()
{
    return {
        {Demo::Training, u"training"_s, tr("Training"), tr("eight ranks of a small training script")},
        {Demo::First, u"first"_s, tr("A first launch"),
         tr("a rank table is checked and converted, then eight ranks train")},
        {Demo::Fail, u"fail"_s, tr("A rank fails"), tr("the memory of a card is broken, and its rank fails")},
        {Demo::Straggler, u"straggler"_s, tr("A slow card"),
         tr("a card gets hot, and the steps of its rank take longer")},
        {Demo::Hang, u"hang"_s, tr("A hang"),
         tr("a rank does not come to a collective; the others wait, and give up")},
        {Demo::Nodes, u"nodes"_s, tr("Two nodes"), tr("the link to one of two nodes is cut, and is back")},
        {Demo::Many, u"many"_s, tr("1,024 ranks"), tr("of 1,024 ranks, simulated, one fails and is found")},
        {Demo::Debug, u"debug"_s, tr("Debugging"),
         tr("eight ranks that stop in Python's debugger; one differs from the others")},
        {Demo::Collective, u"collective"_s, tr("Collectives"),
         tr("eight ranks that measure the network between them, and their collectives")}};
}

std::optional<Demo> demoFromWord(const QString &word)
{
    const QList<DemoEntry> all = demos();
    const auto found = std::ranges::find(all, word, &DemoEntry::word);
    return found == all.end() ? std::nullopt : std::optional(found->demo);
}

static Result<LaunchSpec> collectiveDemo()
{
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    QTcpServer port; // Another demo, or a training, may have the usual port.
    if (!port.listen(QHostAddress::LocalHost))
        return Error{tr("no free port on 127.0.0.1: %1").arg(port.errorString()), {}, {}};
    LaunchSpec spec = processesDefaults();
    spec.isDemo = true;
    spec.name = u"demo-collective"_s;
    spec.command = QStringList{*program} + u"collective --pace 700 --rounds 0"_s.split(' '_L1);
    spec.processes.nproc = 8;
    spec.processes.masterPort = port.serverPort();
    spec.workDir = QDir::homePath();
    return spec;
}

/// Returns the options of train.py, ten steps a second times `speed`.
static QStringList trainingOptions(Demo demo, int speed)
{
    constexpr int stepsPerSecond = 10;
    constexpr int hangSeconds = 45;
    const int steps = demo == Demo::Fail ? 900 : 600;
    QStringList options{u"--steps"_s, QString::number(steps), u"--rate"_s,
                        QString::number(stepsPerSecond * speed)};
    if (demo == Demo::Fail)
        options << u"--fail-rank 5 --fail-step 600 --fail-code 507054"_s.split(' '_L1);
    else if (demo == Demo::Straggler)
        options << u"--slow-rank 3 --slow-step 150 --slow-factor 2"_s.split(' '_L1);
    else if (demo == Demo::Hang)
        options << u"--hang-rank 6 --hang-step 250 --hang-timeout"_s.split(' '_L1)
                << QString::number(double(hangSeconds) / speed);
    return options;
}

/// Has the rank table checked and converted on the node before the launch, where its log shows it.
static std::optional<Error> addTableHooks(LaunchSpec &spec)
{
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    for (const char *action : {"check", "convert"})
        spec.common.before.append(
            QStringList{*program, u"ranktable"_s, QString::fromLatin1(action), spec.rankTableFile});
    return std::nullopt;
}

/// Has the launch's nodes be this machine, behind a link that is cut once.
static std::optional<Error> addNodes(LaunchSpec &spec, const QString &folder, int speed)
{
    constexpr double cutAfterSeconds = 20;
    constexpr double cutSeconds = 15;
    constexpr double leastCutSeconds = 12; // Else the nodes do not know a cut link from a dead supervisor.
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    const QString second = u"192.168.100.11"_s;
    spec.nodes.list = u"192.168.100.10,"_s + second;
    spec.nodes.program = *program;
    spec.nodes.transportCommand = u"python3 %1 --cut %2 --after %3 --for %4 {node}"_s
                                      .arg(joinCommandLine({folder + u"link.py"_s}), second)
                                      .arg(cutAfterSeconds / speed)
                                      .arg(std::max(leastCutSeconds, cutSeconds / speed));
    return std::nullopt;
}

static LaunchSpec manyDemo(const QString &folder, int speed)
{
    constexpr int ranks = 1024;
    constexpr int mostSpeed = 5; // The logs of all ranks are written by one process.
    LaunchSpec spec = processesDefaults();
    spec.isDemo = true;
    spec.name = u"demo-many-simulated"_s;
    spec.command = {u"sh"_s, folder + u"many.sh"_s};
    spec.command << u"417 --steps 90 --fail-step 60 --rate"_s.split(' '_L1)
                 << QString::number(std::min(speed, mostSpeed));
    spec.processes.nproc = ranks;
    spec.workDir = QDir::homePath();
    return spec;
}

Result<LaunchSpec> demoSpec(Demo demo, int speed)
{
    if (demo == Demo::Collective)
        return collectiveDemo();
    const auto resources = resourcesDirectory();
    if (!resources)
        return resources.error();
    LaunchSpec spec;
    spec.isDemo = true;
    const QString folder = *resources + u"/demo/"_s;
    if (demo == Demo::Many)
        return manyDemo(folder, speed);
    if (demo == Demo::Debug) {
        spec.name = u"demo-debug"_s;
        spec.command = {u"python3"_s, folder + u"debug.py"_s};
        spec.common.terminals = u"all"_s;
    } else {
        spec.name = u"demo"_s;
        spec.command = {u"python3"_s, folder + u"train.py"_s};
        spec.command << trainingOptions(demo, speed);
        const QList<DemoEntry> all = demos();
        if (demo != Demo::Training)
            spec.name += '-'_L1 + std::ranges::find(all, demo, &DemoEntry::demo)->word;
        if (demo == Demo::Hang) {
            spec.common.stallAfterSeconds = std::max(1, hangStallSeconds / speed);
            spec.common.flightRecorder = u"on"_s;
        } else if (demo == Demo::Straggler) {
            spec.common.stallAfterSeconds =
                std::max(leastStragglerStallSeconds, stragglerStallSeconds / speed);
        }
    }
    spec.rankTableFile = folder + (demo == Demo::Nodes ? u"rank_table_2_nodes.json"_s : u"rank_table.json"_s);
    spec.convertedRankTable = QString::fromLatin1("{run}/rank_table");
    spec.logDir.clear();
    spec.workDir = QDir::homePath();
    std::optional<Error> error;
    if (demo == Demo::First)
        error = addTableHooks(spec);
    else if (demo == Demo::Nodes)
        error = addNodes(spec, folder, speed);
    return error ? Result<LaunchSpec>(*error) : spec;
}

static QString found(const Result<QString> &path)
{
    return path ? *path : QString();
}

std::optional<Demo> demoOf(const LaunchSpec &spec)
{
    if (!spec.isDemo)
        return {};
    const QString program = spec.command.value(0);
    const QString script = spec.command.value(1);
    if (script == "collective"_L1 && !program.isEmpty() && program == found(rankdeckctlPath()))
        return Demo::Collective;
    const QString folder = found(resourcesDirectory()) + u"/demo/"_s;
    if (script == folder + u"many.sh"_s)
        return Demo::Many;
    if (program != "python3"_L1)
        return {};
    if (script == folder + u"debug.py"_s)
        return Demo::Debug;
    if (script != folder + u"train.py"_s)
        return {};
    const auto has = [&](const char *option) {
        return spec.command.contains(QLatin1String(option));
    };
    return has("--fail-rank")                             ? Demo::Fail
           : has("--slow-rank")                           ? Demo::Straggler
           : has("--hang-rank")                           ? Demo::Hang
           : spec.nodes.transportCommand.contains(folder) ? Demo::Nodes
           : !spec.common.before.isEmpty()                ? Demo::First
                                                          : Demo::Training;
}

bool hasSimulatedRanks(const LaunchSpec &spec)
{
    return demoOf(spec) == Demo::Many;
}

bool hasInventedNpus(const LaunchSpec &spec)
{
    const auto demo = demoOf(spec);
    return demo && demo != Demo::Many;
}

DeviceSource writeInventedNpuSmi(const LaunchPlan &share, const QString &node)
{
    const auto resources = resourcesDirectory();
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (share.inventedNpuSmi.isEmpty() || !resources || python.isEmpty())
        return {};
    const QString run = QFileInfo(share.inventedNpuSmi).path();
    QStringList words{u"exec"_s, python, *resources + u"/demo/npu_smi.py"_s, u"--journal"_s,
                      run + u"/journal.jsonl"_s};
    int ranks = 0;
    for (const ProcessPlan &process : share.processes) {
        if (process.role != Role::Worker || process.node != node)
            continue;
        ++ranks;
        // In the journal of a demo the processes are its ranks, in their order.
        const QString index = QString::number(process.rank.value);
        const auto optionOf = [&](const char *name) {
            const qsizetype at = process.argv.indexOf(QLatin1String(name));
            return at < 0 ? QString() : process.argv.value(at + 1);
        };
        if (optionOf("--slow-rank") == index)
            words << u"--slow"_s << index << optionOf("--slow-step");
        words << u"--rank"_s << index << QString::number(process.localRank.value) << process.logFile;
    }
    // The nodes of a demo are one machine, and have one run directory.
    const bool isOneOfSeveral = share.worldSize() > ranks;
    const QString path = isOneOfSeveral ? share.inventedNpuSmi + '-'_L1 + node : share.inventedNpuSmi;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n# The NPUs of this demo are invented: this stands in for npu-smi.\n" +
               joinCommandLine(words).toUtf8() + " -- \"$@\"\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.commit() ? DeviceSource{DeviceSource::Kind::Invented, path} : DeviceSource();
}

} // namespace rankdeck
