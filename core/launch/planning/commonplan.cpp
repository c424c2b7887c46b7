#include "launch/planning/commonplan.h"

#include "base/json.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "launch/plan/attempt.h"
#include "launch/plan/recorderfiles.h"
#include "launch/planning/wrappers.h"
#include "launch/text/environmentrules.h"
#include "launch/text/optionvalues.h"

#include <QRegularExpression>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

using Json = nlohmann::json;

/// A range that is longer holds cpus that no machine has.
constexpr int mostCpus = 65536;

static Result<QList<int>> readRange(const QString &device, const Json &json)
{
    static const QRegularExpression pattern(u"^(\\d{1,6})-(\\d{1,6})$"_s);
    const QString text = json.is_string() ? json.get<QString>() : QString::fromStdString(json.dump());
    const auto match = pattern.match(text);
    const QString mend = tr("Write first and last cpu as a string, e.g. \"0-10\".");
    if (!json.is_string() || !match.hasMatch())
        return Error{tr("%1 of %2 is not a range of cpus").arg(text, device), {}, mend};
    const int first = match.captured(1).toInt();
    const int last = match.captured(2).toInt();
    if (first > last || last >= mostCpus)
        return Error{tr("the range %1 of %2 is empty or too large").arg(text, device), {}, mend};
    QList<int> cpus(last - first + 1);
    std::iota(cpus.begin(), cpus.end(), first);
    return cpus;
}

static Result<QList<int>> readRanges(const QString &device, const Json &json)
{
    if (!json.is_array())
        return Error{tr("the value of %1 is not a list of ranges").arg(device),
                     {},
                     tr("Write e.g. \"%1\":[\"0-10\"].").arg(device)};
    QList<int> cpus;
    for (const Json &entry : json) {
        const auto range = readRange(device, entry);
        if (!range)
            return range.error();
        cpus << *range;
    }
    return sortedOnce(cpus);
}

static Result<CpuBinding> readBinding(const QString &text)
{
    if (text.compare("false"_L1, Qt::CaseInsensitive) == 0)
        return CpuBinding{};
    if (text.compare("true"_L1, Qt::CaseInsensitive) == 0)
        return CpuBinding{CpuBinding::Kind::Even, {}, {}};
    const auto json = parseJson(text.toUtf8());
    if (!json || !json->is_object())
        return Error{tr("\"%1\" is neither True, nor False, nor a JSON object").arg(text),
                     {},
                     tr("Write e.g. {\"device0\":[\"0-10\"]}.")};
    CpuBinding binding{CpuBinding::Kind::ByDevice, {}, {}};
    static const QRegularExpression key(u"^device(\\d{1,6})$"_s);
    for (const auto &[name, value] : json->items()) {
        const QString device = QString::fromStdString(name);
        const auto match = key.match(device);
        const bool isScheduler = device == "scheduler"_L1;
        if (!match.hasMatch() && !isScheduler)
            return Error{
                tr("\"%1\" does not name a device").arg(device), {}, tr("Write device0, device1 and so on.")};
        const auto cpus = readRanges(device, value);
        if (!cpus)
            return cpus.error();
        if (isScheduler)
            binding.scheduler = *cpus;
        else
            binding.byDevice.insert(match.captured(1).toInt(), *cpus);
    }
    return binding;
}

static std::optional<Error> setRankVariables(LaunchPlan &plan, const CommonOptions &common)
{
    const auto &ranks = common.rankEnvironment;
    for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
        if (rank.key() < 0 || rank.key() >= plan.worldSize())
            return Error{tr("no rank %1 among %2").arg(rank.key()).arg(plan.worldSize()), u"--rank-env"_s,
                         tr("Give 0 to %1.").arg(plan.worldSize() - 1)};
    }
    for (ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        const QMap<QString, QString> variables = ranks.value(process.rank.value);
        process.setVariables.insert(variables);
        for (auto it = variables.begin(); it != variables.end(); ++it)
            process.removeVariables.removeAll(it.key());
    }
    return std::nullopt;
}

