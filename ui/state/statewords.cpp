#include "state/statewords.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

struct StateWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::StateWords)
};

} // namespace

QString shownWord(RunPhase phase)
{
    switch (phase) {
    case RunPhase::Starting:
        return StateWords::tr("starting");
    case RunPhase::Running:
        return StateWords::tr("running");
    case RunPhase::Stopping:
        return StateWords::tr("stopping");
    case RunPhase::Succeeded:
        return StateWords::tr("succeeded");
    case RunPhase::Failed:
        return StateWords::tr("failed");
    case RunPhase::Stopped:
        return StateWords::tr("stopped");
    case RunPhase::Lost:
        return StateWords::tr("lost");
    case RunPhase::Recorded:
        return StateWords::tr("recorded");
    case RunPhase::Writing:
        return StateWords::tr("being written");
    }
    return {};
}

QString shownWord(RankPhase phase)
{
    switch (phase) {
    case RankPhase::Waiting:
        return StateWords::tr("waiting");
    case RankPhase::Running:
        return StateWords::tr("running");
    case RankPhase::Exited:
        return StateWords::tr("exited");
    case RankPhase::Failed:
        return StateWords::tr("failed");
    case RankPhase::Ended:
        return StateWords::tr("ended");
    case RankPhase::Stopped:
        return StateWords::tr("stopped");
    case RankPhase::Unknown:
        return StateWords::tr("unknown");
    case RankPhase::Writing:
        return StateWords::tr("writing");
    }
    return {};
}

QString shownWord(Hold hold)
{
    switch (hold) {
    case Hold::None:
        break;
    case Hold::Suspended:
        return StateWords::tr("‖ suspended");
    case Hold::Traced:
        return StateWords::tr("‖ traced");
    }
    return {};
}

} // namespace rankdeck
