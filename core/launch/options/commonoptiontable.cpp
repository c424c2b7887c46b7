#include "launch/options/commonoptiontable.h"

#include "base/listcomma.h"
#include "launch/planning/wrappers.h"
#include "launch/text/commandline.h"

#include <QRegularExpression>

#include <limits>

namespace rankdeck
{

static LaunchOption rankEnvironmentOption()
{
    const QString name = QStringLiteral("--rank-env");
    return {name, QStringLiteral("RANK:NAME=VALUE"), tr("set a variable for one rank; may be repeated"),
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
    return {name, QStringLiteral("SIZE"), tr("address space of each process, e.g. 512M or 64G"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression size(QStringLiteral("^(\\d{1,7})([MGT])$"));
                const auto match = size.match(text);
                const qint64 unit = match.captured(2) == QLatin1String("T")   ? 1024 * 1024
                                    : match.captured(2) == QLatin1String("G") ? 1024
                                                                              : 1;
                const qint64 mebibytes = match.captured(1).toLongLong() * unit;
                if (!match.hasMatch() || mebibytes < 1 || mebibytes > std::numeric_limits<int>::max())
                    return Error{tr("\"%1\" is not a size").arg(text), name,
                                 tr("Write a number with M, G or T, e.g. 64G.")};
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
    return {name, QStringLiteral("OCTAL"), tr("file mode bits that are taken away, e.g. 027"),
            [name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression octal(QStringLiteral("^[0-7]{1,4}$"));
                const int mask = text.toInt(nullptr, 8);
                if (!octal.match(text).hasMatch() || mask > 0777)
                    return Error{tr("\"%1\" is not a file mode mask").arg(text), name,
                                 tr("Write up to three octal digits, e.g. 027.")};
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
                    return Error{tr("missing command"), name, {}};
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
            tr("start ranks by a program, e.g. 0:gdb; %1, or any command; may be repeated")
                .arg(presets.join(nameComma())),
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
                           tr("set a variable for every process; may be repeated"),
                           [](LaunchSpec &spec, const QString &text) {
                               return readVariable(spec.environment, text, QStringLiteral("--env"));
                           },
                           [](const LaunchSpec &spec) {
                               return writtenVariables(spec.environment);
                           }};
    LaunchOptions options;
    addOptions(options, LaunchOption::Group::StartAndEnd,
               {textOption("--name NAME", &LaunchSpec::name, tr("name of the run (the script's name)")),
                commandOption(QStringLiteral("--before"), &CommonOptions::before,
                              tr("run a command before the first process starts; may be repeated")),
                commandOption(QStringLiteral("--after"), &CommonOptions::after,
                              tr("run a command after the last process has ended; may be repeated")),
                textOption("--ports auto|fixed", {&LaunchSpec::common, &CommonOptions::ports},
                           tr("auto: where a port that the launcher would use by itself is taken, use a "
                              "free one, reserved for the run; fixed: keep the launcher's own (auto)")),
                numberOption("--needs-hbm MB", {&LaunchSpec::common, &CommonOptions::neededHbmMb},
                             tr("HBM that must be free on each rank's NPU before the start")),
                numberOption("--grace SECONDS", &LaunchSpec::graceSeconds,
                             tr("time between SIGTERM and SIGKILL (%1)").arg(defaults.graceSeconds))});
    addOptions(
        options, LaunchOption::Group::Environment,
        {textOption("--work-dir DIR", &LaunchSpec::workDir, tr("working directory of every process (./)")),
         textOption("--conda-env NAME", {&LaunchSpec::common, &CommonOptions::condaEnv},
                    tr("conda environment, by name or directory")),
         variables,
         listOption("--env-file FILE", {&LaunchSpec::common, &CommonOptions::envFiles},
                    tr("read variables from a file, one NAME=VALUE per line; may be repeated")),
         listOption("--unset-env NAME", {&LaunchSpec::common, &CommonOptions::unsetVariables},
                    tr("unset a variable in all processes; may be repeated")),
         rankEnvironmentOption(), bindCoreOption(QStringLiteral("--bind-core")),
         numberOption("--nice N", {&LaunchSpec::common, &CommonOptions::nice},
                      tr("added to the processes' nice level, -20 to 19 (0)")),
         memoryLimitOption(),
         numberOption("--open-files N", {&LaunchSpec::common, &CommonOptions::openFiles},
                      tr("limit of open files per process")),
         umaskOption()});
    addOptions(
        options, LaunchOption::Group::Nodes,
        {textOption("--nodes LIST", {&LaunchSpec::nodes, &NodeOptions::list},
                    tr("run on these nodes: a,b,c")),
         textOption("--transport NAME", {&LaunchSpec::nodes, &NodeOptions::transport},
                    tr("connect to nodes by auto, local, ssh or slurm, or to containers: docker:NAME, "
                       "podman:NAME, kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME; {node} "
                       "stands for each of --nodes (auto)")),
         textOption("--transport-command COMMAND", {&LaunchSpec::nodes, &NodeOptions::transportCommand},
                    tr("connect to nodes by a program that starts the words after its own there, e.g. "
                       "\"enroot exec {node}\"")),
         slurmOption(),
         textOption("--ssh-config FILE", {&LaunchSpec::nodes, &NodeOptions::sshConfig},
                    tr("use this file as ssh's configuration")),
         textOption("--node-program PATH", {&LaunchSpec::nodes, &NodeOptions::program},
                    tr("path of rankdeckctl on the nodes (from their PATH, else a copy)")),
         textOption("--slurm-options WORDS", {&LaunchSpec::nodes, &NodeOptions::slurmOptions},
                    tr("of salloc, where the launch makes its own allocation, e.g. \"-p npu -t 60\"")),
         numberOption("--slurm-wait SECONDS", {&LaunchSpec::nodes, &NodeOptions::slurmWaitSeconds},
                      tr("limit of the wait for Slurm's nodes (%1)").arg(defaults.nodes.slurmWaitSeconds)),
         numberOption("--node-timeout SECONDS", {&LaunchSpec::nodes, &NodeOptions::silenceSeconds},
                      tr("consider a node lost when it does not respond for this long (%1)")
                          .arg(defaults.nodes.silenceSeconds)),
         switchOption(
             "--no-mirror", {&LaunchSpec::nodes, &NodeOptions::mirror}, false,
             tr("do not copy logs from nodes without a shared file system, unless they are opened"))});
    addOptions(
        options, LaunchOption::Group::Terminal,
        {textOption("--tty RANKS", {&LaunchSpec::common, &CommonOptions::terminals},
                    tr("give ranks a terminal, for debuggers: all, none or 0-3,7 (%1)")
                        .arg(defaults.common.terminals)),
         wrapOption(),
         textOption("--prompt-pattern REGEX", {&LaunchSpec::common, &CommonOptions::promptPattern},
                    tr("pattern of your debugger's prompt; pdb, ipdb, gdb and python are built in")),
         textOption("--dump-signal NAME", {&LaunchSpec::common, &CommonOptions::dumpSignal},
                    tr("the program writes its stacks at this signal (faulthandler.register), e.g. USR1")),
         textOption("--flight-recorder auto|on|off", {&LaunchSpec::common, &CommonOptions::flightRecorder},
                    tr("have torch and torch_npu record each rank's collectives; auto: where Python has one "
                       "of them. "
                       "An old torch_npu ignores it; torch's monitor may abort a rank that is silent for ten "
                       "minutes "
                       "and twice --stall-after (auto)")),
         switchOption(
             "--no-evidence", {&LaunchSpec::common, &CommonOptions::takesEvidence}, false,
             tr("take neither stacks nor recorders' dumps at a stall or before a failed run is ended"))});
    addOptions(
        options, LaunchOption::Group::Watching,
        {textOption("--progress-pattern REGEX", {&LaunchSpec::common, &CommonOptions::progressPattern},
                    tr("find steps and losses in the logs by named groups, (?P<step>\\d+)")),
         numberOption("--stall-after SECONDS", {&LaunchSpec::common, &CommonOptions::stallAfterSeconds},
                      tr("report a rank as stalled when it is silent for longer than this, and than is usual "
                         "for it; 0: never (%1)")
                          .arg(defaults.common.stallAfterSeconds)),
         numberOption("--sample-every SECONDS", {&LaunchSpec::common, &CommonOptions::sampleEverySeconds},
                      tr("sample NPUs and processes continuously; 0: only while shown (%1)")
                          .arg(defaults.common.sampleEverySeconds)),
         switchOption("--no-raise", &LaunchSpec::raiseOnFailure, false,
                      tr("do not open the error dialog automatically"))});
    return options;
}

} // namespace rankdeck
