#include "agent/adoption/adoption.h"
#include "agent/supervise/launcher.h"
#include "launch/options/launchers.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/runs/runconsole.h"
#include "run/workers/ranksearch.h"

#include <QFileInfo>

#include <unistd.h>

namespace rankdeck
{

/// Lines of each log that are printed first: a launcher may have run for days.
constexpr int shownPast = 10;

static Result<pid_t> pidFrom(const QString &word)
{
    const auto pid = parseNumber(word, u"PID"_s, 1);
    if (!pid)
        return Error{tr("\"%1\" is not a pid").arg(word), u"PID"_s,
                     tr("Give a number, or the name of a program with --name.")};
    return pid_t(*pid);
}

/// Returns the launcher of these processes: the parent of all of them. Returns 0 if they have several
/// parents, or if the shell that started this command is their parent.
static pid_t commonParent(const std::vector<NamedProcess> &processes)
{
    pid_t parent = 0;
    for (const NamedProcess &each : processes) {
        const auto process = readProcess(each.pid);
        if (!process || (parent != 0 && process->parent != parent))
            return 0;
        parent = process->parent;
    }
    for (auto above = readProcess(getpid()); above; above = readProcess(above->parent)) {
        if (above->pid == parent)
            return 0;
    }
    return parent;
}

/// Fails if no process is called so, or several are, which it lists.
static Result<pid_t> pidNamed(const QString &name)
{
    const std::vector<NamedProcess> found = processesNamed(name);
    if (found.empty())
        return Error{tr("no process of yours is called \"%1\" or has it in its command line").arg(name),
                     u"--name"_s, tr("List your processes with \"ps -u $USER\".")};
    if (found.size() == 1)
        return found.front().pid;
    QList<QStringList> rows;
    for (const NamedProcess &process : found)
        rows << QStringList{QString::number(process.pid), visibleText(process.command)};
    for (const QString &line : tableLines(rows, "rl"))
        say(line);
    const pid_t launcher = commonParent(found);
    return Error{tr("%1 processes match").arg(found.size()), u"--name"_s,
                 launcher == 0
                     ? tr("Give the pid of one of them instead.")
                     : tr("Give the pid of one of them, or of the process that started them all: %1, %2.")
                           .arg(launcher)
                           .arg(visibleText(shortCommand(commandOf(launcher))))};
}

static Result<Adoption> adoptionFrom(const Options &options)
{
    const bool isNamed = options.hasValue("--name");
    if (isNamed != options.positional.isEmpty())
        return Error{tr("either a pid or --name says what to watch"), {}, tr("Give one of them.")};
    constexpr auto slurmPrefix = "slurm:"_L1;
    const QString word = options.positional.value(0);
    if (word.startsWith(slurmPrefix))
        return adoptSlurmJob(word.mid(slurmPrefix.size()));
    const Result<pid_t> pid = isNamed ? pidNamed(options.value("--name")) : pidFrom(word);
    return pid ? adoptProcess(*pid) : Result<Adoption>(pid.error());
}

int adoptCommand(const Options &options)
{
    auto adoption = adoptionFrom(options);
    if (!adoption)
        return refuse(adoption.error());
    if (options.hasValue("--stall-after")) {
        const auto wrap = launcherCommandLine(u"wrap"_s)->parse(
            {u"--stall-after"_s, options.value("--stall-after"), u"--"_s, u"true"_s});
        if (!wrap)
            return refuse(wrap.error());
        adoption.value().spec.common = wrap->common;
    }
    const auto directory = startRun(adoption->spec, adoption->plan);
    if (!directory)
        return refuse(directory.error());
    const QString name = QFileInfo(*directory).fileName();
    if (options.has("--detach")) {
        print(name);
        for (const Sentence &note : adoption->plan.notes)
            sayNote(note);
        return 0;
    }
    say(tr("Run %1.").arg(name));
    const RunConsole::Options console{
        .showLogs = !options.has("--quiet"), .tail = shownPast, .isRaw = options.has("--raw")};
    return RunConsole(*directory, console).watch();
}

} // namespace rankdeck
