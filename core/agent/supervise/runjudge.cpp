#include "agent/supervise/runjudge.h"

#include "diagnosis/verdict/keptverdict.h"
#include "run/record/runreader.h"

namespace rankdeck
{

/// Enough for the logs of 1,000 ranks of a few hundred KB each.
constexpr int longestMs = 3000;

RunJudge::RunJudge(QObject *parent)
    : QObject(parent)
    , m_work(this, [this](int process) {
        m_process = process;
        finish();
    })
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(longestMs);
    connect(&m_limit, &QTimer::timeout, this, &RunJudge::finish);
}

void RunJudge::start(const QString &runDirectory)
{
    m_limit.start();
    m_work.ask([runDirectory](const NewestWins<int>::IsCancelled &isCancelled) {
        // As every reader sees it.
        if (const auto state = RunReader(runDirectory).open())
            return judgeRun(*state, isCancelled).process;
        return -1;
    });
}

void RunJudge::finish()
{
    m_limit.stop();
    if (!std::exchange(m_isDone, true))
        Q_EMIT done();
}

} // namespace rankdeck
