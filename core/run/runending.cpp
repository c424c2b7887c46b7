#include "run/runending.h"

#include "run/leftovers.h"
#include "run/livemarks.h"
#include "run/runclient.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace rankdeck
{

std::optional<Error> endRun(const QString &directory)
{
    QEventLoop loop;
    RunClient client(directory);
    std::optional<RunState> last;
    QString problem;
    QObject::connect(&client, &RunClient::stateChanged, &loop, [&](const RunState &state) {
        last = state;
        if (!isLive(state.phase))
            loop.quit();
    });
    QObject::connect(&client, &RunClient::failed, &loop, [&](const QString &sentence) {
        problem = sentence;
        loop.quit();
    });
    QMetaObject::invokeMethod(
        &client,
        [&client] {
            client.open();
            client.stop();
        },
        Qt::QueuedConnection);
    loop.exec();
    if (!problem.isEmpty())
        return Error{problem, {}, {}};
    // Somebody else may have ended the loop: the thread, when its window is closed.
    if (!last || isLive(last->phase))
        return Error{QCoreApplication::translate("RunEnding", "the run has not ended yet"), directory, {}};
    if (last->phase == RunPhase::Lost) {
        if (const auto error = endLeftovers(*last))
            return error;
    }
    unmarkLive(directory);
    return std::nullopt;
}

} // namespace rankdeck
