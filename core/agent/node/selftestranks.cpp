#include "agent/node/selftestranks.h"

#include "base/program.h"
#include "base/result.h"
#include "run/process/exitstatus.h"

#include <sys/prctl.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qsizetype keptWords = 2000;

SelfTestRanks::~SelfTestRanks()
{
    for (const auto &[number, rank] : m_ranks) {
        rank->process.disconnect(this);
        rank->process.kill();
    }
    for (const auto &[number, rank] : m_ranks)
        rank->process.waitForFinished(1000);
}

void SelfTestRanks::start(const QString &program, const QList<int> &ranks, int worldSize,
                          const QStringList &arguments)
{
    QProcessEnvironment environment = withoutPreload();
    for (const char *name : {"SLURM_PROCID", "SLURM_NTASKS", "RANK_ID", "RANK_SIZE"})
        environment.remove(QLatin1String(name));
    environment.insert(u"WORLD_SIZE"_s, QString::number(worldSize));
    for (const int number : ranks) {
        if (m_ranks.count(number) > 0)
            continue;
        Rank &rank = *(m_ranks[number] = std::make_unique<Rank>());
        environment.insert(u"RANK"_s, QString::number(number));
        rank.process.setProcessEnvironment(environment);
        rank.process.setWorkingDirectory(u"/"_s);
        rank.process.setChildProcessModifier([agent = getpid()] {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != agent)
                _exit(127);
        });
        connect(&rank.process, &QProcess::readyReadStandardOutput, this,
                [this, number, &rank] { read(number, rank); });
        connect(&rank.process, &QProcess::readyReadStandardError, this, [&rank] {
            rank.lastWords = (rank.lastWords + rank.process.readAllStandardError()).right(keptWords);
        });
        connect(&rank.process, &QProcess::finished, this,
                [this, number, &rank](int code, QProcess::ExitStatus how) {
                    read(number, rank);
                    const ExitStatus status{how == QProcess::NormalExit ? ExitStatus::Kind::Exited
                                                                        : ExitStatus::Kind::Signalled,
                                            code};
                    const QString said = lastLineOf(rank.lastWords);
                    if (status.isSuccess())
                        end(number, rank, {});
                    else
                        end(number, rank,
                            said.isEmpty() ? tr("it ended with %1").arg(status.text())
                                           : tr("it ended with %1: %2").arg(status.text(), said));
                });
        connect(&rank.process, &QProcess::errorOccurred, this,
                [this, number, &rank](QProcess::ProcessError error) {
                    if (error == QProcess::FailedToStart)
                        end(number, rank, tr("it could not be started: %1").arg(problemOf(rank.process)));
                });
        rank.process.start(program, QStringList{u"collective"_s} + arguments);
    }
}

void SelfTestRanks::tell(int rank, const QByteArray &line)
{
    const auto known = m_ranks.find(rank);
    if (known != m_ranks.end() && !known->second->hasEnded)
        known->second->process.write(line + '\n');
}

void SelfTestRanks::read(int number, Rank &rank)
{
    rank.lines.add(rank.process.readAllStandardOutput());
    while (const auto line = rank.lines.take()) {
        if (!line->isEmpty())
            Q_EMIT said(number, *line);
    }
}

void SelfTestRanks::end(int number, Rank &rank, const QString &how)
{
    if (rank.hasEnded)
        return;
    rank.hasEnded = true;
    Q_EMIT rankEnded(number, how);
}

} // namespace rankdeck
