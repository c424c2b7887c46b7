#include "launch/options/commonoptiontable.h"

#include "launch/planning/wrappers.h"
#include "launch/text/commandline.h"

#include <QRegularExpression>

#include <limits>

namespace rankdeck
{

static LaunchOption rankEnvironmentOption()
{
    const QString name = QStringLiteral("--rank-env");
    return {name, QStringLiteral("RANK:NAME=VALUE"), tr("a variable for one rank; may be repeated"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                bool isNumber = false;
                const auto colon = text.indexOf(QLatin1Char(':'));
                const int rank = text.left(colon).toInt(&isNumber);
                if (colon < 1 || !isNumber || rank < 0)
                    return Error{tr("\"%1\" is not RANK:NAME=VALUE").arg(text), name, {}};
                return readVariable(spec.common.rankEnvironment[rank], text.mid(colon + 1), name);
            },
            [](const LaunchSpec &spec) {
                QStringList texts;
                const auto &ranks = spec.common.rankEnvironment;
                for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
                    for (const QString &variable : writtenVariables(*rank))
                        texts << QStringLiteral("%1:").arg(rank.key()) + variable;
                }
                return texts;
            }};
}

/// --memory-limit: whole mebibytes, gibibytes or tebibytes.
static LaunchOption memoryLimitOption()
{
    const QString name = QStringLiteral("--memory-limit");
    return {name, QStringLiteral("SIZE"), tr("address space of each process, such as 512M or 64G"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression size(QStringLiteral("^(\\d{1,7})([MGT])$"));
                const auto match = size.match(text);
                const qint64 unit = match.captured(2) == QLatin1String("T")   ? 1024 * 1024
                                    : match.captured(2) == QLatin1String("G") ? 1024
                                                                              : 1;
                const qint64 mebibytes = match.captured(1).toLongLong() * unit;
                if (!match.hasMatch() || mebibytes < 1 || mebibytes > std::numeric_limits<int>::max())
                    return Error{tr("\"%1\" is not a size").arg(text), name,
                                 tr("Write a number with M, G or T, for example 64G.")};
                spec.common.memoryLimitMiB = static_cast<int>(mebibytes);
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const int mebibytes = spec.common.memoryLimitMiB;
                return mebibytes == 0 ? QStringList() : QStringList{QStringLiteral("%1M").arg(mebibytes)};
            }};
}

static LaunchOption umaskOption()
{
    const QString name = QStringLiteral("--umask");
    return {name, QStringLiteral("OCTAL"), tr("file mode bits that are taken away, such as 027"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression octal(QStringLiteral("^[0-7]{1,4}$"));
                const int mask = text.toInt(nullptr, 8);
                if (!octal.match(text).hasMatch() || mask > 0777)
                    return Error{tr("\"%1\" is not a file mode mask").arg(text), name,
                                 tr("Write up to three octal digits, for example 027.")};
                spec.common.umask = mask;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const int mask = spec.common.umask;
                return mask < 0 ? QStringList()
                                : QStringList{QStringLiteral("%1").arg(mask, 3, 8, QLatin1Char('0'))};
            }};
}