/// Removes the variables of --unset-env, also those that the launcher sets; keeps those that the user sets.
static void unsetVariables(ProcessPlan &process, const LaunchGround &ground)
{
    const CommonOptions &common = ground.spec.common;
    for (const QString &name : common.unsetVariables) {
        if (ground.spec.environment.contains(name) ||
            common.rankEnvironment.value(process.rank.value).contains(name))
            continue;
        process.setVariables.remove(name);
        if (!process.removeVariables.contains(name))
            process.removeVariables << name;
    }
}

/// Sets the variables that activating the environment would set, without a shell.
static void enterConda(ProcessPlan &process, const CondaEnvironment &conda,
                       const QProcessEnvironment &environment)
{
    const auto putFirst = [&](const QString &name, const QString &folder) {
        const QString rest = effectiveValue(process, environment, name);
        const QString first = conda.directory + folder;
        process.setVariables.insert(name, rest.isEmpty() ? first : first + ':'_L1 + rest);
    };
    putFirst(u"PATH"_s, u"/bin"_s);
    putFirst(u"LD_LIBRARY_PATH"_s, u"/lib"_s);
    process.setVariables.insert(u"CONDA_PREFIX"_s, conda.directory);
    process.setVariables.insert(u"CONDA_DEFAULT_ENV"_s, conda.name);
    if (conda.programs.contains(process.argv.first()))
        process.argv.first() = conda.directory + u"/bin/"_s + process.argv.first();
}

static std::optional<Error> useConda(LaunchPlan &plan, const LaunchGround &ground)
{
    const QString wanted = wantedCondaEnvironment(ground.spec, ground.facts.environment);
    if (wanted.isEmpty())
        return std::nullopt;
    const auto conda = chooseCondaEnvironment(wanted, ground.facts);
    if (!conda)
        return conda.error();
    for (ProcessPlan &process : plan.processes) {
        const QString program = process.argv.first();
        const bool isPython = program == "python"_L1 || program == "python3"_L1;
        if (isPython && !conda->programs.contains(program))
            return Error{tr("the conda environment %1 has no %2").arg(conda->name, program), u"--conda-env"_s,
                         tr("See %1/bin.").arg(conda->directory)};
        enterConda(process, *conda, ground.facts.environment);
    }
    if (ground.spec.common.condaEnv.isEmpty())
        plan.notes << Sentence::tr("DEFAULT_CONDA_ENV_NAME selects the conda environment %1 (%2).")
                          .arg(conda->name, conda->directory);
    return std::nullopt;
}

static std::optional<Error> bindToCpus(LaunchPlan &plan, const LaunchGround &ground)
{
    // --numa-binding has bound them.
    if (plan.launcher == "processes"_L1 && !ground.spec.processes.numaBinding.isEmpty())
        return std::nullopt;
    QList<int> devices(static_cast<qsizetype>(plan.processes.size()));
    std::iota(devices.begin(), devices.end(), 0);
    const auto cpus =
        bindLocalRanks(ground.spec.common.bindCore, u"--bind-core"_s, devices, ground.facts.cpus, plan.notes);
    if (!cpus)
        return cpus.error();
    for (ProcessPlan &process : plan.processes)
        process.cpus = cpus->value(process.localRank.value);
    return std::nullopt;
}

/// Gives the process a terminal. Its output is then one stream, which includes its standard error.
static void giveTerminal(ProcessPlan &process, const CommonOptions &common)
{
    process.hasTerminal = true;
    process.stderrFile.clear();
    // The type of Rankdeck's terminals, unless the user sets another.
    const QString name = u"TERM"_s;
    if (!process.setVariables.contains(name) && !common.unsetVariables.contains(name)) {
        process.setVariables.insert(name, u"xterm-256color"_s);
        process.removeVariables.removeAll(name);
    }
}

