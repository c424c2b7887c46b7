#include "logfetching.h"

#include "agent/logfetch.h"
#include "output.h"

#include <QEventLoop>

namespace rankdeck
{

void fetchMissingLogs(const RunState &state, const std::vector<int> &processes)
{
    LogFetch fetch(state, {processes.begin(), processes.end()});
    QEventLoop loop;
    QObject::connect(&fetch, &LogFetch::failed, &loop,
                     [](const QString &sentence) { say(QStringLiteral("rankdeckctl: ") + sentence); });
    QObject::connect(&fetch, &LogFetch::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    fetch.start();
    loop.exec();
}

} // namespace rankdeck
