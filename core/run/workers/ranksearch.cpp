#include "run/workers/ranksearch.h"

#include "launch/plan/launchplan.h"
#include "run/workers/openfiles.h"

#include <QFile>

#include <array>

#include <unistd.h>

namespace rankdeck
{

namespace
{

/// From the innermost launcher to the outermost; LOCAL_RANK alone says the least.
constexpr std::array rankVariables{
    "RANK", "RANK_ID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "LOCAL_RANK"};
constexpr std::array localVariables{"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                    "SLURM_LOCALID", "DEVICE_ID"};
/// Further variables of a rank that show where it runs and which files it writes.
constexpr std::array tellingVariables{"WORLD_SIZE",
                                      "LOCAL_WORLD_SIZE",
                                      "RANK_SIZE",
                                      "MASTER_ADDR",
                                      "MASTER_PORT",
                                      "ASCEND_RT_VISIBLE_DEVICES",
                                      "ASCEND_PROCESS_LOG_PATH",
                                      "TORCHELASTIC_ERROR_FILE"};

constexpr int mostFoundRank = 65535;
constexpr qsizetype longestValue = 4096;
/// A process may replace its program, and its environment with it, some time after it was started.
constexpr int looksUntilSettled = 10;

std::optional<int> rankNumber(const QString &text)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    return isNumber && number >= 0 && number <= mostFoundRank ? std::optional(number) : std::nullopt;
}

bool isShell(const ProcessInfo &process)
{
    static const QStringList shells{u"bash"_s, u"sh"_s, u"dash"_s, u"zsh"_s, u"ksh"_s};
    return shells.contains(process.name);
}

/// The processes of one look, by pid.
using Tree = std::map<pid_t, const ProcessInfo *>;

} // namespace

std::optional<RankWords> rankWords(const QProcessEnvironment &environment,
                                   const QProcessEnvironment &inherited)
{
    const auto valueOf = [&](const char *name) {
        return rankNumber(environment.value(QLatin1String(name)));
    };
    const auto isNew = [&](const char *name) {
        return environment.value(QLatin1String(name)) != inherited.value(QLatin1String(name));
    };
    if (!std::ranges::any_of(rankVariables, isNew))
        return std::nullopt;
    for (std::size_t at = 0; at < rankVariables.size(); ++at) {
        const auto rank = valueOf(rankVariables.at(at));
        if (!rank)
            continue;
        RankWords words{*rank, *rank, static_cast<int>(rankVariables.size() - at)};
        for (const char *name : localVariables) {
            if (const auto local = valueOf(name)) {
                words.localRank = *local;
                break;
            }
        }
        return words;
    }
    return std::nullopt;
}

void RankSearch::readEnvironments(const std::vector<ProcessInfo> &tree, const EnvironmentOf &environmentOf)
{
    std::map<Key, Known> known;
    for (const ProcessInfo &process : tree) {
        const Key key{process.pid, process.startTime};
        Known each = m_known[key];
        const bool isSettled = each.looks > looksUntilSettled && each.name == process.name;
        if (process.state != 'Z' && !isSettled) {
            each.words = rankWords(environmentOf(process), m_inherited);
            each.looks = each.name == process.name ? each.looks + 1 : 1;
            each.name = process.name;
        }
        known.emplace(key, std::move(each));
    }
    m_known = std::move(known);
    std::erase_if(m_members, [this](const Key &key) { return !m_known.contains(key); });
}

std::map<int, RankSearch::Rank> RankSearch::look(const std::vector<ProcessInfo> &tree, pid_t root,
                                                 const EnvironmentOf &environmentOf)
{
    readEnvironments(tree, environmentOf);
    Tree byPid;
    std::multimap<pid_t, const ProcessInfo *> children;
    for (const ProcessInfo &process : tree) {
        byPid.emplace(process.pid, &process);
        children.emplace(process.parent, &process);
    }
    const auto wordsOf = [this](const ProcessInfo &process) {
        return m_known.at({process.pid, process.startTime}).words;
    };
    // A process whose children have other ranks, by a stronger variable, is a launcher itself.
    std::set<pid_t> launchers;
    std::vector<const ProcessInfo *> tops;
    for (const ProcessInfo &process : tree) {
        const auto words = wordsOf(process);
        if (!words || process.state == 'Z')
            continue;
        bool isTop = !m_members.contains({process.pid, process.startTime});
        for (pid_t above = process.parent; above != root && byPid.contains(above);
             above = byPid.at(above)->parent) {
            const auto its = wordsOf(*byPid.at(above));
            if (!its)
                continue;
            if (its->rank == words->rank)
                isTop = false;
            else if (its->strength < words->strength)
                launchers.insert(above);
        }
        if (isTop)
            tops.push_back(&process);
    }
    std::map<int, Rank> ranks;
    const auto add = [&](const ProcessInfo &process, const RankWords &words) {
        const auto known = ranks.find(words.rank);
        if (known == ranks.end() || process.startTime < known->second.process.startTime)
            ranks.insert_or_assign(words.rank, Rank{process, words});
    };
    const std::function<void(pid_t, int)> addBelow = [&](pid_t launcher, int strength) {
        const auto [first, last] = children.equal_range(launcher);
        for (auto child = first; child != last; ++child) {
            const ProcessInfo &process = *child->second;
            const auto words = wordsOf(process);
            if (!words || words->strength <= strength)
                addBelow(process.pid, strength);
            else if (process.state != 'Z')
                add(process, *words);
        }
    };
    for (const ProcessInfo *top : tops) {
        if (launchers.contains(top->pid))
            addBelow(top->pid, wordsOf(*top)->strength);
        else
            add(*top, *wordsOf(*top));
    }
    const std::function<const ProcessInfo *(const ProcessInfo &)> pythonBelow =
        [&](const ProcessInfo &shell) -> const ProcessInfo * {
        const auto [first, last] = children.equal_range(shell.pid);
        for (auto child = first; child != last; ++child) {
            const ProcessInfo &process = *child->second;
            // torch renames the main thread of its programs.
            const bool isPython = process.name.startsWith("python"_L1) || process.name == "pt_main_thread"_L1;
            if (isPython && process.state != 'Z')
                return &process;
            if (const ProcessInfo *deeper = isShell(process) ? pythonBelow(process) : nullptr)
                return deeper;
        }
        return nullptr;
    };
    for (auto &[number, rank] : ranks) {
        if (const ProcessInfo *python = isShell(rank.process) ? pythonBelow(rank.process) : nullptr)
            rank.process = *python;
    }
    for (const ProcessInfo &process : tree) {
        const auto words = wordsOf(process);
        const auto above = byPid.find(process.parent);
        const auto its = above == byPid.end() ? std::nullopt : wordsOf(*above->second);
        if (words && its && words->rank == its->rank && !launchers.contains(process.parent))
            m_members.insert({process.pid, process.startTime});
    }
    return ranks;
}

QStringList commandOf(pid_t pid)
{
    constexpr qint64 longestCommand = 16 * 1024;
    QFile file(u"/proc/%1/cmdline"_s.arg(pid));
    QStringList command;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return command;
    for (const QByteArray &word : file.read(longestCommand).split('\0'))
        command << QString::fromLocal8Bit(word);
    if (command.last().isEmpty())
        command.removeLast();
    return command;
}

ProcessPlan foundPlan(const RankSearch::Rank &rank, const QProcessEnvironment &environment,
                      const QString &ownLog)
{
    const pid_t pid = rank.process.pid;
    ProcessPlan plan;
    plan.isFound = true;
    plan.rank = Rank(rank.words.rank);
    plan.localRank = LocalRank(rank.words.localRank);
    plan.device = ProcessPlan::noDevice;
    plan.argv = commandOf(pid);
    plan.workDir = QFile::symLinkTarget(u"/proc/%1/cwd"_s.arg(pid));
    const auto take = [&](const char *name) {
        const QString key = QLatin1String(name);
        if (environment.contains(key) && environment.value(key).size() <= longestValue)
            plan.setVariables.insert(key, environment.value(key));
    };
    std::ranges::for_each(rankVariables, take);
    std::ranges::for_each(localVariables, take);
    std::ranges::for_each(tellingVariables, take);
    const auto streamFile = [&](int descriptor) {
        const QString path = openFile(pid, descriptor);
        return isSameFile(path, ownLog) ? QString() : path;
    };
    plan.logFile = streamFile(STDOUT_FILENO);
    plan.stderrFile = streamFile(STDERR_FILENO);
    if (plan.stderrFile == plan.logFile)
        plan.stderrFile.clear();
    if (!plan.logFile.isEmpty())
        return plan;
    // The rank's output is in the log of the command: see FoundRanks.
    plan.logFile = heldLog(pid, plan, environment);
    if (!plan.logFile.isEmpty())
        plan.console = Streams::Out;
    return plan;
}

std::optional<ProcessPlan> foundFromText(const QString &text)
{
    const auto found = processFromText(text);
    return found && found->isFound && found->rank.value >= 0 ? found : std::nullopt;
}

} // namespace rankdeck