/// Gives terminals to the ranks of --tty, and to those whose wrapper needs one.
static std::optional<Error> giveTerminals(LaunchPlan &plan, const CommonOptions &common)
{
    if (const auto error = promptPatternError(common.promptPattern))
        return error;
    plan.promptPattern = common.promptPattern;
    const bool isForAll = common.terminals == "all"_L1;
    const bool isForNone = common.terminals == "none"_L1;
    const auto ranks = isForAll || isForNone ? QList<int>() : numbersFromRanges(common.terminals);
    const QString option = u"--tty"_s;
    if (!ranks)
        return Error{tr("\"%1\" does not name ranks").arg(common.terminals), option,
                     tr("Write all, none, or ranks, e.g. 0-3,7.")};
    if (!ranks->isEmpty() && ranks->last() >= plan.worldSize())
        return Error{tr("no rank %1 among %2").arg(ranks->last()).arg(plan.worldSize()), option,
                     tr("Give 0 to %1.").arg(plan.worldSize() - 1)};
    const QList<int> interactive = interactiveRanks(plan);
    QList<int> added;
    for (ProcessPlan &process : plan.processes) {
        const bool isAsked = isForAll || ranks->contains(process.rank.value);
        const bool isNeeded = interactive.contains(process.rank.value);
        if (process.role != Role::Worker || (!isAsked && !isNeeded))
            continue;
        giveTerminal(process, common);
        if (!isAsked)
            added << process.rank.value;
    }
    std::ranges::sort(added);
    if (!added.isEmpty())
        plan.notes << Sentence::tr("Ranks %1 get terminals, which their wrappers need.",
                                   "Rank %1 gets a terminal, which its wrapper needs.",
                                   static_cast<int>(added.size()))
                          .arg(numberRanges(added));
    return std::nullopt;
}

/// Notes the timeouts that end ranks while they wait for one that is being debugged.
static void findTimeouts(LaunchPlan &plan, const LaunchGround &ground)
{
    const auto withTerminal = std::ranges::find_if(plan.processes, &ProcessPlan::hasTerminal);
    if (withTerminal == plan.processes.end() || plan.worldSize() < 2)
        return;
    plan.timeouts = waitingTimeouts(*withTerminal, plan.launcher, ground.facts.environment);
    if (plan.timeouts.empty())
        return;
    Sentence note = Sentence::tr("While you debug one rank, the others give up after %1.")
                        .arg(waitingTimeoutsText(plan.timeouts));
    const QStringList raised = raisedTimeouts(plan.timeouts);
    if (!raised.isEmpty())
        note = joinedBySpaces(QList<Sentence>{
            note, Sentence::tr("To debug for longer, launch with --env %1.").arg(raised.join(" --env "_L1))});
    plan.notes << note;
}

static std::optional<Error> checkVisibleDevices(const LaunchPlan &plan, const HostFacts &facts)
{
    for (const ProcessPlan &process : plan.processes) {
        const QString devices = effectiveValue(process, facts.environment, u"ASCEND_RT_VISIBLE_DEVICES"_s);
        if (const auto error = problemWithVisibleDevices(devices, facts.npuCount))
            return error;
    }
    return std::nullopt;
}

Result<CpuBinding> readCpuBinding(const QString &text, const QString &option)
{
    auto binding = readBinding(text);
    if (!binding)
        return Error{binding.error().what, option, binding.error().mend};
    return binding;
}

Result<QList<QList<int>>> bindLocalRanks(const QString &bindCore, const QString &option,
                                         const QList<int> &devices, const QList<int> &cpus,
                                         QList<Sentence> &notes)
{
    const int workers = static_cast<int>(devices.size());
    const auto binding = readCpuBinding(bindCore, option);
    if (!binding)
        return binding.error();
    if (binding->kind == CpuBinding::Kind::Even) {
        if (cpus.size() < workers)
            notes << Sentence::tr("The workers are not bound to cpus: %n cpus are not enough for %1 workers.",
                                  "The workers are not bound to cpus: one cpu is not enough for %1 workers.",
                                  static_cast<int>(cpus.size()))
                         .arg(workers);
        return evenShares(cpus, workers);
    }
    QList<QList<int>> shares(workers);
    QStringList unbound;
    for (int rank = 0; rank < workers && binding->kind == CpuBinding::Kind::ByDevice; ++rank) {
        const int device = devices[rank];
        shares[rank] = binding->byDevice.value(device);
        if (!binding->byDevice.contains(device))
            unbound << QString::number(device);
        for (const int cpu : std::as_const(shares[rank])) {
            if (!cpus.contains(cpu))
                return Error{tr("this process may not run on cpu %1 of device%2").arg(cpu).arg(device),
                             option, tr("See taskset -cp $$.")};
        }
    }
    if (!unbound.isEmpty())
        notes << Sentence::tr("%1 names no cpus for device %2: not bound.")
                     .arg(option, unbound.join(nameComma()));
    return shares;
}