/// Written as --transport.
static LaunchOption slurmOption()
{
    return {QStringLiteral("--slurm"),
            {},
            tr("the same as --transport slurm"),
            [](LaunchSpec &spec, const QString &) -> std::optional<Error> {
                spec.nodes.transport = QStringLiteral("slurm");
                return std::nullopt;
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

static LaunchOption commandOption(const QString &name, QList<QStringList> CommonOptions::*field,
                                  const QString &help)
{
    return {name, QStringLiteral("COMMAND"), help,
            [name, field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto words = splitCommandLine(text);
                if (!words)
                    return Error{words.error().what, name, words.error().mend};
                if (words->isEmpty())
                    return Error{tr("there is no command"), name, {}};
                spec.common.*field << *words;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                QStringList texts;
                for (const QStringList &words : spec.common.*field)
                    texts << joinCommandLine(words);
                return texts;
            }};
}

static LaunchOption wrapOption()
{
    QStringList presets;
    for (const WrapperPreset &preset : wrapperPresets())
        presets << preset.name;
    return {QStringLiteral("--wrap"), QStringLiteral("RANKS:COMMAND"),
            tr("start ranks by a program, such as 0:gdb; %1, or any command; may be repeated")
                .arg(presets.join(QStringLiteral(", "))),
            [](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto wrapper = readWrapper(text);
                if (!wrapper)
                    return wrapper.error();
                spec.common.wrappers << text;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return spec.common.wrappers;
            }};
}

LaunchOption bindCoreOption(const QString &name)
{
    return {name, QStringLiteral("True|False|JSON"),
            tr("bind ranks to cpus: {\"device0\":[\"0-10\"],…} (False)"),
            [](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                spec.common.bindCore = text;
                for (const QString &word : {QStringLiteral("True"), QStringLiteral("False")}) {
                    if (text.compare(word, Qt::CaseInsensitive) == 0)
                        spec.common.bindCore = word;
                }
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return QStringList{spec.common.bindCore};
            }};
}

LaunchOptions commonOptions(const LaunchSpec &defaults)
{
    LaunchOption variables{QStringLiteral("--env"), QStringLiteral("NAME=VALUE"),
                           tr("a variable for every process; may be repeated"),
                           [](LaunchSpec &spec, const QString &text) {
                               return readVariable(spec.environment, text, QStringLiteral("--env"));
                           },
                           [](const LaunchSpec &spec) {
                               return writtenVariables(spec.environment);
                           }};
    return {
        textOption("--name NAME", &LaunchSpec::name, tr("for the run's name; the script's by default")),
        textOption("--work-dir DIR", &LaunchSpec::workDir, tr("working directory of every process (./)")),
        textOption("--conda-env NAME", {&LaunchSpec::common, &CommonOptions::condaEnv},
                   tr("conda environment, by name or directory")),
        variables,
        listOption("--env-file FILE", {&LaunchSpec::common, &CommonOptions::envFiles},
                   tr("variables from a file, NAME=VALUE a line; may be repeated")),
        listOption("--unset-env NAME", {&LaunchSpec::common, &CommonOptions::unsetVariables},
                   tr("a variable that no process gets; may be repeated")),
        rankEnvironmentOption(),
        bindCoreOption(QStringLiteral("--bind-core")),
        numberOption("--nice N", {&LaunchSpec::common, &CommonOptions::nice},
                     tr("added to the processes' nice level, -20 to 19 (0)")),
        memoryLimitOption(),
        numberOption("--open-files N", {&LaunchSpec::common, &CommonOptions::openFiles},
                     tr("how many files each process may have open")),
        umaskOption(),
        textOption("--tty RANKS", {&LaunchSpec::common, &CommonOptions::terminals},
                   tr("ranks with a terminal to type into, for debuggers: all, none or 0-3,7 (%1)")
                       .arg(defaults.common.terminals)),
        wrapOption(),
        textOption("--prompt-pattern REGEX", {&LaunchSpec::common, &CommonOptions::promptPattern},
                   tr("what the prompt of your debugger looks like; pdb, ipdb, gdb and python are known")),
        textOption("--progress-pattern REGEX", {&LaunchSpec::common, &CommonOptions::progressPattern},
                   tr("finds steps and losses in the logs by named groups, (?P<step>\\d+)")),
        numberOption(
            "--stall-after SECONDS", {&LaunchSpec::common, &CommonOptions::stallAfterSeconds},
            tr("a rank silent for longer than this and than is usual for it is stalled; 0: none (%1)")
                .arg(defaults.common.stallAfterSeconds)),
        numberOption("--needs-hbm MB", {&LaunchSpec::common, &CommonOptions::neededHbmMb},
                     tr("HBM that must be free on the NPU of each rank before the start")),
        numberOption("--sample-every SECONDS", {&LaunchSpec::common, &CommonOptions::sampleEverySeconds},
                     tr("sample NPUs and processes all the time; 0: only while somebody looks (%1)")
                         .arg(defaults.common.sampleEverySeconds)),
        textOption("--dump-signal NAME", {&LaunchSpec::common, &CommonOptions::dumpSignal},
                   tr("the program writes its stacks at this signal (faulthandler.register), such as USR1")),
        commandOption(QStringLiteral("--before"), &CommonOptions::before,
                      tr("run before the first process starts; may be repeated")),
        commandOption(QStringLiteral("--after"), &CommonOptions::after,
                      tr("run after the last process has ended; may be repeated")),
        numberOption("--grace SECONDS", &LaunchSpec::graceSeconds,
                     tr("between SIGTERM and SIGKILL (%1)").arg(defaults.graceSeconds)),
        textOption("--nodes LIST", {&LaunchSpec::nodes, &NodeOptions::list},
                   tr("the launch is for these nodes, a,b,c, and starts all of it from here")),
        textOption("--transport NAME", {&LaunchSpec::nodes, &NodeOptions::transport},
                   tr("how nodes are reached: auto, local, ssh or slurm (auto)")),
        slurmOption(),
        textOption("--ssh-config FILE", {&LaunchSpec::nodes, &NodeOptions::sshConfig},
                   tr("in place of ssh's own configuration")),
        textOption("--node-program PATH", {&LaunchSpec::nodes, &NodeOptions::program},
                   tr("rankdeckctl on the nodes; default: in their PATH, else a copy")),
        textOption("--slurm-options WORDS", {&LaunchSpec::nodes, &NodeOptions::slurmOptions},
                   tr("of salloc, where the launch makes its own allocation, such as \"-p npu -t 60\"")),
        numberOption("--slurm-wait SECONDS", {&LaunchSpec::nodes, &NodeOptions::slurmWaitSeconds},
                     tr("Slurm must have given the nodes by then (%1)").arg(defaults.nodes.slurmWaitSeconds)),
        numberOption("--node-timeout SECONDS", {&LaunchSpec::nodes, &NodeOptions::silenceSeconds},
                     tr("a node silent for so long is lost (%1)").arg(defaults.nodes.silenceSeconds)),
        switchOption(
            "--no-mirror", {&LaunchSpec::nodes, &NodeOptions::mirror}, false,
            tr("leave logs on the nodes that share no folder with this one, but for those looked at")),
        switchOption("--no-raise", &LaunchSpec::raiseOnFailure, false,
                     tr("do not open the error dialog by itself")),
    };
}

} // namespace rankdeck
