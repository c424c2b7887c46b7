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

const QString option = QStringLiteral("--wrap");

static QString outputFolder(const LaunchPlan &plan)
{
    const QString folder = inRunDirectory(QStringLiteral("/wrap"));
    return plan.maxRestarts == 0
               ? folder
               : folder + QLatin1Char('/') + attemptFolder(QLatin1String(attemptPlaceholder));
}

static void wrap(ProcessPlan &process, const Wrapper &wrapper, const QString &folder)
{
    QStringList words = wrapper.words;
    const QString rank = QString::number(process.rank.value);
    for (QString &word : words) {
        if (word.contains(QLatin1String("{output}")) && !process.makeDirectories.contains(folder))
            process.makeDirectories << folder;
        word.replace(QLatin1String("{rank}"), rank);
        word.replace(QLatin1String("{output}"), folder + QStringLiteral("/rank-") + rank);
    }
    process.wrapperWords = static_cast<int>(words.size());
    process.argv = words + process.argv;
}

std::vector<WrapperPreset> wrapperPresets()
{
    // msprof: CANN, performance tuning tools, "msprof [options] <app>".
    return {
        {QStringLiteral("gdb"), QStringLiteral("gdb --args"), tr("debugger, waits for commands")},
        {QStringLiteral("gdb-run"), QStringLiteral("gdb -ex run --args"),
         tr("debugger, starts the program at once")},
        {QStringLiteral("valgrind"), QStringLiteral("valgrind --log-file={output}.valgrind"),
         tr("memory errors")},
        {QStringLiteral("strace"), QStringLiteral("strace -f -o {output}.strace"), tr("system calls")},
        {QStringLiteral("py-spy"), QStringLiteral("py-spy record -o {output}.svg --"), tr("Python profile")},
        {QStringLiteral("msprof"), QStringLiteral("msprof --output={output}.msprof"),
         tr("NPU profile by CANN")},
    };
}

Result<Wrapper> readWrapper(const QString &text)
{
    const QString mend = tr("Write all or ranks, e.g. 0-3,7, a colon, and a command, for example 0:gdb.");
    const auto colon = text.indexOf(QLatin1Char(':'));
    const QString who = text.left(std::max<qsizetype>(colon, 0)).trimmed();
    Wrapper wrapper;
    wrapper.isForAll = who == QLatin1String("all");
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
    static const std::set<QString> names{QStringLiteral("gdb"),  QStringLiteral("cgdb"),
                                         QStringLiteral("lldb"), QStringLiteral("pdb"),
                                         QStringLiteral("pudb"), QStringLiteral("ipdb")};
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
