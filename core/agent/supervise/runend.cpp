#include "agent/supervise/runend.h"

#include "base/program.h"
#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"
#include "launch/text/commandline.h"
#include "run/record/runreader.h"

#include <QFileInfo>

namespace rankdeck
{

/// Enough for the logs of 1,000 ranks of a few hundred KB each.
constexpr int longestMs = 6000;
/// How an adopted run ended may be known from its logs alone.
constexpr int longestOfAdoptedMs = 60000;

/// Returns the failure of an adopted run, whose exit the supervisor did not see: a failed exit that its
/// launcher or Slurm reported, or the traceback of a rank. Nothing if there is neither.
static std::optional<Failure> failureOfAdopted(const RunState &state,
                                               const NewestWins<RunJudge::Found>::IsCancelled &isCancelled)
{
    const auto hasFailed = [&](int index) {
        const RankState *rank = state.stateOf(index);
        return rank && rank->status && rank->status->kind != ExitStatus::Kind::Unknown &&
               !rank->status->isSuccess();
    };
    const Verdict verdict = diagnose(state, ErrorCatalogue::load(), QLocale(QLocale::English), isCancelled);
    int failed = -1;
    for (int index = static_cast<int>(state.ranks.size()) - 1; index >= 0; --index) {
        if (hasFailed(index))
            failed = index;
    }
    const bool isTold =
        verdict.hasRoot() && verdict.process >= 0 && (failed >= 0 || !verdict.trace.isEmpty());
    const int root = hasFailed(0) ? 0 : isTold ? verdict.process : failed;
    if (root < 0)
        return std::nullopt;
    const RankState &rank = *state.stateOf(root);
    return failureOf(*state.plan, root, rank.pid,
                     rank.status.value_or(ExitStatus{ExitStatus::Kind::Unknown, 0}), {});
}

static RunJudge::Found judge(RunState state, const NewestWins<RunJudge::Found>::IsCancelled &isCancelled)
{
    if (!state.failure && state.plan->adopted && !state.endStall)
        state.failure = failureOfAdopted(state, isCancelled);
    return state.hasTrouble() ? RunJudge::Found{judgeRun(state, isCancelled).process, state.failure}
                              : RunJudge::Found{-1, {}};
}

RunJudge::RunJudge()
    : m_work(this, [this](const Found &found) {
        m_found = found;
        finish();
    })
{
    connect(&m_limit, &QTimer::timeout, this, &RunJudge::finish);
}

void RunJudge::start(const QString &runDirectory, bool isAdopted)
{
    m_limit.start(isAdopted ? longestOfAdoptedMs : longestMs);
    m_work.ask([runDirectory](const NewestWins<RunJudge::Found>::IsCancelled &isCancelled) {
        // As every reader sees it.
        const auto state = RunReader(runDirectory).open();
        return state ? judge(*state, isCancelled) : Found{-1, {}};
    });
}

void RunJudge::finish()
{
    m_limit.stop();
    if (!std::exchange(m_isDone, true))
        Q_EMIT done();
}

/// Returns the variables that tell the command about the run.
static QMap<QString, QString> hookVariables(const QString &runDirectory, const RunRecord &record,
                                            const QString &state, const QString &reason)
{
    const bool hasRank = record.failure && record.failure->rank != Failure::noRank;
    return {
        {u"RANKDECK_RUN"_s, QFileInfo(runDirectory).fileName()},
        {u"RANKDECK_RUN_NAME"_s, record.plan.name},
        {u"RANKDECK_RUN_DIRECTORY"_s, runDirectory},
        {u"RANKDECK_RUN_STATE"_s, state},
        {u"RANKDECK_RUN_EXIT_CODE"_s, isLive(record.phase) ? QString() : QString::number(record.exitCode)},
        {u"RANKDECK_RUN_FAILED_RANK"_s, hasRank ? QString::number(record.failure->rank.value) : QString()},
        {u"RANKDECK_RUN_REASON"_s, reason},
    };
}

RunHook::RunHook()
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_process, &QProcess::finished, this, &RunHook::startNext);
    onFailedStart(m_process, this, [this] { startNext(); });
    m_limit.setInterval(limitMs);
    connect(&m_limit, &QTimer::timeout, &m_process, &QProcess::kill);
}

RunHook::~RunHook()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void RunHook::start(const QString &runDirectory, const RunRecord &record, const QString &state,
                    const QString &reason)
{
    const QString variable = u"RANKDECK_ON_END"_s;
    m_environment = QProcessEnvironment::systemEnvironment();
    const QString line = record.spec.environment.value(variable, m_environment.value(variable));
    const Result<QStringList> command = splitCommandLine(line);
    m_waiting = command ? *command : QStringList();
    const QMap<QString, QString> variables = hookVariables(runDirectory, record, state, reason);
    for (auto its = variables.cbegin(); its != variables.cend(); ++its)
        m_environment.insert(its.key(), its.value());
    m_process.setWorkingDirectory(runDirectory);
    m_process.setStandardOutputFile(runDirectory + u"/on-end.log"_s, QIODevice::Append);
    // One of a stall that is still running comes to its end first.
    if (m_process.state() == QProcess::NotRunning)
        startNext();
}

void RunHook::startNext()
{
    m_limit.stop();
    if (m_waiting.isEmpty()) {
        Q_EMIT idle();
        return;
    }
    m_process.setProcessEnvironment(m_environment);
    m_process.setProgram(m_waiting.takeFirst());
    m_process.setArguments(std::exchange(m_waiting, {}));
    m_limit.start();
    m_process.start();
}

} // namespace rankdeck
