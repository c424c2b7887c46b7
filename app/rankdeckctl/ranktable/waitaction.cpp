#include "rankdeckctl/ranktable/waitaction.h"

#include "rankdeckctl/ranktable/actions.h"
#include "rankdeckctl/ranktable/tableoutput.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/reading/ranktablewaiter.h"
#include "ranktable/table/ranktablelocation.h"
#include "run/process/unixsignals.h"

#include <csignal>

namespace rankdeck
{

namespace
{

/// HCCL's own limit.
constexpr int defaultTimeoutSeconds = 1800;

constexpr int timeIsUpCode = 1;

/// Prints the status when it changes, and once a minute.
class WaitingNews
{
public:
    explicit WaitingNews(QString path)
        : m_path(std::move(path))
    {
    }
    void operator()(const QString &status, int seconds)
    {
        if (status == m_status && seconds < m_nextSecond)
            return;
        m_status = status;
        m_nextSecond = seconds + 60;
        sayWaiting(m_path, status, seconds);
    }

private:
    QString m_path;
    QString m_status;
    int m_nextSecond = 0;
};

} // namespace

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
    say(visibleText(tr("Waiting for the rank table %1 (%2), %3 s").arg(path, status).arg(elapsedSeconds)));
}

int waitForRankTableAction(const Options &options)
{
    const auto timeout = options.number("--timeout", 0, defaultTimeoutSeconds);
    if (!timeout)
        return refuse(timeout.error());
    const QString path = rankTablePath(options.positional.value(0), QProcessEnvironment::systemEnvironment());
    if (const auto error = missingFile(path))
        return refuse(*error);
    const auto waited = waitForTable(path, std::chrono::seconds(*timeout), WaitingNews(path));
    if (waited.table)
        return 0;
    refuse(waited.table.error());
    if (waited.signal != 0)
        return 128 + waited.signal;
    const auto table = readRankTable(path);
    return table && !table->isCompleted() ? timeIsUpCode : unusableInput;
}

} // namespace rankdeck
