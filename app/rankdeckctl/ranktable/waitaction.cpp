#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/ranktable/tableoutput.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/reading/ranktablewaiter.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/process/unixsignals.h"

namespace rankdeck
{

constexpr int defaultTimeoutSeconds = 1800; ///< HCCL's own limit.
constexpr int timeIsUpCode = 1;

WaitedTable waitForTable(const QString &path, std::chrono::seconds limit, const QString &limitOption)
{
    RankTableWaiter waiter(path, limit);
    waiter.setLimitOption(limitOption);
    const UnixSignals signals_({SIGINT, SIGTERM});
    std::optional<Result<RankTable>> answer;
    int signal = 0;
    QObject::connect(&signals_, &UnixSignals::received, &waiter, [&](int number) {
        signal = number;
        waiter.cancel();
    });
    QString saidStatus;
    int nextSecond = 0;
    QObject::connect(&waiter, &RankTableWaiter::waiting, &waiter, [&](const QString &status, int seconds) {
        if (status == saidStatus && seconds < nextSecond)
            return;
        saidStatus = status;
        nextSecond = seconds + 60;
        say(visibleText(tr("Waiting for the rank table %1 (%2), %3 s of %4 s. Ctrl+C ends the wait.")
                            .arg(path, status)
                            .arg(seconds)
                            .arg(limit.count())));
    });
    QObject::connect(&waiter, &RankTableWaiter::finished, &waiter, [&](const Result<RankTable> &result) {
        answer = result;
        QCoreApplication::quit();
    });
    QMetaObject::invokeMethod(&waiter, &RankTableWaiter::start, Qt::QueuedConnection);
    QCoreApplication::exec();
    return {*answer, signal};
}

int waitForRankTableAction(const Options &options)
{
    const auto timeout = options.number("--timeout", 0, defaultTimeoutSeconds);
    if (!timeout)
        return refuse(timeout.error());
    const QString path = rankTablePath(options.positional.value(0), QProcessEnvironment::systemEnvironment());
    const auto waited = waitForTable(path, std::chrono::seconds(*timeout), u"--timeout"_s);
    if (waited.table)
        return 0;
    refuse(waited.table.error());
    if (waited.signal != 0)
        return 128 + waited.signal;
    return statusOfUnfinishedTable(path, readRankTable(path)).isEmpty() ? unusableInput : timeIsUpCode;
}

} // namespace rankdeck
