#include "agent/supervise/runjudge.h"

#include "diagnosis/evidence/linesigns.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/keptverdict.h"
#include "run/record/runreader.h"

namespace rankdeck
{

/// Enough for the logs of 1,000 ranks of a few hundred KB each.
constexpr int longestMs = 3000;
/// How an adopted run ended may be known from its logs alone.
constexpr int longestOfAdoptedMs = 60000;

/// Returns the failure of an adopted run, whose exit the supervisor did not see: a failed exit that its
/// launcher or Slurm reported, or the traceback of a rank. Nothing if there is neither.
static std::optional<Failure> failureOfAdopted(const RunState &state,
                                               const NewestWins<Judgement>::IsCancelled &isCancelled)
{
    const auto hasFailed = [&](int index) {
        const RankState *rank = state.stateOf(index);
        return rank && rank->status && rank->status->kind != ExitStatus::Kind::Unknown &&
               !rank->status->isSuccess();
    };
    const Verdict verdict =
        diagnose(state, LineSigns(ErrorCatalogue::load()), QLocale(QLocale::English), isCancelled);
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

static Judgement judge(RunState state, const NewestWins<Judgement>::IsCancelled &isCancelled)
{
    if (!state.failure && state.plan->adopted)
        state.failure = failureOfAdopted(state, isCancelled);
    return state.hasTrouble() ? Judgement{judgeRun(state, isCancelled).process, state.failure} : Judgement();
}

RunJudge::RunJudge()
    : m_work(this, [this](const Judgement &judgement) {
        m_judgement = judgement;
        finish();
    })
{
    connect(&m_limit, &QTimer::timeout, this, &RunJudge::finish);
}

void RunJudge::start(const QString &runDirectory, bool isAdopted)
{
    m_limit.start(isAdopted ? longestOfAdoptedMs : longestMs);
    m_work.ask([runDirectory](const NewestWins<Judgement>::IsCancelled &isCancelled) {
        // As every reader sees it.
        const auto state = RunReader(runDirectory).open();
        return state ? judge(*state, isCancelled) : Judgement();
    });
}

void RunJudge::finish()
{
    m_limit.stop();
    if (!std::exchange(m_isDone, true))
        Q_EMIT done();
}

} // namespace rankdeck
