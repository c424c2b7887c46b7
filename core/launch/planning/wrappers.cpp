#include "launch/planning/wrappers.h"

#include "base/numberranges.h"
#include "launch/plan/attempt.h"
#include "launch/spec/launcheroptions.h"
#include "launch/text/commandline.h"

#include <QFileInfo>

#include <algorithm>
#include <set>

namespace rankdeck
{

const QString option = u"--wrap"_s;

static QString outputFolder(const LaunchPlan &plan)
{
    const QString folder = inRunDirectory(u"/wrap"_s);
    return plan.maxRestarts == 0 ? folder
                                 : folder + '/'_L1 + attemptFolder(QLatin1String(attemptPlaceholder));
}

static void wrap(ProcessPlan &process, const Wrapper &wrapper, const QString &folder)
{
    QStringList words = wrapper.words;
    const QString rank = QString::number(process.rank.value);
    for (QString &word : words) {
        if (word.contains("{output}"_L1) && !process.makeDirectories.contains(folder))
            process.makeDirectories << folder;
        word.replace("{rank}"_L1, rank);
        word.replace("{output}"_L1, folder + u"/rank-"_s + rank);
    }
    process.wrapperWords = static_cast<int>(words.size());
    process.argv = words + process.argv;
}

std::vector<WrapperPreset> wrapperPresets()
{
    // msprof: CANN, performance tuning tools, "msprof [options] <app>".
    return {
        {u"gdb"_s, u"gdb --args"_s, tr("debugger, waits for commands")},
        {u"gdb-run"_s, u"gdb -ex run --args"_s, tr("debugger, starts the program at once")},
        {u"valgrind"_s, u"valgrind --log-file={output}.valgrind"_s, tr("memory errors")},
        {u"strace"_s, u"strace -f -o {output}.strace"_s, tr("system calls")},
        {u"py-spy"_s, u"py-spy record -o {output}.svg --"_s, tr("Python profile")},
        {u"msprof"_s, u"msprof --output={output}.msprof"_s, tr("NPU profile by CANN")},
    };
}

Result<Wrapper> readWrapper(const QString &text)
{
    const QString mend = tr("Write all or ranks, e.g. 0-3,7, a colon, and a command, for example 0:gdb.");
    const auto colon = text.indexOf(':'_L1);
    const QString who = text.left(std::max<qsizetype>(colon, 0)).trimmed();
    Wrapper wrapper;
    wrapper.isForAll = who == "all"_L1;
    const auto ranks = numbersFromRanges(who);
    if (colon < 0 || (!wrapper.isForAll && (!ranks || ranks->isEmpty())))
        return Error{tr("\"%1\" is not RANKS:COMMAND").arg(text), option, mend};
    if (!wrapper.isForAll)
        wrapper.ranks = *ranks;
    const auto read = [](const QString &command) {
        return splitCommandLine(command);
    };
    auto words = read(text.mid(colon + 1));
    if (!words)
        return Error{words.error().what, option, words.error().mend};
    if (words->isEmpty() || words->first().isEmpty())
        return Error{tr("no command in \"%1\"").arg(text), option, mend};
    const std::vector<WrapperPreset> presets = wrapperPresets();
    const auto preset = std::ranges::find_if(presets, [&](const WrapperPreset &known) {
        return words->size() == 1 && known.name == words->first();
    });
    if (preset != presets.end())
        words = read(preset->command);
    wrapper.words = *words;
    return wrapper;
}

bool isInteractiveTool(const QString &program)
{
    static const std::set<QString> names{u"gdb"_s, u"cgdb"_s, u"lldb"_s, u"pdb"_s, u"pudb"_s, u"ipdb"_s};
    return names.contains(QFileInfo(program).fileName());
}

std::optional<Error> wrapProcesses(LaunchPlan &plan, const CommonOptions &common)
{
    for (const QString &text : common.wrappers) {
        const auto wrapper = readWrapper(text);
        if (!wrapper)
            return wrapper.error();
        if (!wrapper->ranks.isEmpty() && wrapper->ranks.last() >= plan.worldSize())
            return Error{tr("no rank %1 among %2").arg(wrapper->ranks.last()).arg(plan.worldSize()), option,
                         tr("Give 0 to %1.").arg(plan.worldSize() - 1)};
        for (ProcessPlan &process : plan.processes) {
            if (process.role != Role::Worker || !wrapper->isFor(process.rank))
                continue;
            if (process.wrapperWords > 0)
                return Error{tr("rank %1 has two wrappers").arg(process.rank.value), option,
                             tr("Give each rank one wrapper, which may run two programs in a row.")};
            wrap(process, *wrapper, outputFolder(plan));
        }
    }
    return std::nullopt;
}

QList<int> interactiveRanks(const LaunchPlan &plan)
{
    QList<int> ranks;
    for (const ProcessPlan &process : plan.processes) {
        if (process.wrapperWords > 0 && isInteractiveTool(process.argv.first()))
            ranks << process.rank.value;
    }
    std::ranges::sort(ranks);
    return ranks;
}

} // namespace rankdeck
