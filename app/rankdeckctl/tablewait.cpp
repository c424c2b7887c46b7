#include "tablewait.h"

#include "output.h"
#include "ranktable/ranktablewaiter.h"
#include "run/unixsignals.h"

#include <QCoreApplication>

#include <csignal>

namespace rankdeck
{

WaitedTable waitForTable(const QString &path, std::chrono::seconds limit,
                         const std::function<void(const QString &, int)> &onWaiting)
{
    RankTableWaiter waiter(path, limit);
    const UnixSignals signals_({SIGINT, SIGTERM});
    std::optional<Result<RankTable>> answer;
    int signal = 0;
    QObject::connect(&signals_, &UnixSignals::received, &waiter, [&](int number) {
        signal = number;
        waiter.cancel();
    });
    QObject::connect(&waiter, &RankTableWaiter::waiting, &waiter, onWaiting);
    QObject::connect(&waiter, &RankTableWaiter::finished, &waiter, [&](const Result<RankTable> &result) {
        answer = result;
        QCoreApplication::quit();
    });
    QMetaObject::invokeMethod(&waiter, &RankTableWaiter::start, Qt::QueuedConnection);
    QCoreApplication::exec();
    return {*answer, signal};
}

void sayWaiting(const QString &path, const QString &status, int elapsedSeconds)
{
    say(visibleText(QCoreApplication::translate("tablewait", "Waiting for the rank table %1 (%2), %3 s")
                        .arg(path, status)
                        .arg(elapsedSeconds)));
}

} // namespace rankdeck
