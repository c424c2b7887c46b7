#include "launchform/launcheroptions.h"
#include "launchform/optiongroup.h"
#include "launchform/optiontexts.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("rankdeck::LaunchForm", text);
}

auto own(auto ProcessesOptions::*value)
{
    return at(&LaunchSpec::processes, value);
}

constexpr int mostRanks = 1'000'000;

void addGroup(OptionGroup &options)
{
    options.addNumber({{"--nproc"}, tr("np&roc"), tr("Ranks of this node.")}, own(&ProcessesOptions::nproc),
                      {1, mostRanks});
    options.addNumber({{"--nnodes"}, tr("nnodes"), tr("Nodes of the launch.")},
                      own(&ProcessesOptions::nnodes), {1, mostRanks});
    options.addNumber({{"--node-rank"}, tr("node-ran&k"), tr("Which of them this one is.")},
                      own(&ProcessesOptions::nodeRank), {0, mostRanks});
    options.addText({{"--master-addr"}, tr("&master-addr"), tr("MASTER_ADDR: the host of rank 0.")},
                    TextForm::plain(own(&ProcessesOptions::masterAddr)));
    options.addNumber({{"--master-port"}, tr("master-port"), tr("MASTER_PORT, 1 to 65535.")},
                      own(&ProcessesOptions::masterPort), {0, 65535});
}

void addStreams(OptionGroup &options)
{
    const QString words = tr("NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL.");
    options.addText({{"--redirects", "redirects"},
                     tr("red&irects"),
                     tr("Streams with files of their own: %1").arg(words)},
                    streamsText(StreamsOption::Redirects));
    options.addText({{"--tee", "tee"}, tr("tee"), tr("The same, and printed by rankdeckctl: %1").arg(words)},
                    streamsText(StreamsOption::Tee));
}

void addPerRank(OptionGroup &options)
{
    options.addLines(
        {{"args"}, tr("args"), tr("Arguments after the command, one local rank a line; all ranks or none.")},
        argumentsByRankText(own(&ProcessesOptions::args), QStringLiteral("args")),
        QStringLiteral("0: --lead\n1:"));
    options.addLines({{"envs"}, tr("envs"), tr("Variables of a local rank, one a line; all ranks or none.")},
                     variablesByRankText(own(&ProcessesOptions::envs), QStringLiteral("envs")),
                     QStringLiteral("0:SEED=1\n1:SEED=2"));
}

} // namespace

void addProcessesOptions(OptionGroup &options)
{
    addGroup(options);
    addWorkDir(options);
    addLogDir(options, {{"--log-dir"}, tr("lo&g-dir"), tr("An empty directory for <local rank>/stdout.log")},
              tr("in the run directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    options.addText({{"--role"}, tr("role"), tr("ROLE_NAME of every rank.")},
                    TextForm::plain(own(&ProcessesOptions::role)));
    addStreams(options);
    options.addNumber({{"--max-restarts"}, tr("ma&x-restarts"), tr("Of all ranks, when one fails.")},
                      own(&ProcessesOptions::maxRestarts), {0, 1000});
    addPerRank(options);
    addRaise(options);
}

} // namespace rankdeck
