#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// What every launcher can give its processes beside its own options.
struct CommonOptions {
    /// --conda-env: an environment's name or its directory. Empty: DEFAULT_CONDA_ENV_NAME where ANACONDA_DIR
    /// is set too, else none.
    QString condaEnv;
    QStringList envFiles;       ///< --env-file: NAME=VALUE a line; of two files the later wins.
    QStringList unsetVariables; ///< --unset-env: taken from the environment that the launch was started in.
    /// --rank-env RANK:NAME=VALUE, by rank: wins over LaunchSpec::environment, which wins over envFiles.
    QMap<int, QMap<QString, QString>> rankEnvironment;

    /// --bind-core (msrun: --bind_core): False, True for equal shares, or a JSON object by local rank such as
    /// {"device0":["0-10"]}.
    QString bindCore = QStringLiteral("False");
    int nice = 0;           ///< --nice, added to what the launch has: -20 .. 19.
    int memoryLimitMiB = 0; ///< --memory-limit: address space of a process (RLIMIT_AS); 0: as inherited.
    int openFiles = 0;      ///< --open-files: file descriptors of a process (RLIMIT_NOFILE); 0: as inherited.
    int umask = -1;         ///< --umask: 0 .. 0777; -1: as inherited.

    /// --tty: the ranks that get a terminal of their own, to be typed into: all, none, or such as 0-3,7.
    QString terminals = QStringLiteral("none");
    /// --prompt-pattern: a prompt of such a rank that Rankdeck does not know by itself; see promptpattern.h.
    QString promptPattern;

    /// --wrap: programs that start ranks in place of their command, such as "0,3:gdb"; see readWrapper().
    QStringList wrappers;

    /// --progress-pattern: what reads steps and losses of the logs' lines, in place of what Rankdeck knows;
    /// see progresspattern.h. Empty: none.
    QString progressPattern;

    /// --stall-after: a rank that is silent for longer, and for longer than is usual for it, is stalled; 0:
    /// none is. Seconds, 0 .. 604800.
    int stallAfterSeconds = 120;
    /// --needs-hbm: what must be free of the HBM of a rank's NPU before the start, or of its DDR where it has
    /// no HBM; MB of 1,048,576 bytes, 0 (not said) .. 1048576.
    int neededHbmMb = 0;
    /// --sample-every: NPUs and process trees are sampled so often while the run lives, looked at or not; 0:
    /// only while somebody looks. Seconds, 0 .. 3600.
    int sampleEverySeconds = 0;
    /// --dump-signal: the program writes its stacks when it gets this signal, as faulthandler.register()
    /// makes Python do: USR1, USR2 … (see dumpsignal.h). Empty: it does not.
    QString dumpSignal;

    /// --before, --after: commands that each node runs one after the other before the first process is
    /// started and after the last has ended. Programs and arguments; never a shell string.
    QList<QStringList> before;
    QList<QStringList> after;

    bool operator==(const CommonOptions &) const = default;
};

} // namespace rankdeck
