#include "agent/node/nodepreflight.h"

#include "agent/node/nodepreparation.h"
#include "base/language.h"
#include "base/program.h"
#include "base/result.h"
#include "run/process/exitstatus.h"

#include <sys/prctl.h>
#include <unistd.h>

namespace rankdeck
{

void NodePreflight::check(const orders::CheckNode &order)
{
    if (m_check)
        return;
    takeOverEnvironment(order.environment);
    // An agent that checks writes no record: the user alone reads what it says.
    if (translationLanguages().contains(order.language))
        installTranslations(order.language);
    m_check =
        std::make_unique<NodeCheck>(NodeCheckTask{order.plan, order.imports, order.tableIps, order.seconds});
    connect(m_check.get(), &NodeCheck::checked, &m_head, [this](const PreflightCheck &check) {
        m_head.send(NodeAnswer{check, {}}.toLine());
    });
    connect(m_check.get(), &NodeCheck::done, &m_head, [this](const NodeCheckEnd &end) {
        m_head.send(NodeAnswer{{}, end}.toLine());
    });
    m_check->start();
}

void NodePreflight::startSelfTest(const orders::StartSelfTest &order)
{
    if (!m_selfTest) {
        m_selfTest = std::make_unique<SelfTestRanks>();
        connect(m_selfTest.get(), &SelfTestRanks::said, &m_head, [this](int rank, const QByteArray &line) {
            m_head.send(RankLine{rank, line}.toLine());
        });
        connect(m_selfTest.get(), &SelfTestRanks::rankEnded, &m_head, [this](int rank, const QString &how) {
            m_head.send(RankLine{rank, {}, true, how}.toLine());
        });
    }
    m_selfTest->start(programPath(), order.ranks, order.worldSize, order.arguments);
}

void NodePreflight::tellRank(const orders::TellRank &order)
{
    if (m_selfTest)
        m_selfTest->tell(order.rank, order.line);
}

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
        onFailedStart(rank.process, this, [this, number, &rank] {
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