// The flight recorders of torch and torch_npu keep the last collectives of each rank. Sources: torch_npu,
// ProcessGroupHCCL and its list of environment variables; torch, ProcessGroupNCCL and FlightRecorder. torch
// ignores what it does not know, but warns of a name that it had before.

/// Sets the variables that switch the recorders on, by --flight-recorder: each rank keeps 2,000 collectives,
/// dumps them when something is written to its pipe and at a time-out, and writes where it is every two
/// seconds. All their files are in the run directory. Variables that the user set, or unset, are left alone;
/// a note says which.
static void setUpRecorders(LaunchPlan &plan, const LaunchGround &ground)
{
    const QString &wanted = ground.spec.common.flightRecorder;
    if (wanted == "off"_L1 || (wanted == "auto"_L1 && ground.facts.torch.isEmpty()))
        return;
    const QString folder = recorderFolder(inRunDirectory({}), plan, QLatin1String(attemptPlaceholder));
    // A script may enter a container.
    const bool isOwnPython = plan.launcher != "wrap"_L1 || !ground.spec.command.value(0).endsWith("sh"_L1);
    const auto variables = recorderVariables(folder, ground.spec.common.stallAfterSeconds,
                                             isOwnPython ? ground.facts.torch : u"0"_s);
    QMap<QString, QString> kept;
    for (ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker)
            continue;
        process.makeDirectories << folder << recorderStatusFolder(folder);
        for (auto its = variables.begin(); its != variables.end(); ++its) {
            const QString own = effectiveValue(process, ground.facts.environment, its.key());
            if (!own.isNull())
                kept.insert(its.key(), own);
            else if (!ground.spec.common.unsetVariables.contains(its.key()))
                process.setVariables.insert(its.key(), its.value());
        }
    }
    if (kept.isEmpty())
        return;
    QStringList texts;
    for (auto its = kept.cbegin(); its != kept.cend(); ++its)
        texts << its.key() + '='_L1 + its.value();
    plan.notes << Sentence::tr("The flight recorder keeps variables that are already set: %1.")
                      .arg(texts.join(nameComma()));
}

QList<QList<int>> evenShares(const QList<int> &cpus, int parts)
{
    const qsizetype share = cpus.size() / std::max(parts, 1);
    QList<QList<int>> shares;
    for (int part = 0; part < parts; ++part)
        shares << cpus.mid(part * share, share);
    return shares;
}

LaunchGround layGround(const LaunchSpec &spec, const HostFacts &facts)
{
    LaunchGround ground{spec, facts};
    QMap<QString, QString> &variables = ground.spec.environment;
    variables.clear();
    for (const QString &path : spec.common.envFiles)
        variables.insert(facts.envFiles.value(path));
    variables.insert(spec.environment);
    for (const QString &name : spec.common.unsetVariables)
        ground.facts.environment.remove(name);
    return ground;
}

Result<LaunchPlan> withCommonOptions(LaunchPlan plan, const LaunchGround &ground)
{
    const CommonOptions &common = ground.spec.common;
    plan.neededHbmMb = common.neededHbmMb;
    if (const auto error = setRankVariables(plan, common))
        return *error;
    for (ProcessPlan &process : plan.processes) {
        unsetVariables(process, ground);
        process.nice = common.nice;
        process.memoryLimitMiB = common.memoryLimitMiB;
        process.openFiles = common.openFiles;
        process.umask = common.umask;
    }
    setUpRecorders(plan, ground);
    if (plan.launcher != "msrun"_L1) {
        if (const auto error = bindToCpus(plan, ground))
            return *error;
    }
    if (const auto error = useConda(plan, ground))
        return *error;
    // The conda environment must find the interpreter as the first word of the command.
    if (const auto error = wrapProcesses(plan, common))
        return *error;
    if (const auto error = giveTerminals(plan, common))
        return *error;
    findTimeouts(plan, ground);
    if (const auto error = checkVisibleDevices(plan, ground.facts))
        return *error;
    return plan;
}

} // namespace rankdeck
